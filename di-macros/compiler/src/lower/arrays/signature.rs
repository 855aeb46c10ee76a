//! Parameters and the result.

use super::array::Array;
use super::kinds::{self, Held};
use super::{Flat, Indices, Known, Owner};
use crate::error;
use crate::ir::{ArrayPart, Returned, Tokens};
use crate::lower::written::{ArrayParam, ArrayType, Written};
use crate::template::parse_quote;
use quote::ToTokens;

/// What a type of a signature must be.
pub(super) fn array_type(ty: &syn::Type, kind: &kinds::Kind) -> Option<ArrayType> {
    let mut bare = crate::lower::types::ungroup(ty);
    while let syn::Type::Reference(r) = bare {
        bare = crate::lower::types::ungroup(&r.elem);
    }
    let syn::Type::Path(p) = bare else {
        return None;
    };
    let name = p.path.segments.last()?.ident.to_string();
    let name = match name.trim_end_matches(['1', '2']) {
        "Array" => "Array",
        "ArrayView" => "ArrayView",
        "ArrayViewMut" => "ArrayViewMut",
        _ => return None,
    };
    Some(ArrayType {
        written: Tokens(crate::lower::signature::without_lifetimes(bare)),
        name,
        rank: kind.rank,
        element: Tokens(kind.element.to_token_stream()),
    })
}

impl Flat<'_> {
    /// The type that a constructor belongs to.
    pub(super) fn owner(&mut self, path: &syn::Path) {
        let mut path = path.clone();
        path.segments.pop();
        path.segments.pop_punct();
        let Some(last) = path.segments.last_mut() else {
            return;
        };
        let float = self.float_type();
        let view = last.ident.to_string().starts_with("ArrayView");
        last.arguments = if view {
            syn::PathArguments::AngleBracketed(parse_quote!(<'_, #float>))
        } else {
            syn::PathArguments::AngleBracketed(parse_quote!(<#float>))
        };
        let ty: syn::Type = parse_quote!(#path);
        let Some(found) = kinds::read(&ty).and_then(|kind| array_type(&ty, &kind)) else {
            return;
        };
        if !self.types.iter().any(|t| t.written == found.written) {
            self.types.push(found);
        }
    }

    /// The signature without arrays; their parameters are known from now on. The body is still that of
    /// the user.
    pub(super) fn signature(&mut self, function: &syn::ItemFn) -> Written {
        let mut written = Written {
            function: function.clone(),
            params: Vec::new(),
            result: None,
            types: Vec::new(),
            uses: Vec::new(),
        };
        let mut inputs: Vec<syn::FnArg> = Vec::new();
        for input in &function.sig.inputs {
            let syn::FnArg::Typed(typed) = input else {
                inputs.push(input.clone());
                continue;
            };
            match kinds::read(&typed.ty) {
                Some(kind) => {
                    self.types.extend(array_type(&typed.ty, &kind));
                    self.parameter(typed, &kind, &mut inputs, &mut written.params);
                }
                None => {
                    let is_constant = typed.attrs.iter().any(|a| a.path().is_ident("constant"));
                    if kinds::within(&typed.ty) && !is_constant {
                        self.refuse(&typed.ty, &error::ARRAY_TYPE);
                    }
                    let ty = self.env.expanded(&typed.ty);
                    self.hide_as(&typed.pat, Some(&ty));
                    let is_lent = matches!(&ty, syn::Type::Reference(r) if r.mutability.is_some());
                    self.belongs(
                        &typed.pat,
                        match is_constant {
                            true => Owner::Constant,
                            false if is_lent => Owner::Caller,
                            false => Owner::Function,
                        },
                    );
                    if let syn::Pat::Ident(name) = &*typed.pat
                        && let Some(form) = Indices::of_type(&typed.ty)
                    {
                        self.note(&name.ident, Known::Indices(form));
                    }
                    inputs.push(input.clone());
                }
            }
        }
        written.function.sig.inputs = inputs.into_iter().collect();
        if let syn::ReturnType::Type(_, ty) = &function.sig.output {
            match self.without_arrays(ty) {
                Some(flat) if kinds::within(ty) => {
                    self.ret = kinds::read(ty).map(|kind| kind.rank);
                    let of = super::parts::payload(ty);
                    let kind = kinds::read(of.as_ref().unwrap_or(ty));
                    written.result = Some(match kind {
                        Some(kind) => Returned::Array(kind.rank),
                        None => Returned::Parts,
                    });
                    written.function.sig.output = parse_quote!(-> #flat);
                }
                Some(_) => {}
                None => self.refuse(ty, &error::ARRAY_TYPE),
            }
        }
        written
    }

    /// `Vec<f64>`, or that and the lengths.
    pub(super) fn owned_type(&self, rank: usize, element: &syn::Type) -> syn::Type {
        if rank == 1 {
            parse_quote!(Vec<#element>)
        } else {
            parse_quote!((Vec<#element>, usize, usize))
        }
    }

    fn parameter(
        &mut self,
        typed: &syn::PatType,
        kind: &kinds::Kind,
        inputs: &mut Vec<syn::FnArg>,
        params: &mut Vec<ArrayParam>,
    ) {
        let syn::Pat::Ident(syn::PatIdent {
            ident,
            by_ref: None,
            subpat: None,
            ..
        }) = &*typed.pat
        else {
            // the signature says what is wrong
            inputs.push(syn::FnArg::Typed(typed.clone()));
            return;
        };
        let element = &kind.element;
        let constant = typed.attrs.iter().any(|a| a.path().is_ident("constant"));
        let ty: syn::Type = match kind.held {
            Held::Owned if constant => {
                self.refuse(&typed.ty, &error::ARRAY_CONSTANT);
                parse_quote!(&[#element])
            }
            Held::Owned => parse_quote!(Vec<#element>),
            Held::Shared => parse_quote!(&[#element]),
            Held::Mut => parse_quote!(&mut [#element]),
        };
        let attrs = &typed.attrs;
        let mutability = (kind.held == Held::Owned).then(|| syn::Token![mut](ident.span()));
        let of = inputs.len();
        inputs.push(parse_quote!(#(#attrs)* #mutability #ident: #ty));
        params.push((
            of,
            ArrayPart::Elements {
                rank: kind.rank,
                view: kind.held != Held::Owned && !kind.referred,
                element: Tokens(element.to_token_stream()),
            },
        ));
        let base: syn::Expr = parse_quote!(#ident);
        let dims = if kind.rank == 1 {
            vec![parse_quote!(#ident.len())]
        } else {
            let lengths = (0..2).map(|axis| {
                let name = self.name(&format!("{ident}_n"));
                inputs.push(parse_quote!(#[constant] #name: usize));
                params.push((inputs.len() - 1, ArrayPart::Length { of, axis }));
                parse_quote!(#name)
            });
            lengths.collect()
        };
        let mut array = Array::whole(base, dims, kind.held == Held::Owned);
        array.exclusive = kind.held == Held::Mut;
        self.declare(ident, Some(array));
    }
}
