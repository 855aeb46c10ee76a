//! References to constants that are bound anew: `let mut last = &events[0];`, and later `last = e;`. What one stands for
//! is passive code. The text of it is known, and the numbers in it are kept in places; where there is more than one
//! text, a tag says which.

use super::holder::Holder;
use super::passive::{Code, Tag};
use super::reference::Choice;
use super::{Builder, Operand, root};
use crate::error;
use crate::ir::{CmpOp, Op, PlaceId, PlaceKind, Stmt, Type, Val};
use crate::lower::ty::Ty;
use crate::report::Extent;

/// So many texts a reference has at most, and so long they are: one that is made of itself has no end of them.
const MOST_TEXTS: usize = 16;
const LONGEST_TEXT: usize = 4000;

/// What such a reference may stand for, whatever the numbers in it are.
#[derive(Clone, Debug)]
pub(super) struct Text {
    code: Code,
    /// Types of the numbers.
    numbers: Vec<Type>,
}

/// Such a reference.
#[derive(Clone, Debug)]
pub(super) struct Constants {
    tag: Option<PlaceId>,
    /// Where the numbers of each text are.
    texts: Vec<(Text, Vec<PlaceId>)>,
}

/// What a reference stands for at the end of an arm.
pub(super) enum Pointed {
    /// The end is not reached, or it is that of `None`.
    Nothing,
    Choice(Choice),
    Constants(Kept),
}

/// Passive code whose numbers are kept in places.
pub(super) struct Kept {
    code: Code,
    slots: Vec<(PlaceId, Type)>,
}

impl Builder<'_> {
    /// Whether a reference that is bound to this is one to constants that nobody looks into.
    pub(super) fn refers_to_constants(&self, value: Option<&Operand>, ty: &Ty) -> bool {
        let Ty::Ref(false, of) = ty else { return false };
        match self.types.peel(of) {
            Ty::Opaque(_) => !self.is_data(of),
            ty @ Ty::Var(_) => {
                let is_foreign = self.types.traits(&ty).is_some_and(|t| t.foreign);
                is_foreign || matches!(value, Some(Operand::Passive(_)))
            }
            _ => false,
        }
    }

    /// `let mut last = &events[0];`, or `let last;`.
    pub(super) fn declare_constants(
        &mut self,
        holder: &Holder,
        value: Option<Operand>,
        name: &str,
        span: Extent,
    ) -> Operand {
        if let Some(Operand::Passive(code)) = &value
            && code.choice().is_none()
        {
            self.note_text(holder, code);
        }
        let known = self.known.get(holder).cloned().unwrap_or_default().texts;
        let tag = (known.len() > 1).then(|| self.slot(&Type::usize(), &format!("{name}_of"), span));
        let with_slots = |text: Text| {
            let each = text.numbers.iter();
            let slots = each.map(|ty| self.slot(ty, &format!("{name}_at"), span));
            let slots = slots.collect();
            (text, slots)
        };
        let texts = known.into_iter().map(with_slots).collect();
        self.constants
            .insert(holder.clone(), Constants { tag, texts });
        if let Some(value) = value {
            self.bind_constants(holder, value, span);
        }
        Operand::Held(holder.clone())
    }

    /// `last = e;`
    pub(super) fn bind_constants(&mut self, holder: &Holder, value: Operand, span: Extent) {
        let code = match value {
            Operand::Passive(code) => code,
            // there is nothing in `None`
            Operand::Choice(c) if c.targets.is_empty() => return,
            Operand::Tuple(parts) if parts.is_empty() => return,
            _ => return self.cx.error(span, &error::CHOSEN_REFERENCE),
        };
        if let Some(choice) = code.choice() {
            let (tag, codes) = &*choice;
            return self.bind_chosen(holder, *tag, codes, span);
        }
        let is_param = |p: &PlaceId| {
            let kind = &self.body.place(*p).kind;
            matches!(kind, PlaceKind::SharedParam(_) | PlaceKind::ValueParam(_))
        };
        let is_number = |v: &Val| matches!(self.body.val(*v).ty, Type::Int(_) | Type::Bool);
        if !code.places.iter().all(|(_, p)| is_param(p))
            || !code.operands.iter().all(|(_, v)| is_number(v))
        {
            return self.cx.error(span, &error::CHOSEN_REFERENCE);
        }
        let Some(variable) = self.constants.get(holder).cloned() else {
            return;
        };
        let found = |(text, _): &(Text, Vec<PlaceId>)| text.code.reads_as(&code);
        let Some(k) = variable.texts.iter().position(found) else {
            let length = code.joined().0.to_string().len();
            if variable.texts.len() == MOST_TEXTS || length > LONGEST_TEXT {
                return self.cx.error(span, &error::CHOSEN_REFERENCE);
            }
            // once more, with this text known from the start
            self.note_text(holder, &code);
            self.again = true;
            return;
        };
        for (slot, (_, v)) in variable.texts[k].1.iter().zip(&code.operands) {
            self.push(Stmt::Store(root(*slot), *v));
        }
        if let Some(tag) = variable.tag {
            let k = self.lit_usize(k as i128, span);
            self.push(Stmt::Store(root(tag), k));
        }
    }

    /// The one of these that it is.
    fn bind_chosen(&mut self, holder: &Holder, tag: Tag, codes: &[Code], span: Extent) {
        for (k, code) in codes.iter().enumerate() {
            let is = match (tag, k) {
                (Tag::Bool(cond), 0) => cond,
                (Tag::Bool(cond), _) => self.let_op(Type::Bool, Op::Not(cond), span),
                (Tag::Number(tag), k) => {
                    let k = self.lit_usize(k as i128, span);
                    self.let_op(Type::Bool, Op::Cmp(CmpOp::Eq, tag, k), span)
                }
            };
            self.when(is, |b| {
                b.bind_constants(holder, Operand::Passive(code.clone()), span);
            });
        }
    }

    fn note_text(&mut self, holder: &Holder, code: &Code) {
        let each = code.operands.iter();
        let numbers = each.map(|(_, v)| self.body.val(*v).ty.clone()).collect();
        let known = &mut self.known.get_or_default(holder.clone()).texts;
        if !known.iter().any(|text| text.code.reads_as(code)) {
            let code = code.clone();
            known.push(Text { code, numbers });
        }
    }

    /// What the reference stands for now.
    pub(super) fn current_constants(&mut self, holder: &Holder, span: Extent) -> Option<Operand> {
        let Constants { tag, texts } = self.constants.get(holder)?.clone();
        let mut codes = Vec::new();
        for (text, slots) in texts {
            let numbers = slots.iter().zip(&text.numbers);
            let numbers = numbers.map(|(slot, ty)| self.load(root(*slot), ty.clone(), span));
            let numbers = numbers.collect::<Vec<Val>>();
            codes.push(text.code.with_numbers(&numbers));
        }
        let tag = tag.map(|tag| self.load(root(tag), Type::usize(), span));
        Some(match tag {
            Some(tag) => Operand::Passive(Code::chosen(Tag::Number(tag), codes)),
            None => codes.pop().map_or_else(Operand::unit, Operand::Passive),
        })
    }

    /// Code, with its numbers where code behind the open region finds them.
    fn kept_code(&mut self, code: Code, span: Extent) -> Kept {
        let each = code.operands.iter().map(|(_, v)| {
            let ty = self.body.val(*v).ty.clone();
            let slot = self.before(|b| b.slot(&ty, "number", span));
            self.push(Stmt::Store(root(slot), *v));
            (slot, ty)
        });
        let slots = each.collect();
        Kept { code, slots }
    }

    fn loaded_code(&mut self, kept: Kept, span: Extent) -> Code {
        let each = kept.slots.into_iter();
        let numbers = each.map(|(slot, ty)| self.load(root(slot), ty, span));
        let numbers = numbers.collect::<Vec<Val>>();
        kept.code.with_numbers(&numbers)
    }

    // ---- branches ----

    /// What a reference stands for at the end of an arm.
    pub(super) fn arm_pointed(&mut self, operand: Operand, ty: &Ty, span: Extent) -> Pointed {
        match operand {
            Operand::Passive(code) if self.refers_to_constants(None, ty) => {
                Pointed::Constants(self.kept_code(code, span))
            }
            other => match self.arm_reference(other, ty, span) {
                Some(choice) => Pointed::Choice(choice),
                None => Pointed::Nothing,
            },
        }
    }

    /// What it stands for at the ends of both: choices among places, or else constants.
    #[allow(clippy::type_complexity, reason = "two alternatives, for two arms")]
    pub(super) fn pointed(
        &self,
        (a, b): (Option<Pointed>, Option<Pointed>),
        span: Extent,
    ) -> Result<(Option<Choice>, Option<Choice>), Box<[Option<Kept>; 2]>> {
        let mut choices = [None, None];
        let mut codes = [None, None];
        for (k, pointed) in [a, b].into_iter().enumerate() {
            match pointed {
                Some(Pointed::Choice(choice)) => choices[k] = Some(choice),
                Some(Pointed::Constants(kept)) => codes[k] = Some(kept),
                Some(Pointed::Nothing) | None => {}
            }
        }
        if codes.iter().all(Option::is_none) {
            let [a, b] = choices;
            return Ok((a, b));
        }
        if choices.iter().flatten().any(|c| !c.targets.is_empty()) {
            self.cx.error(span, &error::CHOSEN_REFERENCE);
        }
        Err(Box::new(codes))
    }

    /// What it stands for behind the branch.
    pub(super) fn merge_constants(
        &mut self,
        cond: Val,
        codes: [Option<Kept>; 2],
        span: Extent,
    ) -> Operand {
        let codes = codes.map(|kept| kept.map(|kept| self.loaded_code(kept, span)));
        match codes {
            [Some(then), Some(els)] => {
                Operand::Passive(Code::chosen(Tag::Bool(cond), vec![then, els]))
            }
            [Some(only), None] | [None, Some(only)] => Operand::Passive(only),
            [None, None] => Operand::unit(),
        }
    }
}
