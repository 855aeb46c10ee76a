//! What is bound in front of passive code.

use super::Code;
use crate::ir::{PlaceId, Tokens, Val, passive};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

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
            let mut block = parsed(&renamed);
            block.extend(code);
            let block = Group::new(Delimiter::Brace, block);
            self.lets.extend(TokenStream::from(TokenTree::from(block)));
        }
        self.lets.extend(parsed(";"));
    }
}
