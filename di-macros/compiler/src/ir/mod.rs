//! The intermediate representation: typed ANF with structured regions.
//!
//! One representation serves the user's function, its tangent and its reverse code. It must not
//! mention `syn` or `quote`; user code that is only carried along sits in [`Tokens`].
//!
//! - Scalars that are bound once are values ([`Val`]); every operation on them is a [`Stmt::Let`].
//! - Whatever can be written (a `let mut` scalar, an array, a slice, a vector, a struct) is a place
//!   ([`PlaceId`]). Each load of a place is a new value: that value, not the place, is what the
//!   reverse sweep keeps.
//! - Tuples do not exist: they are scalarised by `lower`. Slices bound to a name are views
//!   ([`Stmt::View`]): a place that stands for a path into another.
//! - Control flow is structured. A value is visible in the region that defines it and in the
//!   regions nested in it, after its definition.

use crate::sorted::Map;
use proc_macro2::Span;

pub mod build;
pub mod call;
mod effect;
mod frame;
mod lengths;
pub(crate) mod passive;
pub mod print;
mod rewrite;
mod schedule;
mod storage;
mod ty;
pub mod verify;
mod walk;

pub use effect::{Effect, Gives};
pub use frame::{Callee, Frame, FrameMode, Renewal, Slot};
pub use lengths::{ITSELF, OPAQUE_PART, PRESENCE};
pub use schedule::Schedule;

pub use call::{
    Arg, Asked, AugmentedCall, Call, First, Keep, Leaf, ON_TAPE, ReverseCall, TangentCall, Tape,
    Tree,
};
pub use storage::Storage;
pub use ty::{Known, Tokens, Type, is_of_integers};

/// A scalar value, defined once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Val(pub u32);

/// A place: storage that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlaceId(pub u32);

/// What is known of a value.
#[derive(Clone, Debug)]
pub struct ValInfo {
    pub ty: Type,
    /// The user's name, when it has one: for dumps and readable expansions only.
    pub hint: Option<String>,
    pub span: Span,
}

/// What is known of a place.
#[derive(Clone, Debug)]
pub struct PlaceInfo {
    pub ty: Type,
    pub hint: String,
    pub span: Span,
    pub kind: PlaceKind,
}

/// Hint of a place that the user gave no name. No name of the user begins like this, and dumps and generated code leave
/// that out.
pub const TEMPORARY: &str = "#tmp";

/// Hint of the array of one that stands for a number which a call is lent by `&mut`.
pub const LENT_NUMBER: &str = "#lent";

/// What the names of cells begin with, each for passive code that runs once in a sweep.
pub const ONCE: &str = "__once";

/// Where a place lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlaceKind {
    /// Parameter number `.0`, behind `&`: never written.
    SharedParam(usize),
    /// Parameter number `.0`, behind `&mut`: in and out.
    MutParam(usize),
    /// Parameter number `.0`, an array, vector or `mut` scalar by value.
    ValueParam(usize),
    /// Made by [`Stmt::Declare`].
    Local,
    /// Made by an effect: state of the user's code, which forward sweeps alone have.
    State,
    /// Made by [`Stmt::View`].
    View,
    /// Made by [`Stmt::View`] for one loop and borrowed as long as it runs. Transformed bodies only.
    Row,
    /// Tangent or adjoint slot of parameter number `.0`. Transformed bodies only.
    Slot(usize),
    /// Incoming adjoint of the result's leaf with this number. Transformed bodies only.
    ResultSlot(usize),
}

/// A path from a place to what is meant: `x[i]`, `p.a`, `m[i][j]`, `x[a..b]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub root: PlaceId,
    pub path: Vec<Proj>,
}

/// One step of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Proj {
    /// `[i]`, `i` of type `usize`.
    Index(Val),
    /// `[lo..hi]`, an open end is resolved to the length by `lower`.
    Range(Val, Val),
    /// `.name`, with its type in primal code as far as its use tells.
    Field(String, Known),
    /// Element of a nested array in row-major order. Transformed bodies only.
    Flat(Val),
}

/// Binary operators on two values of one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// Integers and bools only, from here on.
    And,
    Or,
    Xor,
    Shl,
    Shr,
}

/// Comparisons; the result is a bool and passive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CmpOp {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
    Ne,
    /// Less in the total order of floats (`total_cmp`).
    TotalLt,
}

/// A literal.
#[derive(Clone, Debug, PartialEq)]
pub enum Lit {
    Float(f64),
    Int(i128),
    Bool(bool),
}

impl Lit {
    /// The zero of a type of scalars, or of the floats that it holds.
    pub fn zero(ty: &Type) -> Lit {
        match ty {
            Type::Int(_) => Lit::Int(0),
            Type::Bool => Lit::Bool(false),
            Type::Float
            | Type::Lane
            | Type::Array(..)
            | Type::Slice(_)
            | Type::Vec(_)
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => Lit::Float(0.0),
        }
    }
}

/// Pure operations: no effects, result depends on operands alone. Those that can panic (indexing,
/// integer arithmetic) are only repeated where the original was executed.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    Lit(Lit),
    /// Another name for a value, or an alias with a user-given type.
    Copy(Val),
    /// Value of the by-value scalar parameter with this number.
    Param(usize),
    /// `-a`
    Neg(Val),
    /// `!a`
    Not(Val),
    Bin(BinOp, Val, Val),
    Cmp(CmpOp, Val, Val),
    /// Row of the elementary table, by name. Floats first; `powi`'s integer is its second operand.
    Elementary(&'static str, Vec<Val>),
    /// `a as T`. Float to integer is passive; integer to float too.
    Cast(Val),
    /// `x.len()` of a slice, array or vector.
    Len(Place),
    /// Passive code, copied as it is: constants, methods of integers, anything on `#[constant]`
    /// parameters. `operands` are the values whose names occur in the tokens, `places` the constant
    /// parameters and passive places that occur in it; each is bound to its user name around the
    /// tokens when they are emitted.
    Verbatim {
        tokens: Tokens,
        operands: Vec<(String, Val)>,
        places: Vec<(String, PlaceId)>,
    },
    // ---- transformed bodies only, from here on ----
    /// Zero tangent or adjoint.
    LaneZero,
    /// Lane times scalar: `lane * scale`.
    LaneScale {
        lane: Val,
        scale: Val,
        by: Scaling,
    },
    /// Partial derivative of an elementary function: name, argument number, operands. Operands are
    /// the arguments and then the result; those the rule does not read may be `None`.
    Partial(&'static str, usize, Vec<Option<Val>>),
    /// Value kept in the frame by [`Stmt::Record`].
    Reload(Slot),
    /// Number of trips of `lo..hi` or `lo..=hi`, as `usize`.
    Trips {
        lo: Val,
        hi: Val,
        inclusive: bool,
    },
    /// Induction variable of the trip with number `trip` of `lo..hi`, `lo..=hi` or one of them reversed.
    Induction {
        lo: Val,
        hi: Val,
        inclusive: bool,
        reversed: bool,
        trip: Val,
    },
    /// Adjoint of the result's leaf with this number.
    ResultSeed(usize),
    /// Sum of all elements of a lane array.
    LaneSum(Place),
}

/// How a lane is multiplied by a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// An ordinary product.
    Plain,
    /// A zero lane gives zero, whatever the scalar is.
    Strong,
    /// A zero scalar gives zero, whatever the lane is.
    Select,
}

/// How a local place begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Init {
    /// Declared without a value; written before it is read.
    None,
    Scalar(Val),
    /// `[v; N]`
    ArrayFill(Val),
    /// `vec![v; n]`
    VecFill(Val, Val),
    /// `[a, b, ..]` (or rows of a nested array, flattened in row-major order) or `vec![a, b, ..]`
    List(Vec<Val>),
    /// A copy of another place: `let b = a;` for arrays, `x.to_vec()`, `v.clone()`.
    CopyOf(Place),
    /// `P { a: x, .. }`: the fields that are written, and where the others come from.
    Struct {
        fields: Vec<(String, Part)>,
        base: Option<Place>,
    },
    /// `let w = v;` of a vector: the storage moves, and leaves an empty vector behind.
    MoveOf(PlaceId),
    /// The permutation that sorts these keys, stable: numbers of the elements from the first to the last.
    Sorted {
        keys: Place,
        by: Order,
        descending: bool,
    },
    /// Zero shadow of the shape of a primal place. Transformed bodies only.
    ZeroLike(Place),
    /// A vector of this many zeros: a shadow, or structs that are written right after.
    ZeroLen(Val),
    /// A vector of this many numbers with any content: each is written before it is read. Transformed bodies only.
    AnyLen(Val),
    /// Zeros of a fixed-size type: a shadow, or storage that is written right after.
    Zero,
}

/// How keys are compared when a sequence is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// `a.total_cmp(&b)` of floats.
    Total,
    /// `a.partial_cmp(&b).unwrap()` of floats.
    Partial,
    /// `a.cmp(&b)` of integers and bools.
    Int,
}

/// What a field of a new struct is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    Val(Val),
    /// A copy of a place.
    Place(Place),
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    Let(Val, Op),
    Load(Val, Place),
    Store(Place, Val),
    /// `place += v` (or `-=` when `negate`). Floats and lanes; integers too.
    Accumulate {
        place: Place,
        negate: bool,
        val: Val,
    },
    Declare(PlaceId, Init),
    /// A slice bound to a name.
    View {
        view: PlaceId,
        of: Place,
        mutable: bool,
    },
    /// Whole-array assignment `dst = src` (arrays by value, same type), or `copy_from_slice`.
    CopyPlace {
        dst: Place,
        src: Place,
    },
    Storage(Storage),
    Call(Call),
    If {
        cond: Val,
        then: Region,
        els: Region,
        /// Defined by the statement; each arm that ends normally yields as many.
        results: Vec<Val>,
    },
    For(For),
    While {
        label: Option<String>,
        /// Yields one bool. Pure but for declarations of its own.
        cond: Region,
        body: Region,
        /// Number of trips begun before this one, visible in `cond` and `body`. Transformed bodies only.
        trip: Option<Val>,
        /// Number of trips begun, defined after the loop. Transformed bodies only.
        trips: Option<Val>,
        frame: Frame,
    },
    /// `'label: { .. }`, left by `break 'label`; exits that name no loop pass through it. Not in
    /// structured bodies.
    Block {
        label: String,
        body: Region,
    },
    Effect(Effect),
    // ---- transformed bodies only, from here on ----
    /// Keep a value in the frame.
    Record(Slot, Val),
    Tape(Tape),
    First(First),
    /// `dst += src`, element by element, on lane arrays.
    AccumulatePlace {
        dst: Place,
        src: Place,
    },
    /// Set every element of a lane array to zero.
    Zero(Place),
    /// Anything the emitter writes out for a call in transformed code.
    TangentCall(TangentCall),
    AugmentedCall(AugmentedCall),
    ReverseCall(ReverseCall),
}

/// `for iv in lo..hi` and its kin.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    pub label: Option<String>,
    /// Induction variable, defined in the body.
    pub iv: Val,
    pub lo: Val,
    pub hi: Val,
    /// `lo..=hi`
    pub inclusive: bool,
    /// Downwards: `(lo..hi).rev()`.
    pub reversed: bool,
    pub body: Region,
    pub frame: Frame,
    /// It writes to rows that overlap those of the next trip of the loop around it. Transformed bodies only.
    pub overlapping: bool,
}

/// Statements, what they yield, and how the region is left.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Region {
    pub stmts: Vec<Stmt>,
    pub exit: Exit,
}

/// How a region is left.
#[derive(Clone, Debug, PartialEq)]
pub enum Exit {
    /// At its end, with the values that it yields.
    Yield(Vec<Val>),
    /// `break` out of the loop with this label, or the innermost one.
    Break(Option<String>),
    /// `continue`
    Continue(Option<String>),
    /// `return`, with the leaves of the result tree.
    Return(Vec<Leaf>),
}

impl Default for Exit {
    fn default() -> Self {
        Exit::Yield(Vec::new())
    }
}

/// Role of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Differentiated.
    Active,
    /// `#[constant]`, and every type without floats.
    Constant,
    /// `#[cache]`
    Cache,
    /// The one unmarked `&mut` parameter of a function that returns `()`.
    Output,
    /// A `&mut` parameter of a helper that is none of these.
    InOut,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    Value,
    Ref,
    Mut,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: String,
    pub span: Span,
    pub role: Role,
    pub mode: Mode,
    pub ty: Type,
    /// The place that stands for it, unless it is a scalar by value that is never assigned.
    pub place: Option<PlaceId>,
    /// The type as the user wrote it, without attributes.
    pub written: Tokens,
    /// What it has to do with an array of `ndarray`.
    pub array: Option<ArrayPart>,
}

/// Results with arrays in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returned {
    /// An array of this rank, which the function may fail to return.
    Array(usize),
    /// Several values: functions take them apart, operators do not return them.
    Parts,
}

/// A parameter that stands for an array of `ndarray`, for a vector of vectors, or for a part of one.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayPart {
    /// The elements in row-major order.
    Elements {
        rank: usize,
        /// It was a view by value.
        view: bool,
        /// Type of the elements as written.
        element: Tokens,
    },
    /// The length along an axis of the parameter with this number.
    Length { of: usize, axis: usize },
    /// The elements of a vector of vectors, row after row.
    Store,
    /// Where the rows of the parameter with this number begin, end, and have room to.
    Rows { of: usize },
}

impl Param {
    /// Its name for users: methods have `self` under a name of ours.
    pub fn shown(&self) -> &str {
        if self.name == crate::symbol::SELF {
            "self"
        } else {
            &self.name
        }
    }
}

/// How a function fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallible {
    /// It returns `None`.
    Option,
    /// It returns an error.
    Result,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Body {
    pub name: String,
    pub span: Span,
    /// Name of the float type: `f64` or `f32`.
    pub float: &'static str,
    pub params: Vec<Param>,
    /// Type of the result.
    pub ret: Tree<Type>,
    /// The result is a vector of vectors: the elements, and where the rows are.
    pub returns_rows: bool,
    /// The result is an `Option` or a `Result`: a bool, what it holds on success, and the error.
    pub fallible: Option<Fallible>,
    pub vals: Vec<ValInfo>,
    pub places: Vec<PlaceInfo>,
    /// The whole body; its exit is a [`Exit::Return`].
    pub region: Region,
    /// Zero adjoints and tangents win over poles: the function asks for it.
    pub strong_zeros: bool,
    /// Some passive code runs once in each sweep.
    pub has_cells: bool,
    /// Structs that may have vectors in them, and whether that is certain.
    pub lengths: Vec<(Tokens, bool)>,
    /// What passive code is put into, if the function is generic over the float.
    pub generic: Option<Box<GenericCode>>,
}

/// A generic function around passive code, so that names in it mean what they mean in the user's function.
#[derive(Clone, Debug)]
pub struct GenericCode {
    /// `T: Float, const N: usize`
    pub params: Tokens,
    /// `where ..`
    pub bounds: Tokens,
    /// `f64, N`
    pub arguments: Tokens,
    /// `T`
    pub float: Tokens,
    /// Types of the function's parameters, by name.
    pub written: Map<String, Tokens>,
    /// Methods of the float that are taken for those of its instance, with the first place of each.
    pub methods: Map<String, Span>,
}

impl Body {
    /// What is known of `v`.
    pub fn val(&self, v: Val) -> &ValInfo {
        &self.vals[v.0 as usize]
    }

    /// What is known of `p`.
    pub fn place(&self, p: PlaceId) -> &PlaceInfo {
        &self.places[p.0 as usize]
    }

    /// Whether a copy of one place to another is one of floats: of structs it is, but not of all fields.
    pub fn copies_floats(&self, dst: &Place, src: &Place) -> bool {
        let floats = |p| self.type_at(p).is_none_or(|t| t.has_floats());
        floats(dst) && floats(src)
    }

    /// Type of what a path leads to; `None` for struct fields of which no use tells.
    pub fn type_at(&self, place: &Place) -> Option<Type> {
        let mut ty = self.place(place.root).ty.clone();
        for step in &place.path {
            ty = match step {
                Proj::Index(_) => ty.element()?.clone(),
                Proj::Range(..) => Type::Slice(Box::new(ty.element()?.clone())),
                Proj::Field(_, field) if ty.is_lanes() => field.0.as_ref()?.lanes(),
                Proj::Field(_, field) => field.0.clone()?,
                Proj::Flat(_) => ty.leaf().clone(),
            };
        }
        Some(ty)
    }
}
