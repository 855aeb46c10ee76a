//! Types, operations, places and names in text form.

use super::Printer;
use crate::ir::{
    BinOp, CmpOp, Init, Leaf, Lit, Op, Part, Place, PlaceId, Proj, Scaling, Slot, Tokens, Tree,
    Type, Val,
};
use std::fmt::Write;

impl std::fmt::Display for Type {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Type::Float => f.write_str("float"),
            Type::Lane => f.write_str("lane"),
            Type::Int(name) => f.write_str(name),
            Type::Bool => f.write_str("bool"),
            Type::Array(t, n) => write!(f, "[{t}; {}]", n.0),
            Type::Slice(t) => write!(f, "[{t}]"),
            Type::Vec(t) => write!(f, "Vec<{t}>"),
            Type::Struct(path) => write!(f, "struct {}", path.0),
            Type::Lanes(path) => write!(f, "lanes of {}", path.0),
            Type::Opaque(path) => write!(f, "opaque {}", path.0),
        }
    }
}

/// Spelling of a binary operator.
pub fn bin_op(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::Div => "/",
        BinOp::Rem => "%",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
    }
}

/// Spelling of a comparison.
pub fn cmp_op(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Lt => "<",
        CmpOp::Le => "<=",
        CmpOp::Gt => ">",
        CmpOp::Ge => ">=",
        CmpOp::Eq => "==",
        CmpOp::Ne => "!=",
        CmpOp::TotalLt => "<<",
    }
}

impl Printer<'_> {
    pub(super) fn op(&self, op: &Op) -> String {
        match op {
            Op::Lit(Lit::Float(c)) => format!("{c:?}"),
            Op::Lit(Lit::Int(c)) => c.to_string(),
            Op::Lit(Lit::Bool(c)) => c.to_string(),
            Op::Copy(v) => format!("copy {}", self.val(*v)),
            Op::Param(n) => format!("param {n}"),
            Op::Neg(v) => format!("-{}", self.val(*v)),
            Op::Not(v) => format!("!{}", self.val(*v)),
            Op::Bin(op, a, b) => format!("{} {} {}", self.val(*a), bin_op(*op), self.val(*b)),
            Op::Cmp(op, a, b) => format!("{} {} {}", self.val(*a), cmp_op(*op), self.val(*b)),
            Op::Elementary(name, args) => format!("{name}({})", self.vals(args)),
            Op::Cast(v) => format!("cast {}", self.val(*v)),
            Op::Len(place) => format!("len {}", self.place(place)),
            Op::Verbatim {
                tokens,
                operands,
                places,
            } => self.verbatim(tokens, operands, places),
            Op::LaneZero => "lane zero".to_owned(),
            Op::LaneScale { lane, scale, by } => {
                let star = match by {
                    Scaling::Plain => "*",
                    Scaling::Strong => "*!",
                    Scaling::Select => "*?",
                };
                format!("lane {} {star} {}", self.val(*lane), self.val(*scale))
            }
            Op::Partial(name, k, operands) => {
                let operands: Vec<String> = operands
                    .iter()
                    .map(|v| v.map_or("-".to_owned(), |v| self.val(v)))
                    .collect();
                format!("partial {name}.{k}({})", operands.join(", "))
            }
            Op::Reload(slot) => format!("reload {}", slot_name(*slot)),
            Op::Trips { lo, hi, inclusive } => {
                format!("trips {}", self.range(*lo, *hi, *inclusive, false))
            }
            Op::Induction {
                lo,
                hi,
                inclusive,
                reversed,
                trip,
            } => {
                format!(
                    "item {} of {}",
                    self.val(*trip),
                    self.range(*lo, *hi, *inclusive, *reversed)
                )
            }
            Op::ResultSeed(n) => format!("seed of result {n}"),
            Op::LaneSum(place) => format!("sum of {}", self.place(place)),
        }
    }

    pub(super) fn range(&self, lo: Val, hi: Val, inclusive: bool, reversed: bool) -> String {
        let dots = if inclusive { "..=" } else { ".." };
        let range = format!("{}{dots}{}", self.val(lo), self.val(hi));
        if reversed {
            format!("({range}).rev()")
        } else {
            range
        }
    }

    pub(super) fn verbatim(
        &self,
        tokens: &Tokens,
        operands: &[(String, Val)],
        places: &[(String, PlaceId)],
    ) -> String {
        let mut with: Vec<String> = operands
            .iter()
            .map(|(n, v)| format!("{n} = {}", self.val(*v)))
            .collect();
        with.extend(
            places
                .iter()
                .map(|(n, p)| format!("{n} = {}", self.place_id(*p))),
        );
        let with = if with.is_empty() {
            String::new()
        } else {
            format!(" with {}", with.join(", "))
        };
        format!("verbatim `{}`{with}", tokens.0)
    }

    pub(super) fn init(&self, init: &Init) -> String {
        match init {
            Init::None => "none".to_owned(),
            Init::Scalar(v) => self.val(*v),
            Init::ArrayFill(v) => format!("fill {}", self.val(*v)),
            Init::VecFill(v, n) => format!("fill {} times {}", self.val(*v), self.val(*n)),
            Init::List(vals) => format!("list {}", self.vals(vals)),
            Init::CopyOf(place) => format!("copy of {}", self.place(place)),
            Init::Sorted {
                keys,
                by,
                descending,
            } => {
                let down = if *descending { " down" } else { "" };
                format!("order of {} by {by:?}{down}", self.place(keys))
            }
            Init::Struct { fields, base } => {
                let mut parts: Vec<String> = fields
                    .iter()
                    .map(|(name, part)| match part {
                        Part::Val(v) => format!("{name}: {}", self.val(*v)),
                        Part::Place(p) => format!("{name}: {}", self.place(p)),
                    })
                    .collect();
                parts.extend(base.iter().map(|p| format!("..{}", self.place(p))));
                format!("struct {}", parts.join(", "))
            }
            Init::MoveOf(id) => format!("move of {}", self.place_id(*id)),
            Init::ZeroLike(place) => format!("zero like {}", self.place(place)),
            Init::ZeroLen(n) => format!("zero times {}", self.val(*n)),
            Init::AnyLen(n) => format!("any times {}", self.val(*n)),
            Init::Zero => "zero".to_owned(),
        }
    }

    pub(super) fn place(&self, place: &Place) -> String {
        let mut text = self.place_id(place.root);
        for step in &place.path {
            match step {
                Proj::Index(i) => {
                    let _ = write!(text, "[{}]", self.val(*i));
                }
                Proj::Range(lo, hi) => {
                    let _ = write!(text, "[{}..{}]", self.val(*lo), self.val(*hi));
                }
                Proj::Field(name, _) => {
                    let _ = write!(text, ".{name}");
                }
                Proj::Flat(i) => {
                    let _ = write!(text, "[flat {}]", self.val(*i));
                }
            }
        }
        text
    }

    pub(super) fn place_id(&self, id: PlaceId) -> String {
        let Some(info) = self.body.places.get(id.0 as usize) else {
            return format!("@{}?", id.0);
        };
        format!("@{}{}", id.0, hint(&info.hint))
    }

    pub(super) fn leaf(&self, leaf: &Leaf) -> String {
        match leaf {
            Leaf::Val(v) => self.val(*v),
            Leaf::Place(p) => self.place_id(*p),
        }
    }

    pub(super) fn tree<T>(&self, tree: &Tree<T>, leaf: &dyn Fn(&T) -> String) -> String {
        match tree {
            Tree::Leaf(t) => leaf(t),
            Tree::Tuple(ts) => {
                let ts: Vec<String> = ts.iter().map(|t| self.tree(t, leaf)).collect();
                format!("({})", ts.join(", "))
            }
        }
    }

    pub(super) fn def(&self, v: Val) -> String {
        match self.body.vals.get(v.0 as usize) {
            Some(info) => format!("{}: {}", self.val(v), info.ty),
            None => self.val(v),
        }
    }

    pub(super) fn val(&self, v: Val) -> String {
        match self.body.vals.get(v.0 as usize) {
            Some(info) => format!("%{}{}", v.0, hint(info.hint.as_deref().unwrap_or_default())),
            None => format!("%{}?", v.0),
        }
    }

    pub(super) fn vals(&self, vals: &[Val]) -> String {
        vals.iter()
            .map(|v| self.val(*v))
            .collect::<Vec<_>>()
            .join(", ")
    }
}

fn hint(name: &str) -> String {
    if name.is_empty() {
        String::new()
    } else {
        format!(".{}", name.trim_start_matches('#'))
    }
}

pub(super) fn slot_name(slot: Slot) -> String {
    match slot {
        Slot::Word(n) => format!("word {n}"),
        Slot::Int(n) => format!("int {n}"),
    }
}
