//! Text form of the IR: stable and readable, for snapshots, dumps and messages of the verifier.
//!
//! Values are `%0`, places `@0`, each with the user's name behind it where there is one.

use super::{
    Arg, AugmentedCall, BinOp, Body, Call, CmpOp, Exit, For, Frame, FrameMode, Init, Leaf, Lit,
    Mode, Op, Place, PlaceId, Proj, Region, ReverseCall, Role, Scaling, Slot, Stmt, TangentCall,
    Tokens, Tree, Type, Val,
};
use std::fmt::Write;

/// The whole body.
pub fn body(body: &Body) -> String {
    let mut p = Printer {
        body,
        out: String::new(),
        depth: 0,
    };
    p.header();
    p.depth = 1;
    p.region(&body.region);
    p.out.push_str("}\n");
    p.out
}

/// One statement, without its nested regions, on one line.
pub fn stmt_line(body: &Body, stmt: &Stmt) -> String {
    let mut p = Printer {
        body,
        out: String::new(),
        depth: 0,
    };
    p.stmt(stmt);
    p.out.lines().next().unwrap_or_default().to_owned()
}

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
    }
}

struct Printer<'a> {
    body: &'a Body,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn header(&mut self) {
        let params: Vec<String> = self
            .body
            .params
            .iter()
            .map(|p| {
                let mode = match p.mode {
                    Mode::Value => "",
                    Mode::Ref => "&",
                    Mode::Mut => "&mut ",
                };
                let role = match p.role {
                    Role::Active => "active",
                    Role::Constant => "constant",
                    Role::Cache => "cache",
                    Role::Output => "output",
                    Role::InOut => "inout",
                };
                let place = p
                    .place
                    .map(|id| format!(" {}", self.place_id(id)))
                    .unwrap_or_default();
                format!("{role} {}{place}: {mode}{}", p.name, p.ty)
            })
            .collect();
        let ret = self.tree(&self.body.ret, &|t| t.to_string());
        let _ = writeln!(
            self.out,
            "fn {}({}) -> {ret} {{",
            self.body.name,
            params.join(", ")
        );
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn region(&mut self, region: &Region) {
        for stmt in &region.stmts {
            self.stmt(stmt);
        }
        match &region.exit {
            Exit::Yield(vals) if vals.is_empty() => {}
            Exit::Yield(vals) => self.line(&format!("yield {}", self.vals(vals))),
            Exit::Break(label) => self.line(&format!("break{}", label_suffix(label))),
            Exit::Continue(label) => self.line(&format!("continue{}", label_suffix(label))),
            Exit::Return(leaves) => {
                let leaves: Vec<String> = leaves.iter().map(|l| self.leaf(l)).collect();
                self.line(format!("return {}", leaves.join(", ")).trim_end());
            }
        }
    }

    fn nested(&mut self, region: &Region) {
        self.depth += 1;
        self.region(region);
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, op) => self.line(&format!("{} = {}", self.def(*v), self.op(op))),
            Stmt::Load(v, place) => {
                self.line(&format!("{} = load {}", self.def(*v), self.place(place)))
            }
            Stmt::Store(place, v) => {
                self.line(&format!("store {} = {}", self.place(place), self.val(*v)))
            }
            Stmt::Accumulate { place, negate, val } => {
                let sign = if *negate { "-=" } else { "+=" };
                self.line(&format!(
                    "acc {} {sign} {}",
                    self.place(place),
                    self.val(*val)
                ));
            }
            Stmt::Declare(id, init) => {
                let info = self.body.place(*id);
                self.line(&format!(
                    "declare {}: {} = {}",
                    self.place_id(*id),
                    info.ty,
                    self.init(init)
                ));
            }
            Stmt::View { view, of, mutable } => {
                let kind = if *mutable { "&mut " } else { "&" };
                self.line(&format!(
                    "view {} = {kind}{}",
                    self.place_id(*view),
                    self.place(of)
                ));
            }
            Stmt::CopyPlace { dst, src } => {
                self.line(&format!("copy {} = {}", self.place(dst), self.place(src)))
            }
            Stmt::Call(call) => self.line(&self.call("call", call)),
            Stmt::If {
                cond,
                then,
                els,
                results,
            } => {
                let defs: Vec<String> = results.iter().map(|v| self.def(*v)).collect();
                let lhs = if defs.is_empty() {
                    String::new()
                } else {
                    format!("{} = ", defs.join(", "))
                };
                self.line(&format!("{lhs}if {} {{", self.val(*cond)));
                self.nested(then);
                if !els.stmts.is_empty() || els.exit != Exit::default() {
                    self.line("} else {");
                    self.nested(els);
                }
                self.line("}");
            }
            Stmt::For(For {
                label,
                iv,
                lo,
                hi,
                inclusive,
                reversed,
                body,
                frame,
            }) => {
                let range = self.range(*lo, *hi, *inclusive, *reversed);
                let label = label
                    .as_ref()
                    .map(|l| format!("'{l}: "))
                    .unwrap_or_default();
                self.line(&format!(
                    "{label}for {} in {range}{} {{",
                    self.def(*iv),
                    frame_suffix(frame)
                ));
                self.nested(body);
                self.line("}");
            }
            Stmt::While {
                label,
                cond,
                body,
                trip,
                trips,
                frame,
            } => {
                let label = label
                    .as_ref()
                    .map(|l| format!("'{l}: "))
                    .unwrap_or_default();
                let trip = trip
                    .map(|v| format!(" trip {}", self.def(v)))
                    .unwrap_or_default();
                let trips = trips
                    .map(|v| format!("{} = ", self.def(v)))
                    .unwrap_or_default();
                self.line(&format!("{trips}{label}while{trip} {{"));
                self.nested(cond);
                self.line(&format!("}} do{} {{", frame_suffix(frame)));
                self.nested(body);
                self.line("}");
            }
            Stmt::Record(slot, v) => {
                self.line(&format!("record {} = {}", slot_name(*slot), self.val(*v)))
            }
            Stmt::AccumulatePlace { dst, src } => {
                self.line(&format!("acc {} += {}", self.place(dst), self.place(src)));
            }
            Stmt::Zero(place) => self.line(&format!("zero {}", self.place(place))),
            Stmt::TangentCall(TangentCall {
                call,
                tangents,
                result,
            }) => {
                let tangents: Vec<String> = tangents.iter().map(|t| self.opt_arg(t)).collect();
                let result = self.tree(result, &|l| {
                    l.as_ref().map_or("-".to_owned(), |l| self.leaf(l))
                });
                self.line(&format!(
                    "{} tangents ({}) -> {result}",
                    self.call("tangent", call),
                    tangents.join(", ")
                ));
            }
            Stmt::AugmentedCall(AugmentedCall { call, record, keep }) => {
                self.line(&format!(
                    "{} record {record} keep {keep:?}",
                    self.call("augmented", call)
                ));
            }
            Stmt::ReverseCall(ReverseCall {
                call,
                args,
                adjoints,
                result,
                record,
                keep,
            }) => {
                let args: Vec<String> = args.iter().map(|a| self.opt_arg(a)).collect();
                let adjoints: Vec<String> = adjoints.iter().map(|a| self.opt_arg(a)).collect();
                let result = self.tree(result, &|l| {
                    l.as_ref().map_or("-".to_owned(), |l| self.leaf(l))
                });
                self.line(&format!(
                    "reverse {}({}) adjoints ({}) result {result} record {record} keep {keep:?}",
                    call.callee.0,
                    args.join(", "),
                    adjoints.join(", ")
                ));
            }
        }
    }

    fn call(&self, word: &str, call: &Call) -> String {
        let args: Vec<String> = call.args.iter().map(|a| self.arg(a)).collect();
        let result = self.tree(&call.result, &|l| match l {
            Leaf::Val(v) => self.def(*v),
            Leaf::Place(p) => format!("{}: {}", self.place_id(*p), self.body.place(*p).ty),
        });
        format!("{result} = {word} {}({})", call.callee.0, args.join(", "))
    }

    fn opt_arg(&self, arg: &Option<Arg>) -> String {
        arg.as_ref().map_or("-".to_owned(), |a| self.arg(a))
    }

    fn arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Value(v) => self.val(*v),
            Arg::Place(p) => self.place(p),
            Arg::Ref(p) => format!("&{}", self.place(p)),
            Arg::Mut(p) => format!("&mut {}", self.place(p)),
            Arg::Verbatim {
                tokens,
                operands,
                places,
            } => self.verbatim(tokens, operands, places),
        }
    }

    fn op(&self, op: &Op) -> String {
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

    fn range(&self, lo: Val, hi: Val, inclusive: bool, reversed: bool) -> String {
        let dots = if inclusive { "..=" } else { ".." };
        let range = format!("{}{dots}{}", self.val(lo), self.val(hi));
        if reversed {
            format!("({range}).rev()")
        } else {
            range
        }
    }

    fn verbatim(
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

    fn init(&self, init: &Init) -> String {
        match init {
            Init::None => "none".to_owned(),
            Init::Scalar(v) => self.val(*v),
            Init::ArrayFill(v) => format!("fill {}", self.val(*v)),
            Init::VecFill(v, n) => format!("fill {} times {}", self.val(*v), self.val(*n)),
            Init::List(vals) => format!("list {}", self.vals(vals)),
            Init::CopyOf(place) => format!("copy of {}", self.place(place)),
            Init::MoveOf(id) => format!("move of {}", self.place_id(*id)),
            Init::ZeroLike(place) => format!("zero like {}", self.place(place)),
            Init::ZeroLen(n) => format!("zero times {}", self.val(*n)),
            Init::Zero => "zero".to_owned(),
        }
    }

    fn place(&self, place: &Place) -> String {
        let mut text = self.place_id(place.root);
        for step in &place.path {
            match step {
                Proj::Index(i) => {
                    let _ = write!(text, "[{}]", self.val(*i));
                }
                Proj::Range(lo, hi) => {
                    let _ = write!(text, "[{}..{}]", self.val(*lo), self.val(*hi));
                }
                Proj::Field(name) => {
                    let _ = write!(text, ".{name}");
                }
                Proj::Flat(i) => {
                    let _ = write!(text, "[flat {}]", self.val(*i));
                }
            }
        }
        text
    }

    fn place_id(&self, id: PlaceId) -> String {
        let Some(info) = self.body.places.get(id.0 as usize) else {
            return format!("@{}?", id.0);
        };
        format!("@{}{}", id.0, hint(&info.hint))
    }

    fn leaf(&self, leaf: &Leaf) -> String {
        match leaf {
            Leaf::Val(v) => self.val(*v),
            Leaf::Place(p) => self.place_id(*p),
        }
    }

    fn tree<T>(&self, tree: &Tree<T>, leaf: &dyn Fn(&T) -> String) -> String {
        match tree {
            Tree::Leaf(t) => leaf(t),
            Tree::Tuple(ts) => {
                let ts: Vec<String> = ts.iter().map(|t| self.tree(t, leaf)).collect();
                format!("({})", ts.join(", "))
            }
        }
    }

    fn def(&self, v: Val) -> String {
        match self.body.vals.get(v.0 as usize) {
            Some(info) => format!("{}: {}", self.val(v), info.ty),
            None => self.val(v),
        }
    }

    fn val(&self, v: Val) -> String {
        match self.body.vals.get(v.0 as usize) {
            Some(info) => format!("%{}{}", v.0, hint(info.hint.as_deref().unwrap_or_default())),
            None => format!("%{}?", v.0),
        }
    }

    fn vals(&self, vals: &[Val]) -> String {
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
        format!(".{name}")
    }
}

fn label_suffix(label: &Option<String>) -> String {
    label.as_ref().map(|l| format!(" '{l}")).unwrap_or_default()
}

fn slot_name(slot: Slot) -> String {
    match slot {
        Slot::Word(n) => format!("word {n}"),
        Slot::Int(n) => format!("int {n}"),
    }
}

fn frame_suffix(frame: &Frame) -> String {
    let mode = match frame.mode {
        FrameMode::None => return String::new(),
        FrameMode::Lanes => "lanes",
        FrameMode::Records => "records",
        FrameMode::Pushed => "pushed",
    };
    let callees: Vec<String> = frame.callees.iter().map(|c| c.0.to_string()).collect();
    format!(
        " frame {mode} words {} ints {} callees [{}]",
        frame.words,
        frame.ints,
        callees.join(", ")
    )
}
