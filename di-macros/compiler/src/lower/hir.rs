//! The user's function with names resolved and types attached, still as nested expressions.
//! Made by `read`, used up by `build`; sugar that needs no types is gone already.

use super::ty::Ty;
use crate::ir::{BinOp, CmpOp, Lit, Tokens};
use crate::report::Extent;
use proc_macro2::Span;

/// A local variable or parameter. Two variables of one name are two of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Local(pub(crate) usize);

#[derive(Clone, Debug)]
pub(crate) struct LocalInfo {
    pub(crate) name: String,
    pub(crate) mutable: bool,
    pub(crate) ty: Ty,
    pub(crate) span: Span,
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
    Ref(bool, Box<Expr>),
    Tuple(Vec<Expr>),
    List(Vec<Expr>),
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
    For {
        label: Option<String>,
        pat: Pat,
        iter: Iter,
        body: Block,
    },
    Break(Option<String>, Option<Box<Expr>>),
    Continue(Option<String>),
    Return(Option<Box<Expr>>),
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`
    AssignOp(BinOp, Box<Expr>, Box<Expr>),
    Call {
        callee: Tokens,
        args: Vec<Expr>,
    },
    /// `dst.copy_from_slice(src)`
    CopyFrom(Box<Expr>, Box<Expr>),
    Fill(Box<Expr>, Box<Expr>),
    /// `place.swap(i, j)`
    Swap(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `std::mem::swap(&mut a, &mut b)`
    MemSwap(Box<Expr>, Box<Expr>),
    /// `x.split_at(k)`
    SplitAt(Box<Expr>, Box<Expr>),
    Reduce(Iter, Reduce),
    /// Something refused: an error has been noted.
    Refused,
}

/// Passive code that is carried along as it is written.
#[derive(Clone, Debug)]
pub(crate) struct Passive {
    pub(crate) tokens: Tokens,
    /// The variables that occur in it, by the names that they have in the tokens.
    pub(crate) locals: Vec<(String, Local)>,
    /// Written as `passive(..)`: active values may enter, no derivative comes out.
    pub(crate) explicit: bool,
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
    Let { pat: Pat, init: Option<Expr> },
    Expr(Expr),
}

#[derive(Clone, Debug)]
pub(crate) enum Pat {
    Wild,
    Bind(Local),
    Tuple(Vec<Pat>),
    /// `&pat`
    Ref(Box<Pat>),
    /// `[a, b, c]` against an array.
    List(Vec<Pat>),
}

/// An iterator that `for` and the reductions understand: everything with a length and an item
/// number `i`.
#[derive(Clone, Debug)]
pub(crate) enum Iter {
    Range {
        lo: Box<Expr>,
        hi: Box<Expr>,
        inclusive: bool,
    },
    /// Elements of an array, slice or vector, as references when `by` says so.
    Seq {
        base: Box<Expr>,
        by: By,
    },
    Zip(Box<Iter>, Box<Iter>),
    Enumerate(Box<Iter>),
    Rev(Box<Iter>),
    Take(Box<Iter>, Box<Expr>),
    Skip(Box<Iter>, Box<Expr>),
    StepBy(Box<Iter>, Box<Expr>),
    Copied(Box<Iter>),
    Map(Box<Iter>, Pat, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Value,
    Shared,
    Mut,
}

#[derive(Clone, Debug)]
pub(crate) enum Reduce {
    Sum,
    Product,
    /// `fold(init, |acc, item| body)`
    Fold {
        init: Box<Expr>,
        acc: Pat,
        item: Pat,
        body: Box<Expr>,
    },
}

/// A whole function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) body: Block,
    pub(crate) locals: Vec<LocalInfo>,
}
