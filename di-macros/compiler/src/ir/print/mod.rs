//! Text form of the IR: stable and readable, for snapshots, dumps and messages of the verifier.
//!
//! Values are `%0`, places `@0`, each with the user's name behind it where there is one.

mod op;

use super::{
    Arg, Asked, AugmentedCall, Body, Call, Exit, First, For, Frame, FrameMode, Gives, Leaf, Mode,
    Region, ReverseCall, Role, Stmt, Storage, TangentCall, Tape,
};
use op::slot_name;
use std::fmt::Write;

pub use op::{bin_op, cmp_op};

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
            Stmt::Storage(s) => self.line(&self.storage(s)),
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
                overlapping,
            }) => {
                let range = self.range(*lo, *hi, *inclusive, *reversed);
                let overlapping = if *overlapping { " overlapping" } else { "" };
                let label = label
                    .as_ref()
                    .map(|l| format!("'{l}: "))
                    .unwrap_or_default();
                self.line(&format!(
                    "{label}for {} in {range}{overlapping}{} {{",
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
            Stmt::First(First::Fill { slot, keep }) => {
                let but = keep.as_ref().map_or(String::new(), |(lo, hi)| {
                    format!(" but {}..{}", self.val(*lo), self.val(*hi))
                });
                self.line(&format!("fresh {}{but} = zero", self.place_id(*slot)));
            }
            Stmt::First(First::Set { place, negate, val }) => {
                let minus = if *negate { "-" } else { "" };
                self.line(&format!(
                    "first {} = {minus}{}",
                    self.place(place),
                    self.val(*val)
                ));
            }
            Stmt::Tape(tape) => {
                let line = match tape {
                    Tape::Keep { base, place, asked } => format!(
                        "{} = keep {} for {}",
                        self.def(*base),
                        self.place_id(*place),
                        asked_text(asked)
                    ),
                    Tape::Kept {
                        place,
                        base,
                        len,
                        asked,
                    } => format!(
                        "kept {} = {}, {} long for {}",
                        self.place_id(*place),
                        self.val(*base),
                        self.val(*len),
                        asked_text(asked)
                    ),
                    Tape::Release { len, asked, .. } => {
                        format!("release {} for {}", self.val(*len), asked_text(asked))
                    }
                    Tape::Shape { end, place } => {
                        format!("{} = shape of {}", self.def(*end), self.place_id(*place))
                    }
                    Tape::ReleaseShape { .. } => "release shape".to_owned(),
                };
                self.line(&line);
            }
            Stmt::AccumulatePlace { dst, src } => {
                self.line(&format!("acc {} += {}", self.place(dst), self.place(src)));
            }
            Stmt::Effect(e) => {
                let text = self.verbatim(&e.tokens, &e.operands, &e.places);
                let line = match &e.gives {
                    Gives::State(p) => format!("state {} = {text}", self.place_id(*p)),
                    _ if e.vals().is_empty() => format!("effect {text}"),
                    _ => {
                        let vals: Vec<String> = e.vals().iter().map(|v| self.def(*v)).collect();
                        format!("{} = effect {text}", vals.join(", "))
                    }
                };
                self.line(&line);
            }
            Stmt::Block { label, body } => {
                self.line(&format!("'{label}: {{"));
                self.nested(body);
                self.line("}");
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
                    callee(call),
                    args.join(", "),
                    adjoints.join(", ")
                ));
            }
        }
    }

    fn storage(&self, s: &Storage) -> String {
        match s {
            Storage::Push(p, v) => format!("push {} {}", self.place(p), self.val(*v)),
            Storage::Pop(v, p) => format!("{} = pop {}", self.def(*v), self.place(p)),
            Storage::Resize {
                vec,
                old,
                len,
                fill,
                ..
            } => format!(
                "resize {} from {} to {} with {}",
                self.place(vec),
                self.val(*old),
                self.val(*len),
                fill.map_or("blanks".to_owned(), |v| self.val(v))
            ),
            Storage::Swap(a, b) => format!("swap {} {}", self.place(a), self.place(b)),
        }
    }

    fn call(&self, word: &str, call: &Call) -> String {
        let args: Vec<String> = call.args.iter().map(|a| self.arg(a)).collect();
        let result = self.tree(&call.result, &|l| match l {
            Leaf::Val(v) => self.def(*v),
            Leaf::Place(p) => format!("{}: {}", self.place_id(*p), self.body.place(*p).ty),
        });
        format!("{result} = {word} {}({})", callee(call), args.join(", "))
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
                lifted,
            } => {
                let code = self.verbatim(tokens, operands, places);
                if *lifted {
                    format!("lifted {code}")
                } else {
                    code
                }
            }
        }
    }
}

fn label_suffix(label: &Option<String>) -> String {
    label.as_ref().map(|l| format!(" '{l}")).unwrap_or_default()
}

fn frame_suffix(frame: &Frame) -> String {
    let mode = match frame.mode {
        FrameMode::None => return String::new(),
        FrameMode::Lanes => "lanes",
        FrameMode::Records => "records",
        FrameMode::Fixed { .. } => "fixed",
        FrameMode::Pushed => "pushed",
    };
    let callees: Vec<String> = frame.callees.iter().map(|c| c.path.0.to_string()).collect();
    format!(
        " frame {mode} words {} ints {} callees [{}]",
        frame.words,
        frame.ints,
        callees.join(", ")
    )
}

fn asked_text(asked: &[Asked]) -> String {
    let one = |a: &Asked| format!("{} {}", a.callee.0, a.argument);
    asked.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The path, with generic arguments if there are some.
fn callee(call: &Call) -> String {
    match &call.instance {
        Some(instance) => format!("{} :: {}", call.callee.0, instance.0),
        None => call.callee.0.to_string(),
    }
}
