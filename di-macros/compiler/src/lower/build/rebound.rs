//! Variables of reference type that are bound anew: the numbers of their targets are integers in places
//! of their own.

use super::reference::{Choice, Shape, Target, Template, Variable, count};
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{CmpOp, Init, Op, PlaceId, Region, Stmt, Type};
use crate::lower::hir::Local;
use crate::lower::ty::Ty;
use crate::report::Extent;

impl Builder<'_> {
    /// `let mut s = &x[..];` of a variable that is bound anew later, or `let s;`.
    pub(super) fn declare_reference(&mut self, local: Local, value: Option<Operand>) {
        let info = self.locals[local.0].clone();
        let span: Extent = info.span.into();
        let referent = match self.solved(&info.ty) {
            Ty::Ref(_, t) => self.solved(&t),
            other => other,
        };
        let value = match value {
            Some(v) => match self.choice(v, &referent, span) {
                Some(c) => Some(c),
                None => return,
            },
            None => None,
        };
        let mut known = self.known.get(&local).cloned().unwrap_or_default();
        for t in value.iter().flat_map(|c| &c.targets) {
            match self.template(t) {
                Some(t) => {
                    known.insert(t);
                }
                None => {
                    self.cx.error(span, &error::CHOSEN_REFERENCE);
                    return;
                }
            }
        }
        self.known.insert(local, known.clone());
        let usize = Type::Int("usize".to_owned());
        let slot = |b: &mut Self, name: &str| {
            let zero = b.lit_usize(0, span);
            let place = b.declare(usize.clone(), name, span, Init::Scalar(zero));
            b.written.insert(place);
            place
        };
        let tag = (known.len() > 1).then(|| slot(self, &format!("{}_of", info.name)));
        let mut targets = Vec::new();
        for t in known {
            let ints = (0..count(&t.shape))
                .map(|_| slot(self, &format!("{}_at", info.name)))
                .collect();
            targets.push((t, ints));
        }
        self.has_choices |= targets.len() > 1;
        self.scope.push(local);
        self.variables.insert(local, Variable { tag, targets });
        if let Some(value) = value {
            self.bind_anew(local, value, span);
        }
    }

    /// The variable that a root belongs to, and the shape.
    fn template(&self, t: &Target) -> Option<Template> {
        Some(Template {
            owner: *self.owners.get(&t.root)?,
            shape: t.shape.clone(),
        })
    }

    /// `s = &x[1..];`
    pub(super) fn assign_reference(&mut self, local: Local, value: Operand, span: Extent) {
        let referent = match self.solved(&self.locals[local.0].ty) {
            Ty::Ref(_, t) => self.solved(&t),
            other => other,
        };
        if let Some(choice) = self.choice(value, &referent, span) {
            self.bind_anew(local, choice, span);
        }
    }

    fn bind_anew(&mut self, local: Local, choice: Choice, span: Extent) {
        let Some(variable) = self.variables.get(&local).cloned() else {
            return;
        };
        self.loaded.remove(&local);
        let Some(tag) = choice.tag else {
            if let Some(only) = choice.targets.first() {
                self.store_target(local, &variable, only, span);
            }
            return;
        };
        for (k, target) in choice.targets.iter().enumerate() {
            let k = self.lit_usize(k as i128, span);
            let is = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag, k), span);
            self.open();
            self.store_target(local, &variable, target, span);
            let then = self.close(Vec::new());
            self.push(Stmt::If {
                cond: is,
                then,
                els: Region::default(),
                results: Vec::new(),
            });
        }
    }

    fn store_target(&mut self, local: Local, variable: &Variable, t: &Target, span: Extent) {
        let Some(template) = self.template(t) else {
            self.cx.error(span, &error::CHOSEN_REFERENCE);
            return;
        };
        let Some(k) = variable.targets.iter().position(|(t, _)| *t == template) else {
            // once more, with this target known from the start
            self.known.entry(local).or_default().insert(template);
            self.again = true;
            return;
        };
        for (slot, v) in variable.targets[k].1.iter().zip(&t.ints) {
            self.push(Stmt::Store(root(*slot), *v));
        }
        if let Some(tag) = variable.tag {
            let k = self.lit_usize(k as i128, span);
            self.push(Stmt::Store(root(tag), k));
        }
    }

    /// What the variable stands for now.
    pub(super) fn current(&mut self, local: Local, span: Extent) -> Option<Choice> {
        let variable = self.variables.get(&local).cloned()?;
        if let Some((_, choice)) = self.loaded.get(&local) {
            return Some(choice.clone());
        }
        let usize = Type::Int("usize".to_owned());
        let tag = variable
            .tag
            .map(|tag| self.load(root(tag), usize.clone(), span));
        let mut targets = Vec::new();
        for (template, slots) in &variable.targets {
            // what is not bound yet is not referred to
            let Operand::Place(owner) = &self.bound[template.owner.0] else {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
                return None;
            };
            let owner = owner.root;
            let ints = slots
                .iter()
                .map(|slot| self.load(root(*slot), usize.clone(), span))
                .collect();
            targets.push(Target {
                root: owner,
                shape: template.shape.clone(),
                ints,
            });
        }
        let choice = Choice { tag, targets };
        self.loaded
            .insert(local, (self.regions.len(), choice.clone()));
        Some(choice)
    }

    /// `std::mem::swap(&mut a, &mut b)` of two such variables.
    pub(super) fn swap_references(&mut self, a: Local, b: Local, span: Extent) {
        let mut all = self.known.get(&a).cloned().unwrap_or_default();
        all.extend(self.known.get(&b).cloned().unwrap_or_default());
        for local in [a, b] {
            if self.known.get(&local) != Some(&all) {
                self.known.insert(local, all.clone());
                self.again = true;
            }
        }
        let (Some(x), Some(y)) = (
            self.variables.get(&a).cloned(),
            self.variables.get(&b).cloned(),
        ) else {
            self.cx.error_about(span, &error::MEM, "swap");
            return;
        };
        let slots = |v: &Variable| -> Vec<PlaceId> {
            let ints = v.targets.iter().flat_map(|(_, ints)| ints.iter().copied());
            v.tag.into_iter().chain(ints).collect()
        };
        let (xs, ys) = (slots(&x), slots(&y));
        if xs.len() != ys.len() {
            // they differ in this attempt only
            return;
        }
        for (s, t) in xs.into_iter().zip(ys) {
            self.exchange(root(s), root(t), span);
        }
        self.loaded.remove(&a);
        self.loaded.remove(&b);
    }

    /// `std::mem::take(&mut s)` of a slice: an empty one stays.
    pub(super) fn take_reference(&mut self, local: Local, span: Extent) -> Operand {
        let Some(choice) = self.current(local, span) else {
            self.cx.error_about(span, &error::MEM, "take");
            return Operand::unit();
        };
        if let Some(variable) = self.variables.get(&local).cloned() {
            for (template, slots) in &variable.targets {
                if let (Some(Shape::Range), [.., lo, hi]) = (template.shape.last(), &slots[..]) {
                    let zero = self.lit_usize(0, span);
                    self.push(Stmt::Store(root(*lo), zero));
                    self.push(Stmt::Store(root(*hi), zero));
                }
            }
        }
        self.loaded.remove(&local);
        choice.operand()
    }
}
