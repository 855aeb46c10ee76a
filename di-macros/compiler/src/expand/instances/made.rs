//! Expressions that make a struct, by its name.

use crate::template::{parse_quote, quote};

/// The struct that an expression makes by its name, without types.
pub(super) fn made_of(e: &syn::Expr) -> Option<syn::Ident> {
    let path = match e {
        syn::Expr::Struct(s) => &s.path,
        syn::Expr::Call(c) => match &*c.func {
            syn::Expr::Path(p) => &p.path,
            _ => return None,
        },
        _ => return None,
    };
    let mut own = path.segments.iter().skip(modules_of(path));
    let name = own.next().filter(|name| name.arguments.is_none())?;
    (own.len() <= 1).then(|| name.ident.clone())
}

/// How many modules stand in front of a type: `links::Pair::new`.
pub(super) fn modules_of(path: &syn::Path) -> usize {
    let is_module = |s: &&syn::PathSegment| {
        let name = s.ident.to_string();
        s.arguments.is_none() && name.starts_with(char::is_lowercase)
    };
    let last = path.segments.len() - 1;
    path.segments
        .iter()
        .take(last)
        .take_while(is_module)
        .count()
}

/// The same by the name of an instance, of which there is no function.
pub(super) fn rename(e: &mut syn::Expr, name: &syn::Ident) {
    let put_into = |path: &mut syn::Path| {
        let at = modules_of(path);
        let of = &mut path.segments[at].ident;
        let span = of.span();
        *of = name.clone();
        of.set_span(span);
        at + 1 == path.segments.len()
    };
    match e {
        syn::Expr::Struct(s) => {
            put_into(&mut s.path);
        }
        syn::Expr::Call(c) => {
            if let syn::Expr::Path(p) = &mut *c.func
                && put_into(&mut p.path)
            {
                let parts = c.args.iter().enumerate().map(|(k, arg)| {
                    let k = syn::Index::from(k);
                    quote!(#k: #arg)
                });
                *e = parse_quote!(#p { #(#parts),* });
            }
        }
        _ => {}
    }
}
