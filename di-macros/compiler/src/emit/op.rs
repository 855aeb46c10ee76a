//! Operations as expressions. A float is of the generic scalar or plain, and the two mix without
//! lifting: `x * 2.0` becomes `x.mul_real(2.0)`.

use super::Emitter;
use crate::ir::{BinOp, CmpOp, Effect, Gives, Lit, Op, Place, PlaceId, PlaceKind, Slot, Type, Val};
use crate::ir::{ITSELF, OPAQUE_PART, passive};
use crate::lower::{access, is_argument};
use crate::template::quote;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote_spanned};

impl Emitter<'_> {
    /// `let y = ..;`
    pub(super) fn let_op(&self, v: Val, op: &Op) -> TokenStream {
        if self.is_inlined(v) {
            return TokenStream::new();
        }
        let (rt, value) = (self.rt, self.op(v, op));
        let (id, ty) = (self.var(v), self.val_ty(v));
        match op {
            _ if self.is_inferred(v, op) => quote!(let #id = #value;),
            // what the user's code gives is known to rustc alone
            Op::Verbatim { .. } => {
                let told = self.if_sound(&ty);
                quote!(let #id: #ty = #rt::told::<#ty>({
                    let __told: #told = #value;
                    __told
                });)
            }
            // and so may be the type of what has a length
            Op::Len(place) if self.is_told(place) => {
                quote!(let #id: #ty = #rt::told::<#ty>(#value);)
            }
            _ => quote!(let #id: #ty = #value;),
        }
    }

    /// Whether rustc infers the type of an operation on numbers.
    fn is_inferred(&self, v: Val, op: &Op) -> bool {
        let number = matches!(self.body.val(v).ty, Type::Float | Type::Lane | Type::Bool);
        let operation = matches!(
            op,
            Op::Neg(_)
                | Op::Bin(..)
                | Op::Cmp(..)
                | Op::Elementary(..)
                | Op::Partial(..)
                | Op::LaneScale { .. }
        );
        number && operation && !self.is_open(v)
    }

    fn is_told(&self, place: &Place) -> bool {
        self.in_struct(place) || self.body.place(place.root).kind == PlaceKind::View
    }

    /// A value as the generic scalar.
    pub(crate) fn lifted(&self, v: Val) -> TokenStream {
        if self.body.val(v).ty == Type::Float && !self.generic(v) {
            let value = self.operand(v);
            quote!(__S::from_real(#value))
        } else {
            self.operand(v)
        }
    }

    /// A value, lifted if `generic`.
    pub(crate) fn lift_if(&self, v: Val, generic: bool) -> TokenStream {
        if generic {
            self.lifted(v)
        } else {
            self.operand(v)
        }
    }

    /// The expression of an operation that defines `v`.
    pub(crate) fn op(&self, v: Val, op: &Op) -> TokenStream {
        let rt = self.rt;
        let info = self.body.val(v);
        let span = Span::mixed_site().located_at(info.span);
        match op {
            Op::Lit(Lit::Float(c)) => {
                let plain = float(*c, self.body.float);
                if self.generic(v) {
                    quote!(__S::from_real(#plain))
                } else {
                    plain
                }
            }
            Op::Lit(Lit::Int(i)) => {
                let lit = Literal::i128_unsuffixed(*i);
                quote!(#lit)
            }
            Op::Lit(Lit::Bool(b)) => quote!(#b),
            Op::Copy(a) => self.lift_if(*a, self.generic(v)),
            Op::Param(k) => {
                let arg = self.arg(*k);
                quote!(#arg)
            }
            Op::Neg(a) if info.ty == Type::Lane => {
                let a = self.val(*a);
                quote!(#a.neg())
            }
            Op::Neg(a) => {
                let a = self.val(*a);
                quote_spanned!(span=> -#a)
            }
            Op::Not(a) => {
                let a = self.val(*a);
                quote_spanned!(span=> !#a)
            }
            Op::Bin(op, a, b) if info.ty == Type::Lane => {
                let (a, b) = (self.val(*a), self.operand(*b));
                let name = if *op == BinOp::Sub {
                    quote!(sub)
                } else {
                    quote!(add)
                };
                quote!(#a.#name(#b))
            }
            Op::Bin(op, a, b) => self.bin(*op, *a, *b, span),
            Op::Cmp(op, a, b) => self.cmp(*op, *a, *b, span),
            Op::Elementary(name, args) => {
                let generic = args.iter().any(|a| self.generic(*a));
                let name = Ident::new(name, span);
                let args = args.iter().map(|a| self.lift_if(*a, generic));
                let scalar = if generic {
                    quote!(__S)
                } else {
                    quote!(#rt::Scalar)
                };
                quote_spanned!(span=> #scalar::#name(#(#args),*))
            }
            Op::Partial(name, k, operands) => {
                let (function, d) = (
                    Ident::new(name, Span::call_site()),
                    Ident::new(&format!("d{k}"), Span::call_site()),
                );
                let operands = operands.iter().map(|a| match a {
                    Some(a) => self.lifted(*a),
                    None => quote!(__S::from_real(0.0)),
                });
                quote!(#rt::rules::#function::#d(#(#operands),*))
            }
            Op::Cast(a) => {
                let ty = self.ty(&info.ty, false);
                let id = self.val(*a);
                let number = match (self.generic(*a), &info.ty) {
                    (true, Type::Int(_)) => quote_spanned!(span=> __S::integer(#id)),
                    (true, _) => quote_spanned!(span=> __S::primal(#id)),
                    (false, _) => quote_spanned!(span=> #id),
                };
                quote_spanned!(span=> #number as #ty)
            }
            Op::Len(place) => {
                let path = self.path(place);
                quote!(#path.len())
            }
            Op::Verbatim {
                tokens,
                operands,
                places,
            } => match &self.body.generic {
                Some(code) => self.generic_code(code, &info.ty, &tokens.0, operands, places),
                None => self.verbatim(&tokens.0, operands, places),
            },
            Op::LaneZero => quote!(__A::zero()),
            Op::LaneScale { lane, scale, by } => {
                let is_steady = self.steady.contains(&v);
                let (lane, plain) = (self.val(*lane), self.operand(*scale));
                let generic = self.generic(*scale);
                let scale = self.lifted(*scale);
                match by {
                    crate::ir::Scaling::Plain if generic && is_steady => {
                        quote!(#rt::scale_by::<__S, __A>(__steady, #lane, #scale))
                    }
                    crate::ir::Scaling::Plain if generic => {
                        quote!(#lane.scale(#scale))
                    }
                    crate::ir::Scaling::Plain => {
                        quote!(#lane.scale_real(#plain))
                    }
                    crate::ir::Scaling::Strong => {
                        quote!(#lane.scale_strong(#scale))
                    }
                    crate::ir::Scaling::Select => {
                        quote!(#lane.scale_select(#scale))
                    }
                }
            }
            Op::Reload(slot) => self.reload(v, *slot),
            // the type is told by a callee: no casts
            Op::Trips { lo, hi, inclusive } if self.is_untold(*lo) || self.is_untold(*hi) => {
                let range = self.range(*lo, *hi, *inclusive);
                quote!(#range.count())
            }
            Op::Induction {
                lo,
                hi,
                inclusive,
                reversed,
                trip,
            } if self.is_untold(v) => {
                let (range, trip) = (self.range(*lo, *hi, *inclusive), self.val(*trip));
                let nth = if *reversed {
                    quote!(nth_back)
                } else {
                    quote!(nth)
                };
                quote!(#range.#nth(#trip).expect("the trip is one of the range"))
            }
            Op::Trips { lo, hi, inclusive } => {
                let usize_loop =
                    matches!(&self.body.val(*lo).ty, Type::Int(name) if name == "usize");
                let (lo, hi) = (self.val(*lo), self.val(*hi));
                let one = inclusive.then(|| quote!(+ 1));
                let less = if *inclusive { quote!(<=) } else { quote!(<) };
                if usize_loop {
                    quote!(if #lo #less #hi { #hi - #lo #one } else { 0 })
                } else {
                    quote!(if #lo #less #hi { __p::i128::wrapping_sub(#hi as _, #lo as _) as __p::usize #one } else { 0 })
                }
            }
            Op::Induction {
                lo,
                hi,
                inclusive,
                reversed,
                trip,
            } => {
                let ty = self.ty(&info.ty, false);
                let (lo, hi, trip) = (self.val(*lo), self.val(*hi), self.val(*trip));
                match (reversed, inclusive) {
                    (false, _) => quote!(#lo + #trip as #ty),
                    (true, true) => quote!(#hi - #trip as #ty),
                    (true, false) => quote!(#hi - 1 - #trip as #ty),
                }
            }
            Op::ResultSeed(k) => {
                let id = super::names::own(&format!("__seed{k}"));
                quote!(#id)
            }
            Op::LaneSum(place) => {
                let path = self.flat(place);
                quote!({
                    let mut __sum = __A::zero();
                    for __lane in #path.iter() {
                        __sum.acc(*__lane);
                    }
                    __sum
                })
            }
        }
    }

    fn is_untold(&self, v: Val) -> bool {
        matches!(&self.body.val(v).ty, Type::Int(name) if name == "_")
    }

    fn range(&self, lo: Val, hi: Val, inclusive: bool) -> TokenStream {
        let (lo, hi) = (self.val(lo), self.val(hi));
        if inclusive {
            quote!((#lo..=#hi))
        } else {
            quote!((#lo..#hi))
        }
    }

    fn bin(&self, op: BinOp, a: Val, b: Val, span: Span) -> TokenStream {
        let (ia, ib) = (self.val(a), self.val(b));
        let float = self.body.val(a).ty == Type::Float;
        let symbol = match op {
            BinOp::Add => quote_spanned!(span=> +),
            BinOp::Sub => quote_spanned!(span=> -),
            BinOp::Mul => quote_spanned!(span=> *),
            BinOp::Div => quote_spanned!(span=> /),
            BinOp::Rem => quote_spanned!(span=> %),
            BinOp::And => quote_spanned!(span=> &),
            BinOp::Or => quote_spanned!(span=> |),
            BinOp::Xor => quote_spanned!(span=> ^),
            BinOp::Shl => quote_spanned!(span=> <<),
            BinOp::Shr => quote_spanned!(span=> >>),
        };
        if float && self.generic(a) && a == b && op == BinOp::Add {
            return quote!(__S::twice(#ia));
        }
        if !float || self.generic(a) == self.generic(b) {
            return quote_spanned!(span=> #ia #symbol #ib);
        }
        let right = self.generic(a);
        match (op, right) {
            (BinOp::Add, true) => quote!(__S::add_real(#ia, #ib)),
            (BinOp::Add, false) => quote!(__S::add_real(#ib, #ia)),
            (BinOp::Sub, true) => quote!(__S::sub_real(#ia, #ib)),
            (BinOp::Sub, false) => quote!(__S::real_sub(#ia, #ib)),
            (BinOp::Mul, true) => quote!(__S::mul_real(#ia, #ib)),
            (BinOp::Mul, false) => quote!(__S::mul_real(#ib, #ia)),
            (BinOp::Div, true) => quote!(__S::div_real(#ia, #ib)),
            (BinOp::Div, false) => quote!(__S::real_div(#ia, #ib)),
            (BinOp::Rem, true) => quote!(__S::rem_real(#ia, #ib)),
            (BinOp::Rem, false) => quote!(__S::real_rem(#ia, #ib)),
            (BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr, _) => {
                unreachable!("verify: no bit operations on floats")
            }
        }
    }

    fn cmp(&self, op: CmpOp, a: Val, b: Val, span: Span) -> TokenStream {
        let (ia, ib) = (self.val(a), self.val(b));
        let generic = self.generic(a) || self.generic(b);
        if op == CmpOp::TotalLt {
            let primal = |v: Val| {
                let id = self.val(v);
                if self.generic(v) {
                    quote!(__S::primal(#id))
                } else {
                    quote!(#id)
                }
            };
            let (a, b) = (primal(a), primal(b));
            return quote_spanned!(span=> #a.total_cmp(&#b).is_lt());
        }
        if !generic {
            let symbol = match op {
                CmpOp::Lt => quote_spanned!(span=> <),
                CmpOp::Le => quote_spanned!(span=> <=),
                CmpOp::Gt => quote_spanned!(span=> >),
                CmpOp::Ge => quote_spanned!(span=> >=),
                CmpOp::Eq => quote_spanned!(span=> ==),
                CmpOp::Ne => quote_spanned!(span=> !=),
                CmpOp::TotalLt => unreachable!("cmp: the total order has no operator"),
            };
            return quote_spanned!(span=> #ia #symbol #ib);
        }
        let name = match op {
            CmpOp::Lt => quote!(lt),
            CmpOp::Le => quote!(le),
            CmpOp::Gt => quote!(gt),
            CmpOp::Ge => quote!(ge),
            CmpOp::Eq => quote!(eq),
            CmpOp::Ne => quote!(ne),
            CmpOp::TotalLt => unreachable!("cmp: the total order is that of the primal values"),
        };
        let (a, b) = (self.lifted(a), self.lifted(b));
        quote!(__S::#name(#a, #b))
    }

    /// Passive code, with the user's names bound around it.
    pub(crate) fn verbatim(
        &self,
        tokens: &TokenStream,
        operands: &[(String, Val)],
        places: &[(String, PlaceId)],
    ) -> TokenStream {
        self.verbatim_of(tokens, operands, places, &[])
    }

    /// The same, which also reads what is here under other names.
    pub(super) fn verbatim_of(
        &self,
        tokens: &TokenStream,
        operands: &[(String, Val)],
        places: &[(String, PlaceId)],
        others: &[(&str, TokenStream)],
    ) -> TokenStream {
        // what a block binds does not outlive it
        if let Some(place) = borrowed_place(tokens, places) {
            let id = self.variable(place);
            return quote!(&#id);
        }
        let mut binds = TokenStream::new();
        let told = self.if_sound(&quote!(_));
        for (name, v) in operands {
            let (name, id) = (user(name), self.val(*v));
            // only `passive(..)` may read what is differentiated: it reads the value
            let value = if self.generic(*v) {
                quote!(__S::primal(#id))
            } else {
                quote!(#id)
            };
            binds.extend(quote!(let #name: #told = #value;));
        }
        for (name, other) in others {
            let name = user(name);
            binds.extend(quote!(let #name: #told = #other;));
        }
        // what is borrowed of a parameter outlives the block: it goes by its own name
        let mut tokens = tokens.clone();
        for (name, p) in places {
            let place = self.body.place(*p);
            let is_opaque = matches!(place.kind, PlaceKind::ValueParam(_))
                && matches!(place.ty, Type::Opaque(_));
            let is_state = place.kind == PlaceKind::State;
            if self.body.reads_values(*p) {
                let (name, id, rt) = (user(name), self.variable(*p), self.rt);
                binds.extend(quote!(let #name = { use #rt::Shown as _; #id[..].shown() };));
                continue;
            }
            if is_state || is_opaque || name == OPAQUE_PART && !self.mutable_views.contains_key(p) {
                tokens = renamed(tokens, name, &self.place_ident(*p));
                continue;
            }
            let (name, id) = (user(name), self.variable(*p));
            let shared = match place.kind {
                // `&&[usize; 3]` is no slice
                PlaceKind::Local | PlaceKind::ValueParam(_)
                    if is_array(&place.ty) && is_borrowed(&tokens, &name) =>
                {
                    quote!(#id)
                }
                PlaceKind::Local | PlaceKind::ValueParam(_)
                    if !place.ty.is_scalar() && !matches!(place.ty, Type::Opaque(_)) =>
                {
                    quote!(&#id)
                }
                _ => quote!(#id),
            };
            binds.extend(quote!(let #name: #told = #shared;));
        }
        if binds.is_empty() {
            quote!(#tokens)
        } else {
            passive::behind_lets(binds, &tokens, &|_| false)
        }
    }

    /// Code that is run for what it does, with what it leaves behind.
    pub(super) fn effect(&self, e: &Effect) -> TokenStream {
        let code = self.verbatim(&e.tokens.0, &e.operands, &e.places);
        match &e.gives {
            Gives::State(p) => {
                let id = self.place_ident(*p);
                quote!(let mut #id = #code;)
            }
            _ => match e.vals() {
                [] => quote!(#code;),
                [v] => {
                    let (id, ty) = (self.val(*v), self.val_ty(*v));
                    quote!(let #id: #ty = #code;)
                }
                vals => {
                    let ids = vals.iter().map(|v| self.val(*v));
                    let types = vals.iter().map(|v| self.val_ty(*v));
                    quote!(let (#(#ids),*): (#(#types),*) = #code;)
                }
            },
        }
    }

    /// A place as code of the user's sees it: mutable views have no variable of their own.
    pub(crate) fn variable(&self, place: PlaceId) -> TokenStream {
        if self.mutable_views.contains_key(&place) {
            let path = self.path(&place.into());
            return quote!((&#path));
        }
        self.place_ident(place).to_token_stream()
    }

    fn reload(&self, v: Val, slot: Slot) -> TokenStream {
        let info = self.body.val(v);
        match slot {
            Slot::Word(k) => {
                let kept = self.frame().word(k);
                if self.generic(v) {
                    kept
                } else {
                    quote!(__S::primal(#kept))
                }
            }
            Slot::Int(k) => self.read_ints(&info.ty, |j| self.frame().int(k + j)),
        }
    }

    /// Keeps a value.
    pub(crate) fn record(&self, v: Val, slot: Slot) -> TokenStream {
        match slot {
            Slot::Word(k) => {
                let (place, value) = (self.frame().word(k), self.lifted(v));
                quote!(#place = #value;)
            }
            Slot::Int(k) => {
                let id = self.val(v);
                self.to_ints(&self.body.val(v).ty, &id, |j| self.frame().int(k + j))
            }
        }
    }
}

/// The place that `&name` or `&(name)` borrows as a whole.
fn borrowed_place(tokens: &TokenStream, places: &[(String, PlaceId)]) -> Option<PlaceId> {
    let mut trees = tokens.clone().into_iter();
    let (first, second) = (trees.next()?, trees.next()?);
    let is_reference = matches!(&first, TokenTree::Punct(p) if p.as_char() == '&');
    let name = match second {
        TokenTree::Group(g) => g.stream().to_string(),
        other => other.to_string(),
    };
    let mut places = places.iter().filter(|(of, _)| *of == name);
    let place = places.next().map(|(_, p)| *p);
    place.filter(|_| is_reference && trees.next().is_none())
}

/// A float literal of the function's float type, bit for bit.
pub(crate) fn float(c: f64, ty: &str) -> TokenStream {
    let plain = c.is_finite() && c.is_sign_positive();
    if ty == "f32" {
        // exact: `lower` rounded it to `f32`
        let c = c as f32;
        if plain {
            let lit = Literal::f32_suffixed(c);
            return quote!(#lit);
        }
        let bits = c.to_bits();
        return quote!(__p::f32::from_bits(#bits));
    }
    if plain {
        let lit = Literal::f64_suffixed(c);
        quote!(#lit)
    } else {
        let bits = c.to_bits();
        quote!(__p::f64::from_bits(#bits))
    }
}

/// The name or number of a field.
/// A field of something; the array itself of a struct that stands for one.
pub(crate) fn field(of: &TokenStream, name: &str) -> TokenStream {
    if name == ITSELF {
        return of.clone();
    }
    let name = member(name);
    quote!(#of.#name)
}

pub(crate) fn member(name: &str) -> TokenStream {
    match name.parse::<usize>() {
        Ok(n) => {
            let n = Literal::usize_unsuffixed(n);
            quote!(#n)
        }
        Err(_) => {
            let name = user(name);
            quote!(#name)
        }
    }
}

/// A name as the user wrote it, visible to the user's tokens.
pub(crate) fn user(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

/// Code with another name of a variable; fields, methods, items and arguments of macros keep theirs.
fn renamed(tokens: TokenStream, from: &str, to: &Ident) -> TokenStream {
    let (mut out, mut before) = (TokenStream::new(), None);
    let mut trees = tokens.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let sign = match &tree {
            TokenTree::Punct(p) => access(before, p),
            _ => None,
        };
        let after = std::mem::replace(&mut before, sign);
        let keeps = matches!(after, Some('.' | ':')) || is_argument(after, trees.peek());
        let tree = match tree {
            TokenTree::Ident(name) if !keeps && name == *from => TokenTree::Ident(to.clone()),
            TokenTree::Group(g) => {
                let inner = renamed(g.stream(), from, to);
                TokenTree::Group(proc_macro2::Group::new(g.delimiter(), inner))
            }
            other => other,
        };
        out.extend([tree]);
    }
    out
}

/// An array of integers, of which a copy is made like that of one.
fn is_array(ty: &Type) -> bool {
    matches!(ty, Type::Array(..)) && matches!(ty.leaf(), Type::Int(_) | Type::Bool)
}

/// Whether code borrows all of a variable, as `&name`.
fn is_borrowed(tokens: &TokenStream, name: &Ident) -> bool {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let is_sign = |tree: Option<&TokenTree>, sign: char| matches!(tree, Some(TokenTree::Punct(p)) if p.as_char() == sign);
    let mut each = trees.iter().enumerate();
    each.any(|(k, tree)| match tree {
        TokenTree::Ident(ident) if ident == name => {
            let before = k.checked_sub(1).and_then(|k| trees.get(k));
            let after = trees.get(k + 1);
            let is_whole = after.is_none() || is_sign(after, ',') || is_sign(after, ';');
            is_whole && is_sign(before, '&')
        }
        TokenTree::Group(g) => is_borrowed(&g.stream(), name),
        _ => false,
    })
}
