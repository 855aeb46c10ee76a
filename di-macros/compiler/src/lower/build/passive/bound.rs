//! What is bound in front of passive code.

use super::{Builder, Code};
use crate::ir::{Place, PlaceId, Tokens, Type, Val, passive};
use crate::lower::code;
use crate::lower::ty::Ty;
use crate::report::Extent;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use std::rc::Rc;

/// What decides which of some codes it is.
#[derive(Clone, Copy, Debug)]
pub(in crate::lower::build) enum Tag {
    /// Whether it is the first.
    Bool(Val),
    /// Its number.
    Number(Val),
}

impl Code {
    /// `{ let name = value; code }`
    pub(in crate::lower::build) fn joined(&self) -> Tokens {
        if self.lets.is_empty() {
            return self.tokens.clone();
        }
        let is_bound = |code: &TokenStream| self.named.contains(&code.to_string());
        Tokens(passive::behind_lets(
            self.lets.clone(),
            &self.tokens.0,
            &is_bound,
        ))
    }

    /// `let name = inner;` in front, with the variables of both bound around it. One of which this code has another
    /// of that name goes by a name of our own: `let name = { let i = __other0; inner };`.
    ///
    /// What the inner code binds outlives it, so that it may be borrowed, if its names mean nothing else here.
    pub(super) fn bind(&mut self, name: &str, inner: Code, is_free: &dyn Fn(&String) -> bool) {
        let mut renamed = String::new();
        // a name that means something else here
        let is_other = |n: &String, same: &dyn Fn(&Code) -> bool| {
            let is_known =
                self.operands.iter().any(|o| o.0 == *n) || self.places.iter().any(|p| p.0 == *n);
            self.named.contains(n) || is_known && !same(self)
        };
        let operands: Vec<(String, Val, bool)> = (inner.operands.iter())
            .map(|(n, v)| {
                let same = |code: &Code| code.operands.contains(&(n.clone(), *v));
                (n.clone(), *v, is_other(n, &same))
            })
            .collect();
        let places: Vec<(String, PlaceId, bool)> = (inner.places.iter())
            .map(|(n, p)| {
                let same = |code: &Code| code.places.contains(&(n.clone(), *p));
                (n.clone(), *p, is_other(n, &same))
            })
            .collect();
        let is_flat = !operands.iter().any(|o| o.2)
            && !places.iter().any(|p| p.2)
            && (inner.named.iter()).all(|n| is_free(n) && !is_other(n, &|_| false));
        let code = match is_flat {
            true => {
                self.lets.extend(inner.lets);
                self.named.extend(inner.named);
                inner.tokens.0
            }
            false => inner.joined().0,
        };
        for (known, v, is_other) in operands {
            if is_other {
                let own = self.unused();
                renamed.push_str(&format!("let {known} = {own};"));
                self.operands.push((own, v));
            } else if !self.operands.iter().any(|o| o.0 == known) {
                self.operands.push((known, v));
            }
        }
        for (known, place, is_other) in places {
            if is_other {
                let own = self.unused();
                renamed.push_str(&format!("let {known} = {own};"));
                self.places.push((own, place));
            } else if !self.places.iter().any(|p| p.0 == known) {
                self.places.push((known, place));
            }
        }
        self.named.push(name.to_owned());
        let parsed = |text: &str| text.parse::<TokenStream>().expect("code of our own");
        self.lets.extend(parsed(&format!("let {name} =")));
        if renamed.is_empty() {
            self.lets.extend(code);
        } else {
            let block = passive::behind_lets(parsed(&renamed), &code, &|_| false);
            self.lets.extend(block);
        }
        self.lets.extend(parsed(";"));
    }

    /// Whether this is the same code, but for the values of its variables.
    pub(in crate::lower::build) fn reads_as(&self, other: &Code) -> bool {
        let is_same = |a: &Tokens, b: &Tokens| a.0.to_string() == b.0.to_string();
        let names = |code: &Code| {
            code.operands
                .iter()
                .map(|o| o.0.clone())
                .collect::<Vec<_>>()
        };
        is_same(&self.joined(), &other.joined())
            && names(self) == names(other)
            && self.places == other.places
            && (self.explicit, self.lifted) == (other.explicit, other.lifted)
    }

    /// The code with other values of its variables, in their order.
    pub(in crate::lower::build) fn with_numbers(mut self, numbers: &[Val]) -> Code {
        for ((_, v), number) in self.operands.iter_mut().zip(numbers) {
            *v = *number;
        }
        if let (Some(choice), Some((first, mut rest))) = (self.choice.take(), numbers.split_first())
        {
            let tag = match choice.0 {
                Tag::Bool(_) => Tag::Bool(*first),
                Tag::Number(_) => Tag::Number(*first),
            };
            let codes = choice.1.iter().map(|code| {
                let (own, others) = rest.split_at(code.operands.len());
                rest = others;
                code.clone().with_numbers(own)
            });
            self.choice = Some(Rc::new((tag, codes.collect())));
        }
        self
    }

    /// `if tag == 0 { first } else if tag == 1 { second } else { last }`
    pub(in crate::lower::build) fn chosen(tag: Tag, codes: Vec<Code>) -> Code {
        let mut whole = Code::new(Tokens(TokenStream::new()));
        let (Tag::Bool(v) | Tag::Number(v)) = tag;
        let name = whole.operand(v);
        let is = |k: usize| match tag {
            Tag::Bool(_) => name.clone(),
            Tag::Number(_) => format!("{name} == {k}usize"),
        };
        let parsed = |text: &str| text.parse::<TokenStream>().expect("code of our own");
        let braced = |code: TokenStream| TokenTree::from(Group::new(Delimiter::Brace, code));
        let count = codes.len();
        for (k, code) in codes.iter().enumerate() {
            let mut arm = TokenStream::new();
            for (name, v) in &code.operands {
                let own = whole.operand(*v);
                arm.extend(parsed(&format!("let {name} = {own};")));
            }
            arm.extend(code.joined().0);
            for place in &code.places {
                if !whole.places.contains(place) {
                    whole.places.push(place.clone());
                }
            }
            if k + 1 < count {
                let test = parsed(&format!("if {}", is(k)));
                whole.tokens.0.extend(test);
            }
            whole.tokens.0.extend([braced(arm)]);
            if k + 1 < count {
                whole.tokens.0.extend(parsed("else"));
            }
            whole.explicit |= code.explicit;
            whole.lifted |= code.lifted;
        }
        whole.choice = Some(Rc::new((tag, codes)));
        whole
    }

    /// What it is one of, and what decides.
    pub(in crate::lower::build) fn choice(&self) -> Option<Rc<(Tag, Vec<Code>)>> {
        self.choice.clone()
    }
}

impl Builder<'_> {
    /// The number of elements of a constant that code of ours reads by their places. Rustc checks that its iterators give
    /// these, in their order: that it is a list of std.
    pub(in crate::lower::build) fn passive_count(&mut self, code: Code, span: Extent) -> Val {
        let Some(rt) = self.types.rt.clone() else {
            return self.passive_len(code, span);
        };
        let code = code.wrapped("&").map(|list| code::count(&rt, &list));
        self.verbatim(code, &Ty::usize(), span)
    }

    /// A number, of which the code may be a reference, as its type says, or since it is `map.get(&k).unwrap()`.
    pub(super) fn behind_reference(&self, code: Code, ty: &Ty, number: &str) -> Code {
        let may_be = matches!(self.solved(ty), Ty::Ref(..)) || is_of_option(&code.tokens.0);
        match &self.types.rt {
            Some(rt) if self.body.generic.is_none() && may_be => code
                .wrapped("&")
                .map(|of| code::number_behind(rt, number, &of)),
            _ => code,
        }
    }
}

/// Whether code takes a value, which may be a reference, out of an option.
fn is_of_option(tokens: &TokenStream) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_word = |tree: &TokenTree, word: &str| matches!(tree, TokenTree::Ident(of) if of == word);
    match &trees[..] {
        [TokenTree::Group(whole)] => is_of_option(&whole.stream()),
        // a number whose type is inferred from its use
        [.., made, TokenTree::Group(_), _, _, TokenTree::Group(_)]
            if is_word(made, "parse") || is_word(made, "try_into") =>
        {
            false
        }
        [.., TokenTree::Ident(name), TokenTree::Group(_)] => {
            let name = name.to_string();
            name == "expect" || name.starts_with("unwrap")
        }
        _ => false,
    }
}

/// Whether code has `*name`, which is no product.
pub(super) fn is_dereferenced(tokens: &TokenStream, name: &str) -> bool {
    let (mut ends_value, mut is_star) = (false, false);
    for tree in tokens.clone() {
        let is_it = match &tree {
            TokenTree::Ident(ident) => is_star && ident == name,
            TokenTree::Group(g) => is_dereferenced(&g.stream(), name),
            _ => false,
        };
        if is_it {
            return true;
        }
        is_star = matches!(&tree, TokenTree::Punct(p) if p.as_char() == '*') && !ends_value;
        ends_value = match &tree {
            TokenTree::Ident(ident) => {
                !["if", "in", "match", "return"].contains(&&*ident.to_string())
            }
            TokenTree::Group(_) | TokenTree::Literal(_) => true,
            TokenTree::Punct(p) => p.as_char() == '?',
        };
    }
    false
}

impl Builder<'_> {
    /// Binds a place around code, which reads a copy of a list of floats that is not constant.
    pub(super) fn read_place(
        &mut self,
        code: &mut Code,
        name: &str,
        place: Place,
        (ty, is_borrowed): (&Ty, bool),
        span: Extent,
    ) {
        let read = match place.path.is_empty() {
            true => place.root,
            false => self.view(place, false, name, ty, span),
        };
        code.places.push((name.to_owned(), read));
        if self.body.reads_values(read) {
            let length = match self.types.peel(ty) {
                Ty::Array(_, n) => self.types.length(&n),
                _ => None,
            };
            code.own(name, length, is_borrowed);
        }
    }

    pub(super) fn is_list_of_floats(&self, place: &Place) -> bool {
        let ty = self.body.type_at(place);
        ty.is_some_and(|ty| ty.element().is_some() && *ty.leaf() == Type::Float)
    }
}

impl Code {
    /// A copy of a list of floats in front, of the type that the list has in the user's code.
    fn own(&mut self, name: &str, length: Option<Tokens>, is_borrowed: bool) {
        if let Some(length) = length {
            self.named.push(name.to_owned());
            let name = Ident::new(name, Span::call_site());
            self.lets.extend(code::array_of(&name, &length.0));
        }
        if is_borrowed {
            self.borrow(name);
        }
    }

    /// `let name = &name;` in front.
    pub(super) fn borrow(&mut self, name: &str) {
        self.named.push(name.to_owned());
        let text = format!("let {name} = &{name};");
        self.lets
            .extend(text.parse::<TokenStream>().expect("code of our own"));
    }
}
