//! References that are bound anew: the numbers of their targets are integers in places of their own.

use super::holder::{Holder, Owner};
use super::reference::{Choice, Shape, Target, Template, Variable, count};
use super::sequence::{element, part_of};
use super::{Builder, Open, Operand, root};
use crate::error;
use crate::ir::{CmpOp, Effect, Gives, Op, PlaceId, Stmt, Tokens, Type};
use crate::lower::code;
use crate::lower::ty::Ty;
use crate::report::Extent;
use crate::sorted::Set;
use proc_macro2::Span;

impl Builder<'_> {
    /// `let mut s = &x[..];` of a reference that is bound anew later, or `let s;`.
    pub(super) fn declare_reference(
        &mut self,
        holder: &Holder,
        value: Option<Operand>,
        ty: &Ty,
        name: &str,
        span: Extent,
    ) -> Operand {
        if self.refers_to_constants(value.as_ref(), ty) {
            return self.declare_constants(holder, value, name, span);
        }
        let referent = self.referent(ty);
        let value = match value {
            Some(v) => match self.choice(v, &referent, span) {
                Some(c) => Some(c),
                None => return Operand::unit(),
            },
            None => None,
        };
        if let (Some(choice), Ty::Ref(true, _)) = (&value, ty) {
            self.note_unnamed_targets(holder, choice);
        }
        let mut known = self.targets(holder);
        for t in value.iter().flat_map(|c| &c.targets) {
            known.extend(self.template(t));
        }
        self.known.get_or_default(holder.clone()).targets = known.clone();
        let kept = known.iter().any(|t| t.owner == Owner::Kept);
        let kept = kept.then(|| self.kept_for(&referent, span)).flatten();
        let tag = (known.len() > 1).then(|| self.slot(&Type::usize(), &format!("{name}_of"), span));
        let mut targets = Vec::new();
        for t in known {
            let ints = (0..count(&t.shape))
                .map(|_| self.slot(&Type::usize(), &format!("{name}_at"), span))
                .collect();
            targets.push((t, ints));
        }
        self.has_choices |= targets.len() > 1;
        let variable = Variable {
            ty: ty.clone(),
            tag,
            targets,
            kept,
        };
        self.loaded.remove(holder);
        self.variables.insert(holder.clone(), variable);
        if let Some(value) = value {
            self.bind_anew(holder, value, span);
        }
        Operand::Held(holder.clone())
    }

    /// The targets that a reference has, as far as they are known.
    fn targets(&self, holder: &Holder) -> Set<Template> {
        let known = self.known.get(holder);
        known.map(|known| known.targets.clone()).unwrap_or_default()
    }

    /// What owns a target, and the shape of the path.
    fn template(&self, t: &Target) -> Option<Template> {
        Some(Template {
            owner: self.owners.get(&t.root)?.clone(),
            shape: t.shape.clone(),
        })
    }

    // ---- binding ----

    /// `s = value;`, or of what holds several references.
    pub(super) fn assign_held(&mut self, at: Operand, value: Operand, ty: &Ty, span: Extent) {
        match (at, value, ty) {
            (Operand::Tuple(places), Operand::Tuple(values), Ty::Tuple(ts))
                if places.len() == ts.len() && values.len() == ts.len() =>
            {
                for ((at, value), t) in places.into_iter().zip(values).zip(ts) {
                    self.assign_held(at, value, t, span);
                }
            }
            (Operand::Held(holder), value, _) if self.constants.contains_key(&holder) => {
                self.bind_constants(&holder, value, span);
            }
            (Operand::Held(holder), value, _) => {
                let referent = self.referent(ty);
                if let Some(choice) = self.choice(value, &referent, span) {
                    self.bind_anew(&holder, choice, span);
                }
            }
            (at, value, ty) => {
                let ty = self.peeled(ty);
                self.store(at, value, &ty, span);
            }
        }
    }

    fn bind_anew(&mut self, holder: &Holder, choice: Choice, span: Extent) {
        self.loaded.remove(holder);
        match (choice.tag, choice.targets.as_slice()) {
            (None, targets) | (Some(_), targets @ [_]) => {
                if let Some(only) = targets.first() {
                    self.store_target(holder, only, span);
                }
            }
            (Some(tag), targets) => {
                for target in targets {
                    let number = self.lit_usize(target.number as i128, span);
                    let is = self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag, number), span);
                    self.when(is, |b| b.store_target(holder, target, span));
                }
            }
        }
        self.loaded.remove(holder);
    }

    fn store_target(&mut self, holder: &Holder, t: &Target, span: Extent) {
        let Some(variable) = self.variables.get(holder).cloned() else {
            return;
        };
        let kept;
        let (t, template) = match (self.template(t), &variable.ty) {
            (Some(template), _) => (t, template),
            // nobody can write to it: a copy is as good
            (None, Ty::Ref(false, referent)) => {
                let referent = self.solved(referent);
                match self.copied(t, &referent, span) {
                    Some(copy) => {
                        let shape = copy.shape.clone();
                        kept = copy;
                        let owner = Owner::Kept;
                        (&kept, Template { owner, shape })
                    }
                    None => return,
                }
            }
            (None, _) => {
                self.cx.error(span, &error::CHOSEN_REFERENCE);
                return;
            }
        };
        let Some(k) = variable.targets.iter().position(|(t, _)| *t == template) else {
            // once more, with this target known from the start
            let known = self.known.get_or_default(holder.clone());
            known.targets.insert(template);
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

    // ---- copies ----

    /// Where copies of this type are kept as long as the function runs: no reference to one is ever
    /// in danger.
    fn kept_for(&mut self, referent: &Ty, span: Extent) -> Option<PlaceId> {
        let elem = match self.storage_type(referent, span)? {
            Type::Vec(elem) => *elem,
            whole => whole,
        };
        if let Some((_, place)) = self.kept.iter().find(|(ty, _)| *ty == elem) {
            return Some(*place);
        }
        let inner = std::mem::replace(&mut self.regions, vec![Open::default()]);
        let place = self.empty(Type::Vec(Box::new(elem.clone())), span);
        let start = std::mem::replace(&mut self.regions, inner);
        for open in start {
            self.regions[0].stmts.splice(0..0, open.stmts);
        }
        self.body.places[place.0 as usize].hint = "kept".to_owned();
        self.written.insert(place);
        self.owners.insert(place, Owner::Kept);
        self.kept.push((elem, place));
        Some(place)
    }

    /// A copy of what a target refers to.
    fn copied(&mut self, t: &Target, referent: &Ty, span: Extent) -> Option<Target> {
        let kept = self.kept_for(referent, span)?;
        let elem = self.element_type(&root(kept), span);
        let n = self.len(root(kept), span);
        let at = if matches!(referent, Ty::Slice(_) | Ty::Vec(_)) {
            self.extend(&root(kept), t.place(), &elem, span);
            let end = self.len(root(kept), span);
            part_of(&root(kept), n, end)
        } else {
            self.push_value(&root(kept), Operand::Place(t.place()), &elem, span);
            element(&root(kept), n)
        };
        Some(self.target(at, referent, span))
    }

    // ---- looking up ----

    /// Number of targets that a reference may have here.
    pub(super) fn targets_in_scope(&self, holder: &Holder) -> usize {
        let Some(variable) = self.variables.get(holder) else {
            return 1;
        };
        let owners = variable.targets.iter().map(|(t, _)| &t.owner);
        owners
            .filter(|owner| self.storage_of(owner, holder).is_some())
            .count()
    }

    /// What the reference stands for now.
    pub(super) fn current(&mut self, holder: &Holder, span: Extent) -> Option<Choice> {
        let variable = self.variables.get(holder).cloned()?;
        if let Some((_, choice)) = self.loaded.get(holder) {
            return Some(choice.clone());
        }
        let usize = Type::usize();
        let tag = variable
            .tag
            .map(|tag| self.load(root(tag), usize.clone(), span));
        let mut targets = Vec::new();
        for (number, (template, slots)) in variable.targets.iter().enumerate() {
            let Some(root_of) = self.storage_of(&template.owner, holder) else {
                continue;
            };
            let ints = slots
                .iter()
                .map(|slot| self.load(root(*slot), usize.clone(), span))
                .collect();
            targets.push(Target {
                number,
                root: root_of,
                shape: template.shape.clone(),
                ints,
            });
        }
        let choice = Choice { tag, targets };
        self.loaded
            .insert(holder.clone(), (self.regions.len(), choice.clone()));
        Some(choice)
    }

    /// No way leads here, rustc says.
    pub(super) fn unreachable(&mut self) {
        self.push(Stmt::Effect(Effect {
            tokens: Tokens(code::panic(
                Span::call_site(),
                &code::text("this reference refers to nothing"),
            )),
            operands: Vec::new(),
            places: Vec::new(),
            diverges: true,
            gives: Gives::Nothing,
        }));
        self.mark_dead();
    }

    // ---- std::mem ----

    /// `std::mem::swap(&mut a, &mut b)` of references, or of what holds some.
    pub(super) fn swap_held(&mut self, a: Operand, b: Operand, ty: &Ty, span: Extent) {
        match (a, b, ty) {
            (Operand::Tuple(xs), Operand::Tuple(ys), Ty::Tuple(ts))
                if xs.len() == ts.len() && ys.len() == ts.len() =>
            {
                for ((x, y), t) in xs.into_iter().zip(ys).zip(ts) {
                    self.swap_held(x, y, t, span);
                }
            }
            (Operand::Held(a), Operand::Held(b), _) if self.constants.contains_key(&a) => {
                let x = self.resolved(&a, Operand::Held(a.clone()), span);
                let y = self.resolved(&b, Operand::Held(b.clone()), span);
                self.bind_constants(&a, y, span);
                self.bind_constants(&b, x, span);
            }
            (Operand::Held(a), Operand::Held(b), _) => self.swap_references(&a, &b, span),
            (a, b, ty) => {
                let ty = self.peeled(ty);
                self.mem_swap(a, b, &ty, span);
            }
        }
    }

    fn swap_references(&mut self, a: &Holder, b: &Holder, span: Extent) {
        let mut all = self.targets(a);
        all.extend(self.targets(b));
        for holder in [a, b] {
            if self.targets(holder) != all {
                self.known.get_or_default(holder.clone()).targets = all.clone();
                self.again = true;
            }
        }
        let (Some(x), Some(y)) = (
            self.variables.get(a).cloned(),
            self.variables.get(b).cloned(),
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
        self.loaded.remove(a);
        self.loaded.remove(b);
    }

    /// `std::mem::replace(&mut a, value)` of references, or of what holds some.
    pub(super) fn replace_held(
        &mut self,
        at: Operand,
        value: Operand,
        ty: &Ty,
        span: Extent,
    ) -> Operand {
        match (at, value, ty) {
            (Operand::Tuple(places), Operand::Tuple(values), Ty::Tuple(ts))
                if places.len() == ts.len() && values.len() == ts.len() =>
            {
                let parts = places.into_iter().zip(values).zip(ts);
                let old = parts.map(|((at, value), t)| self.replace_held(at, value, t, span));
                Operand::Tuple(old.collect())
            }
            (Operand::Held(holder), value, ty) => {
                let old = self.resolved(&holder, Operand::Held(holder.clone()), span);
                self.assign_held(Operand::Held(holder), value, ty, span);
                old
            }
            (at, value, ty) => {
                let ty = self.peeled(ty);
                self.replace(at, value, &ty, span)
            }
        }
    }

    /// `std::mem::take(&mut s)` of a slice: an empty one stays.
    pub(super) fn take_reference(&mut self, holder: &Holder, span: Extent) -> Operand {
        let Some(choice) = self.current(holder, span) else {
            self.cx.error_about(span, &error::MEM, "take");
            return Operand::unit();
        };
        if let Some(variable) = self.variables.get(holder).cloned() {
            for (template, slots) in &variable.targets {
                if let (Some(Shape::Range), [.., lo, hi]) = (template.shape.last(), &slots[..]) {
                    let zero = self.lit_usize(0, span);
                    self.push(Stmt::Store(root(*lo), zero));
                    self.push(Stmt::Store(root(*hi), zero));
                }
            }
        }
        self.loaded.remove(holder);
        choice.operand()
    }
}
