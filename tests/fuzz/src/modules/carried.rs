//! Values without floats that are carried along: machines, events and lists of them.

use super::{Scope, Writer, with, without};

/// Enums at the beginning, in the middle and at the end of structs, in tuples, options and enums.
pub(super) const TYPES: &str = "
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Phase { Idle, Burn, Coast }
#[derive(Clone, Copy, PartialEq)]
struct Signal { phase: Phase, kind: Kind, count: u8, last: Option<Kind> }
#[derive(Clone, Copy, PartialEq)]
struct Mark { of: (Phase, i16), signal: Signal, on: bool }
#[derive(Clone, Copy, PartialEq)]
enum Event { Switch(Phase, Kind), Wait { ticks: u16 }, Stop }
impl Signal {
    fn new(phase: Phase, count: u8) -> Signal { Signal { phase, kind: Kind::Late, count, last: None } }
    fn next(self, other: Phase) -> Signal {
        match (self.phase, other) {
            (Phase::Idle, Phase::Idle) => Signal { phase: Phase::Burn, ..self },
            (Phase::Burn, _) => Signal { phase: other, count: self.count + 1, last: Some(self.kind), ..self },
            (_, p) => Signal { phase: p, kind: Kind::Early, count: self.count, last: self.last },
        }
    }
}
";

const PHASES: [&str; 3] = ["Phase::Idle", "Phase::Burn", "Phase::Coast"];

impl Writer {
    /// One of the variants.
    fn phase(&mut self) -> &'static str {
        PHASES[self.random.below(3)]
    }

    pub(super) fn carried(&mut self, scope: &mut Scope) {
        let (a, b, c) = (self.phase(), self.phase(), self.phase());
        let n = self.random.below(4);
        let chain = without(scope.clone(), "s");
        let (e, f) = (self.expression(scope, 1), self.expression(scope, 1));
        let g = self.expression(&chain, 1);
        let timed = self.expression(&with(scope, &["t"]), 1);
        let name = self.fresh("g");
        let text = match self.random.below(8) {
            0 => format!(
                "let mut {name} = Signal::new({a}, {n});\nfor i in 0..4 {{\n{name} = {name}.next(if i == {n} {{ {b} }} else {{ {c} }});\ns += TABLE[{name}.phase as usize + usize::from({name}.count % 2)] * {e};\nif {name}.last.is_some() {{ s -= 0.1 * {f}; }}\n}}"
            ),
            1 => format!(
                "let {name} = if {e} > 0.5 {{ Signal {{ phase: {a}, kind: Kind::Late, count: {n}, last: Some(Kind::Early) }} }} else {{ Signal::new({b}, 7) }};\ns += TABLE[{name}.phase as usize] * {f};\nif {name}.kind == Kind::Late {{ s = s.sin(); }}"
            ),
            2 => format!(
                "for {name} in [Signal::new({a}, {n}), Signal::new({b}, 3), Signal::new({c}, 0)] {{\ns += match {name}.phase {{ Phase::Idle => {e}, Phase::Burn => 0.5 * {f}, Phase::Coast => TABLE[{name}.count as usize % 4] }};\n}}"
            ),
            3 => format!(
                "let {name}: Vec<Signal> = (0..3u8).map(|i| Signal {{ phase: if i == 1 {{ {a} }} else {{ {b} }}, kind: Kind::Late, count: i, last: Some(Kind::Early) }}).collect();\ns += {name}.iter().filter(|m| m.phase <= {c}).map(|m| f64::from(m.count) * {g}).sum::<f64>();"
            ),
            4 => format!(
                "let {name} = Mark {{ of: ({a}, -{n}), signal: Signal::new({b}, {n}), on: s > 0.2 }};\nlet Mark {{ of: (p, k), signal, on }} = {name};\ns += TABLE[p as usize] * {e} + f64::from(k) * {f};\nif on && signal.phase != {c} {{ s = (s * 0.5).cos(); }}"
            ),
            5 => format!(
                "for {name} in [Event::Switch({a}, Kind::Late), Event::Wait {{ ticks: {n} }}, Event::Switch({b}, Kind::Early), Event::Stop] {{\ns += match {name} {{\nEvent::Switch(p, Kind::Late) => TABLE[p as usize] * {e},\nEvent::Switch(p, _) if p == {c} => {f},\nEvent::Switch(p, k) => TABLE[p as usize + k as usize] * 0.3,\nEvent::Wait {{ ticks }} => f64::from(ticks) * {f},\nEvent::Stop => break,\n}};\n}}"
            ),
            6 => format!(
                "let {name} = [(0.3, Signal::new({a}, 1)), (0.8, Signal::new({b}, {n}))];\nfor &(t, m) in &{name} {{ if m.phase == {c} || m.count > 2 {{ s += {timed}; }} }}"
            ),
            _ => format!(
                "let {name} = if s < {e} {{ Some(Signal::new({a}, {n})) }} else {{ None }};\ns += match {name} {{ Some(Signal {{ phase, count, .. }}) => TABLE[phase as usize] * f64::from(count + 1) * {f}, None => 0.2 * {e} }};"
            ),
        };
        self.line(&text);
    }
}
