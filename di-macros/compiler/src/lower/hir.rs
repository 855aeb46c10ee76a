//! The user's function with names resolved and types attached, still as nested expressions.
//! Made by `read`, used up by `build`; sugar that needs no types is gone already.

use super::ty::Ty;
pub(crate) use super::variant::Variant;
use super::vectors::Vectors;
use crate::ir::{BinOp, CmpOp, Lit, Schedule, Tokens};
use crate::report::Extent;
use crate::sorted::Map;
use proc_macro2::Span;

/// A local variable or parameter. Two variables of one name are two of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Local(pub(crate) usize);

/// A closure that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClosureId(pub(crate) usize);

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// `cmp`, `total_cmp`
    Total,
    /// `partial_cmp(..).unwrap()`
    Checked,
    /// `partial_cmp(..).unwrap_or(Ordering::Equal)`
    Lenient,
}

#[derive(Clone, Debug)]
pub(crate) struct LocalInfo {
    pub(crate) name: String,
    pub(crate) mutable: bool,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
    /// What a `move` closure has taken along: it lives as long as the closure.
    pub(crate) taken: bool,
    /// A parameter `&Vec<_>`, which is a slice to the compiler, or another name of one.
    pub(crate) owned: bool,
    /// Passive code with statements of its own, which runs once.
    pub(crate) once: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: Kind,
    pub(crate) ty: Ty,
    pub(crate) span: Extent,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Lit(Lit),
    Local(Local),
    Passive(Passive),
    /// Code on state that changes: it is run once, where it stands, and never by the reverse sweep.
    OnState(Passive),
    /// `passive(e)` of code that is understood: it is evaluated as usual, and has no derivative. With
    /// the path that is called.
    Cut(Tokens, Box<Expr>),
    Neg(Box<Expr>),
    Not(Box<Expr>),
    Deref(Box<Expr>),
    Bin(BinOp, Box<Expr>, Box<Expr>),
    Cmp(CmpOp, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Cast(Box<Expr>),
    /// A method of floats.
    Elementary(&'static str, Vec<Expr>),
    SinCos(Box<Expr>),
    /// `is_nan` and its kin.
    Classify(&'static str, Box<Expr>),
    /// A method that floats and integers share (`abs`, `max`, ..): all operands have one type.
    Shared(&'static str, Vec<Expr>),
    /// A method of integers.
    IntMethod(String, Vec<Expr>),
    Len(Box<Expr>),
    IsEmpty(Box<Expr>),
    Index(Box<Expr>, Box<Expr>),
    /// `base[lo..hi]`, either end may be open.
    Range {
        base: Box<Expr>,
        lo: Option<Box<Expr>>,
        hi: Option<Box<Expr>>,
        inclusive: bool,
    },
    Field(Box<Expr>, String),
    TupleField(Box<Expr>, usize),
    /// A struct whose method is called: how it is borrowed the method alone knows.
    Receiver(Box<Expr>),
    /// A tuple or an option as an argument of a function whose signature is known: each component goes to a
    /// parameter of its own, or all of it is a constant when true.
    Components(Box<Expr>, bool),
    Ref(bool, Box<Expr>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
    /// `P { a: x, ..base }`, also of tuple structs.
    Struct {
        fields: Vec<(String, Expr)>,
        base: Option<Box<Expr>>,
    },
    /// What stands in the fields of a derived enum that are those of other variants.
    Blank,
    Repeat(Box<Expr>, Tokens),
    VecFill(Box<Expr>, Box<Expr>),
    /// `to_vec`, `clone`: the type says what it makes.
    CopyOf(Box<Expr>),
    If {
        cond: Box<Expr>,
        then: Block,
        els: Option<Box<Expr>>,
    },
    Block(Block),
    While {
        label: Option<String>,
        cond: Box<Expr>,
        body: Block,
    },
    /// `broken`: some `break` leaves it.
    Loop {
        label: Option<String>,
        body: Block,
        broken: bool,
    },
    /// `broken`: some `break` leaves it.
    For {
        label: Option<String>,
        pat: Pat,
        iter: Iter,
        body: Block,
        broken: bool,
    },
    /// `'a: { .. }`; `broken`: some `break` leaves it.
    Labelled {
        label: String,
        body: Block,
        broken: bool,
    },
    Match(Box<Expr>, Vec<Arm>),
    /// `let pat = e` in a condition: whether it matches.
    Let(Pat, Box<Expr>),
    /// `Some(e)`, `None`, `Ok(e)`, `Err(e)`
    Variant(Variant, Option<Box<Expr>>),
    /// `x.get(i)`: whether there is such an element, and the reference to it, which is only valid then.
    Checked(Box<Expr>, Box<Expr>),
    /// `n.checked_sub(k)` and its kin.
    CheckedInt(String, Vec<Expr>),
    Effect(Effect),
    /// A loop, or a statement, whose trips are not recorded.
    Checkpoint(Schedule, Box<Expr>),
    Break(Option<String>, Option<Box<Expr>>),
    Continue(Option<String>),
    Return(Option<Box<Expr>>),
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`
    AssignOp(BinOp, Box<Expr>, Box<Expr>),
    Call {
        callee: Tokens,
        /// Generic arguments, if they are written: `<3>`; of a method with lengths the type that its code is in.
        instance: Option<Tokens>,
        args: Vec<Expr>,
        /// Which of them go to parameters that are known to be constants.
        constants: Vec<bool>,
    },
    /// `dst.copy_from_slice(src)`
    CopyFrom(Box<Expr>, Box<Expr>),
    Fill(Box<Expr>, Box<Expr>),
    /// `place.swap(i, j)`
    Swap(Box<Expr>, Box<Expr>, Box<Expr>),
    /// A method of sequences, or a function of `std::mem`, on its receiver and arguments.
    Seq(SeqOp, Vec<Expr>),
    Reduce(Iter, Reduce),
    /// An item of a chain, with what stands for it if there is none.
    Pick(Iter, Box<Pick>, Otherwise),
    /// A call of a closure by its name.
    CallClosure(ClosureId, Vec<Expr>),
    /// An iterator by its name: see [`Step::Chain`]. `again`: the name may be used again.
    Chain {
        id: ClosureId,
        again: bool,
    },
    /// `a.total_cmp(&b)` and its kin, as -1, 0 or 1.
    Order(Comparison, Box<Expr>, Box<Expr>),
    /// Something refused: an error has been noted.
    Refused,
}

/// What `build` writes out with loops, views and storage.
#[derive(Clone, Debug)]
pub(crate) enum SeqOp {
    /// `Vec::new()`, `Vec::with_capacity(n)`
    New,
    /// `v.push(x)`
    Push,
    /// `v.pop().unwrap()`
    Pop,
    /// `v.pop();`
    Drop,
    /// `v.resize(n, x)`
    Resize,
    /// `v.truncate(n)`
    Truncate,
    /// `v.clear()`
    Clear,
    /// `v.insert(i, x)`
    Insert,
    /// `v.remove(i)`
    Remove,
    /// `v.swap_remove(i)`
    SwapRemove,
    /// `v.extend_from_slice(x)`
    Extend,
    /// `v.append(&mut w)`
    Append,
    /// `v.split_off(i)`
    SplitOff,
    /// `v.reserve(n)` and what else does nothing that can be seen: the arguments are evaluated.
    Nothing,
    /// `x.reverse()`
    Reverse,
    /// `x.rotate_left(k)`
    RotateLeft,
    /// `x.rotate_right(k)`
    RotateRight,
    /// `x.copy_within(a..b, k)`: `x[a..b]` and `k`.
    CopyWithin,
    /// `x.swap_with_slice(y)`
    SwapWith,
    /// `x.split_at(k)`, `x.split_at_mut(k)`
    SplitAt,
    /// `x.split_first().unwrap()` and its `mut`
    SplitFirst,
    /// `x.split_last().unwrap()` and its `mut`
    SplitLast,
    /// `x.first().unwrap()` and its `mut`
    First,
    /// `x.last().unwrap()` and its `mut`
    Last,
    /// `x.first_chunk::<N>().unwrap()`
    FirstChunk(Tokens),
    /// `x.last_chunk::<N>().unwrap()`
    LastChunk(Tokens),
    /// `x[a..b].try_into().unwrap()`
    Fixed,
    /// `std::mem::swap(&mut a, &mut b)`
    MemSwap,
    /// `std::mem::replace(&mut a, b)`
    Replace,
    /// `std::mem::take(&mut a)`
    Take,
    /// `x.sort_by(|a, b| ..)`: the key of an element, bound to the pattern.
    Sort {
        by: SortBy,
        descending: bool,
        element: Pat,
    },
    /// `x.sort_by(|a, b| ..)`: any comparison of two elements, as -1, 0 or 1.
    SortBy(Lambda),
    /// `x.select_nth_unstable(k)` and its kin: sorts, and returns what is left of `x[k]`, `x[k]`, and what
    /// is right of it. The last argument is `k`.
    Select(Box<SeqOp>),
}

impl SeqOp {
    /// Whether it writes to one of its arguments.
    pub(crate) fn writes(&self) -> bool {
        !matches!(
            self,
            SeqOp::New
                | SeqOp::SplitAt
                | SeqOp::SplitFirst
                | SeqOp::SplitLast
                | SeqOp::First
                | SeqOp::Last
                | SeqOp::FirstChunk(_)
                | SeqOp::LastChunk(_)
                | SeqOp::Fixed
        )
    }
}

/// How keys are compared when a sequence is sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SortBy {
    /// `a.total_cmp(&b)`
    Total,
    /// `a.partial_cmp(&b).unwrap()`
    Partial,
    /// `a.cmp(&b)` of integers
    Int,
}

/// Passive code that is carried along as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Passive {
    pub(crate) tokens: Tokens,
    /// The variables that occur in it, by the names that they have in the tokens.
    pub(crate) locals: Vec<(String, Local)>,
    /// Written as `passive(..)`: active values may enter, no derivative comes out.
    pub(crate) explicit: bool,
    /// A derived struct, or a sequence of such, as an argument: the callee may differentiate it.
    pub(crate) lifted: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) stmts: Vec<Step>,
    /// Value of the block.
    pub(crate) value: Option<Box<Expr>>,
    pub(crate) ty: Ty,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Let {
        pat: Pat,
        init: Option<Expr>,
    },
    /// `let name = |..| ..;`
    Closure(ClosureId),
    /// `let name = x.iter().map(..);`: kept as a closure that counts the items, and is never called.
    Chain(ClosureId),
    /// `let pat = init else { .. };`
    LetElse {
        pat: Pat,
        init: Expr,
        els: Block,
    },
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub(crate) enum Pat {
    Wild,
    Bind(Local),
    Tuple(Vec<Pat>),
    /// `&pat`
    Ref(Box<Pat>),
    /// `[a, b, c]`, `[first, .., last]`, `[first, rest @ ..]`
    List {
        head: Vec<Pat>,
        /// There is a `..`, and what it is bound to.
        rest: Option<Option<Local>>,
        tail: Vec<Pat>,
    },
    /// `x @ pat`
    At(Local, Box<Pat>),
    Variant(Variant, Box<Pat>),
    /// A literal or a constant.
    Value(Box<Expr>),
    Range {
        lo: Option<Box<Expr>>,
        hi: Option<Box<Expr>>,
        inclusive: bool,
    },
    /// Alternatives, and the variables that each of them binds.
    Or(Vec<Pat>, Vec<Local>),
    /// A pattern for passive code of a foreign type.
    Foreign(Foreign),
    /// `P { a, b: c, .. }`: the fields that are named, with their types.
    Struct(Vec<(String, Ty, Pat)>),
}

#[derive(Clone, Debug)]
pub(crate) struct Foreign {
    pub(crate) tokens: Tokens,
    /// The type of what it is compared with.
    pub(crate) of: Ty,
    /// The variables that it binds, by name.
    pub(crate) binds: Vec<(String, Local)>,
}

/// An arm of a `match`.
#[derive(Clone, Debug)]
pub(crate) struct Arm {
    pub(crate) pat: Pat,
    pub(crate) guard: Option<Expr>,
    pub(crate) body: Expr,
}

/// A macro that is run for its effect, with arguments that are evaluated here.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// The call of the macro; arguments go by the names below.
    pub(crate) tokens: Tokens,
    pub(crate) args: Vec<(String, Expr)>,
    /// It panics.
    pub(crate) diverges: bool,
}

/// An iterator, as a chain from its source. `build` makes loops of it.
#[derive(Clone, Debug)]
pub(crate) enum Iter {
    /// `lo..hi`; without an end it never stops.
    Range {
        lo: Box<Expr>,
        hi: Option<Box<Expr>>,
        inclusive: bool,
    },
    /// Elements of an array, slice or vector, as references when `by` says so.
    Seq {
        base: Box<Expr>,
        by: By,
    },
    /// Stretches of an array, slice or vector.
    Parts {
        base: Box<Expr>,
        size: Box<Expr>,
        how: Parts,
    },
    /// One value over and over; without a count it never stops.
    Repeat {
        value: Box<Expr>,
        count: Option<Box<Expr>>,
    },
    /// `{ steps; iterator }`
    After(Vec<Step>, Box<Iter>),
    /// An iterator that has a name: a [`Kind::Chain`].
    Named(Box<Expr>),
    Zip(Box<Iter>, Box<Iter>),
    Chain(Box<Iter>, Box<Iter>),
    Enumerate(Box<Iter>),
    Rev(Box<Iter>, Extent),
    /// `cycle`: again from the start after the last item.
    Cycle(Box<Iter>, Extent),
    Take(Box<Iter>, Box<Expr>),
    Skip(Box<Iter>, Box<Expr>),
    StepBy(Box<Iter>, Box<Expr>),
    Copied(Box<Iter>),
    Map(Box<Iter>, Lambda),
    Inspect(Box<Iter>, Lambda),
    /// `filter`, `take_while`, `skip_while`
    Test {
        iter: Box<Iter>,
        test: Lambda,
        how: Test,
    },
    /// `filter_map`, `map_while`, `scan`: a closure that returns an `Option`.
    Optional {
        iter: Box<Iter>,
        /// Variables from this number on are the closure's own.
        outside: usize,
        captures: Captures,
        pats: Vec<Pat>,
        branch: Box<Branch>,
        /// `None` ends the iterator.
        stops: bool,
        /// What `scan` starts from, and its type.
        state: Option<(Box<Expr>, Ty)>,
    },
    /// `flat_map(|pat| inner)`
    FlatMap {
        iter: Box<Iter>,
        /// Variables from this number on are the closure's own.
        outside: usize,
        captures: Captures,
        pat: Pat,
        inner: Box<Iter>,
    },
    /// `flatten`: the items are sequences themselves.
    Flatten {
        iter: Box<Iter>,
        by: By,
        elem: Ty,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Value,
    Shared,
    Mut,
}

/// `chunks`, `chunks_exact`, `rchunks`, `windows` and their mutable kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parts {
    Chunks,
    Exact,
    FromEnd,
    Windows,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Test {
    Filter,
    TakeWhile,
    SkipWhile,
}

/// What `move` takes along, and under which name the closure has it. Set where the closure is made.
pub(crate) type Captures = Vec<(Expr, Local)>;

/// A closure that is inlined.
#[derive(Clone, Debug)]
pub(crate) struct Lambda {
    pub(crate) pats: Vec<Pat>,
    pub(crate) body: Box<Expr>,
    /// Variables from this number on are its own.
    pub(crate) outside: usize,
    pub(crate) captures: Captures,
}

/// A closure with a name.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub(crate) lambda: Lambda,
    pub(crate) params: Vec<Ty>,
}

/// The body of a closure that returns an `Option`.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) steps: Vec<Step>,
    pub(crate) tail: Tail,
}

#[derive(Clone, Debug)]
pub(crate) enum Tail {
    Some(Box<Expr>),
    None,
    If {
        cond: Box<Expr>,
        then: Box<Branch>,
        els: Box<Branch>,
    },
}

/// What ends a chain.
#[derive(Clone, Debug)]
pub(crate) enum Reduce {
    Sum,
    Product,
    /// `fold(init, |acc, item| body)`
    Fold {
        init: Box<Expr>,
        step: Lambda,
    },
    Count,
    ForEach(Lambda),
    /// `any` when true, else `all`.
    Any(bool, Lambda),
    /// Into a vector of these elements.
    Collect,
    /// Into a tuple of vectors.
    Unzip,
}

/// What takes one item out of a chain, or none.
#[derive(Clone, Debug)]
pub(crate) enum Pick {
    Nth(Option<Box<Expr>>),
    Last,
    Find(Lambda),
    Position(Lambda),
    /// The same from the end: `rposition`.
    LastPosition(Lambda),
    /// `max`, `min` and their kin; `greatest` for `max`.
    Best {
        greatest: bool,
        by: Order,
    },
    /// `reduce(|acc, item| body)`
    Reduce(Lambda),
}

/// How items are compared.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    Natural,
    By(Lambda),
    Key(Lambda),
}

/// What stands for the item that is not there.
#[derive(Clone, Debug)]
pub(crate) enum Otherwise {
    Panic,
    Value(Box<Expr>),
    /// `None`: the item is in `Some`.
    Option,
}

/// A whole function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) body: Block,
    pub(crate) locals: Vec<LocalInfo>,
    pub(crate) closures: Vec<Closure>,
    /// Methods of the float, if it is a type parameter.
    pub(crate) methods: Map<String, Span>,
    pub(crate) vectors: Vectors,
    /// Names of its constant parameters.
    pub(crate) lengths: Vec<String>,
}
