//! Types of numbers in collections, where they are not written: `let mut seen = BTreeSet::new(); seen.insert(k);`

use super::Reader;
use super::expr::{strip, unraw};
use super::known::is_scalar;
use crate::lower::ty::Ty;
use crate::lower::types;
use crate::sorted::Map;
use crate::template::parse_quote;
use crate::walk::{self, Node};
use proc_macro2::Ident;

/// What statements put into a collection: keys, or items, and values; and where names that they bind count from.
#[derive(Default)]
struct Contents {
    parts: [Vec<syn::Expr>; 2],
    counted: Map<String, syn::Expr>,
}

impl Reader<'_> {
    /// The type of a collection with those of the numbers that its statements put into it, as far as it is not written.
    pub(super) fn with_contents(
        &mut self,
        ty: &syn::Type,
        name: &Ident,
        whole: &syn::Expr,
    ) -> syn::Type {
        let mut ty = ty.clone();
        let syn::Type::Path(p) = &mut ty else {
            return ty;
        };
        let written = types::arguments(&p.path).into_iter().cloned();
        let mut parts: Vec<syn::Type> = written.collect();
        let Some(last) = p.path.segments.last_mut() else {
            return ty;
        };
        let count = match &*last.ident.to_string() {
            "BTreeMap" | "HashMap" => 2,
            "BTreeSet" | "BinaryHeap" | "HashSet" | "LinkedList" | "VecDeque" => 1,
            _ => return ty,
        };
        while parts.len() < count {
            parts.push(parse_quote!(_));
        }
        let found = Contents::of(name, whole);
        let mut is_known = false;
        for (part, values) in parts.iter_mut().zip(&found.parts) {
            if let syn::Type::Infer(_) = part
                && let Some(of) = self.number_among(values, &found.counted)
            {
                (*part, is_known) = (of, true);
            }
        }
        if is_known {
            last.arguments = syn::PathArguments::AngleBracketed(parse_quote!(<#(#parts),*>));
        }
        ty
    }

    /// The type of numbers of which one is known best.
    fn number_among(
        &mut self,
        values: &[syn::Expr],
        counted: &Map<String, syn::Expr>,
    ) -> Option<syn::Type> {
        let mut found = None;
        for value in values {
            match self.number_of_code(value, counted)? {
                ty @ Ty::Var(var) if self.types.traits(&ty).is_some_and(|t| t.integer) => {
                    found.get_or_insert(types::inferred(var));
                }
                Ty::Int(of) => return syn::parse_str(&of).ok().filter(is_scalar),
                Ty::Bool => return Some(parse_quote!(bool)),
                _ => return None,
            }
        }
        found
    }

    /// The type of an integer or a bool, as far as code tells.
    fn number_of_code(&mut self, e: &syn::Expr, counted: &Map<String, syn::Expr>) -> Option<Ty> {
        match strip(e) {
            syn::Expr::Lit(l) if matches!(l.lit, syn::Lit::Int(_) | syn::Lit::Bool(_)) => {
                Some(self.literal(&l.lit).ty)
            }
            syn::Expr::Path(p) => {
                let name = unraw(p.path.get_ident()?);
                if let Some(from) = counted.get(&name) {
                    return self.number_of_code(from, &Map::new());
                }
                let local = self.lookup(&name)?;
                Some(self.types.peel(&self.locals[local.0].ty))
            }
            syn::Expr::Unary(u) => self.number_of_code(&u.expr, counted),
            syn::Expr::Binary(b) => {
                super::expr::bin_op(&b.op)?;
                let side = match strip(&b.left) {
                    syn::Expr::Lit(_) => &b.right,
                    _ => &b.left,
                };
                self.number_of_code(side, counted)
            }
            syn::Expr::Cast(c) => self.annotation(&c.ty),
            e => {
                let ty = self.env.expanded(&self.type_as_written(e)?);
                types::read_plain(&ty, self.float, &mut self.types)
            }
        }
    }
}

impl Contents {
    fn of(name: &Ident, whole: &syn::Expr) -> Contents {
        let mut found = Contents::default();
        let is_its =
            |e: &syn::Expr| matches!(strip(e), syn::Expr::Path(p) if p.path.is_ident(name));
        walk::any(Node::Expr(whole), &mut |node| {
            let Node::Expr(e) = node else { return false };
            match e {
                syn::Expr::ForLoop(f) => {
                    if let (syn::Pat::Ident(p), syn::Expr::Range(r)) = (&*f.pat, strip(&f.expr))
                        && let Some(from) = counted(r)
                    {
                        found.counted.insert(unraw(&p.ident), from.clone());
                    }
                }
                syn::Expr::MethodCall(m) => {
                    let puts = match &*m.method.to_string() {
                        "insert" | "push" | "push_back" | "push_front" | "entry" => {
                            is_its(&m.receiver)
                        }
                        "or_insert" => {
                            if let syn::Expr::MethodCall(of) = strip(&m.receiver)
                                && is_its(&of.receiver)
                            {
                                found.parts[1].extend(m.args.first().cloned());
                            }
                            false
                        }
                        _ => false,
                    };
                    if puts {
                        found.put(m.args.iter());
                    }
                }
                _ => {}
            }
            false
        });
        if let syn::Expr::Block(b) = whole
            && let Some(syn::Stmt::Local(local)) = b.block.stmts.first()
            && let Some(init) = &local.init
        {
            found.begin(&init.expr);
        }
        found
    }

    /// `BTreeSet::from([1, 2])`, `(0..n).collect()`
    fn begin(&mut self, init: &syn::Expr) {
        match strip(init) {
            syn::Expr::Call(c) => c.args.iter().for_each(|arg| self.begin(arg)),
            syn::Expr::MethodCall(m)
                if ["collect", "into_iter"].iter().any(|name| m.method == name) =>
            {
                self.begin(&m.receiver);
            }
            syn::Expr::Array(a) => {
                for of in &a.elems {
                    match strip(of) {
                        syn::Expr::Tuple(t) => self.put(t.elems.iter()),
                        of => self.put(std::iter::once(of)),
                    }
                }
            }
            syn::Expr::Range(r) => self.put(counted(r).into_iter()),
            _ => {}
        }
    }

    fn put<'e>(&mut self, values: impl Iterator<Item = &'e syn::Expr>) {
        for (part, value) in self.parts.iter_mut().zip(values) {
            part.push(value.clone());
        }
    }
}

/// The end of a range that tells more of its type.
fn counted(r: &syn::ExprRange) -> Option<&syn::Expr> {
    let (from, to) = (r.start.as_ref()?, r.end.as_ref()?);
    Some(match strip(from) {
        syn::Expr::Lit(_) => to,
        _ => from,
    })
}
