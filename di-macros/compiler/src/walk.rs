//! Walks over the user's syntax: one that reads and one that changes. What looks for something in a tree drives one of
//! them by a closure, so that the walks through all of the syntax are compiled once.

use crate::template::parse_quote;
use proc_macro2::Ident;
use quote::ToTokens;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::visit_mut::{self, VisitMut};

/// How a walk goes on behind a node.
pub(crate) enum Onward {
    /// To the nodes below it.
    Into,
    /// Past the nodes below it.
    Over,
    /// It ends: what was looked for is found.
    Found,
}

/// The arguments of `vec![a; n]`, `assert!(c)` and others, if they are expressions.
pub(crate) fn arguments(mac: &syn::Macro) -> Option<Punctuated<syn::Expr, syn::Token![,]>> {
    let listed = Punctuated::parse_terminated.parse2(mac.tokens.clone());
    listed.ok().or_else(|| filled(mac))
}

/// The arguments of `vec![a; n]`.
fn filled(mac: &syn::Macro) -> Option<Punctuated<syn::Expr, syn::Token![,]>> {
    let parse = |input: ParseStream<'_>| {
        let of: syn::Expr = input.parse()?;
        input.parse::<syn::Token![;]>()?;
        Ok(Punctuated::from_iter([of, input.parse()?]))
    };
    parse.parse2(mac.tokens.clone()).ok()
}

/// `matches!(e, pat if guard)` as the `match` that it stands for.
pub(crate) fn as_match(mac: &syn::Macro) -> Option<syn::ExprMatch> {
    if !mac.path.is_ident("matches") {
        return None;
    }
    let parse = |input: ParseStream<'_>| {
        let of: syn::Expr = input.parse()?;
        input.parse::<syn::Token![,]>()?;
        let pat = syn::Pat::parse_multi_with_leading_vert(input)?;
        let guard = match input.parse::<Option<syn::Token![if]>>()? {
            Some(_) => Some(input.parse::<syn::Expr>()?),
            None => None,
        };
        input.parse::<Option<syn::Token![,]>>()?;
        Ok((of, pat, guard))
    };
    let (of, pat, guard) = parse.parse2(mac.tokens.clone()).ok()?;
    let held: syn::Arm = match guard {
        Some(guard) => parse_quote!(#pat if #guard => true,),
        None => parse_quote!(#pat => true,),
    };
    Some(syn::ExprMatch {
        attrs: Vec::new(),
        match_token: Default::default(),
        expr: Box::new(of),
        brace_token: Default::default(),
        arms: vec![held, parse_quote!(_ => false,)],
    })
}

/// Changes the arguments of a macro.
pub(crate) fn change_arguments(
    mac: &mut syn::Macro,
    change_in: &mut dyn FnMut(NodeMut<'_>) -> Onward,
) {
    let Some(mut all) = arguments(mac) else {
        return;
    };
    for arg in &mut all {
        change(NodeMut::Expr(arg), change_in);
    }
    mac.tokens = match filled(mac) {
        Some(_) => {
            let mut tokens = all[0].to_token_stream();
            <syn::Token![;]>::default().to_tokens(&mut tokens);
            all[1].to_tokens(&mut tokens);
            tokens
        }
        None => all.into_token_stream(),
    };
}

/// Whether an operator is `+=` or one of its kin.
pub(crate) fn is_assignment(op: &syn::BinOp) -> bool {
    matches!(
        op,
        syn::BinOp::AddAssign(_)
            | syn::BinOp::SubAssign(_)
            | syn::BinOp::MulAssign(_)
            | syn::BinOp::DivAssign(_)
            | syn::BinOp::RemAssign(_)
            | syn::BinOp::BitAndAssign(_)
            | syn::BinOp::BitOrAssign(_)
            | syn::BinOp::BitXorAssign(_)
            | syn::BinOp::ShlAssign(_)
            | syn::BinOp::ShrAssign(_)
    )
}

/// Both walks: the nodes that they stop at, and by which method of `syn` each is visited.
macro_rules! walks {
    ($($node:ident($ty:ty) $visit:ident)*; $($node_mut:ident($ty_mut:ty) $visit_mut:ident)*) => {
        /// A part of a tree that is read.
        #[derive(Clone, Copy)]
        pub(crate) enum Node<'a> {
            $($node(&'a $ty),)*
        }

        impl<'a> Visit<'a> for Walk<'_> {
            $(fn $visit(&mut self, node: &'a $ty) {
                if self.enters(Node::$node(node)) {
                    visit::$visit(self, node);
                }
            })*
        }

        /// A part of a tree that may be changed.
        pub(crate) enum NodeMut<'a> {
            $($node_mut(&'a mut $ty_mut),)*
            Attributes(&'a mut Vec<syn::Attribute>),
        }

        impl VisitMut for Change<'_> {
            $(fn $visit_mut(&mut self, node: &mut $ty_mut) {
                if matches!((self.0)(NodeMut::$node_mut(node)), Onward::Into) {
                    visit_mut::$visit_mut(self, node);
                }
            })*

            fn visit_attributes_mut(&mut self, attrs: &mut Vec<syn::Attribute>) {
                if matches!((self.0)(NodeMut::Attributes(attrs)), Onward::Into) {
                    attrs.iter_mut().for_each(|a| self.visit_attribute_mut(a));
                }
            }
        }

        /// Reads a node and all that is below it. Returns whether the walk ended since something was found.
        pub(crate) fn read(root: Node<'_>, look: &mut dyn FnMut(Node<'_>) -> Onward) -> bool {
            let mut walk = Walk { look, found: false };
            match root {
                $(Node::$node(node) => walk.$visit(node),)*
            }
            walk.found
        }

        /// Changes a node and all that is below it.
        pub(crate) fn change(root: NodeMut<'_>, change: &mut dyn FnMut(NodeMut<'_>) -> Onward) {
            let mut walk = Change(change);
            match root {
                $(NodeMut::$node_mut(node) => walk.$visit_mut(node),)*
                NodeMut::Attributes(attrs) => walk.visit_attributes_mut(attrs),
            }
        }

        /// Changes what is below a node, for those who change the node itself later.
        pub(crate) fn change_below(
            root: NodeMut<'_>,
            change: &mut dyn FnMut(NodeMut<'_>) -> Onward,
        ) {
            let mut walk = Change(change);
            match root {
                $(NodeMut::$node_mut(node) => visit_mut::$visit_mut(&mut walk, node),)*
                NodeMut::Attributes(attrs) => {
                    attrs.iter_mut().for_each(|a| walk.visit_attribute_mut(a));
                }
            }
        }
    };
}

walks! {
    Arm(syn::Arm) visit_arm
    Attribute(syn::Attribute) visit_attribute
    Block(syn::Block) visit_block
    Bound(syn::TypeParamBound) visit_type_param_bound
    Expr(syn::Expr) visit_expr
    ExprPath(syn::ExprPath) visit_expr_path
    Function(syn::ItemFn) visit_item_fn
    GenericParam(syn::GenericParam) visit_generic_param
    Ident(Ident) visit_ident
    Item(syn::Item) visit_item
    Lifetime(syn::Lifetime) visit_lifetime
    Local(syn::Local) visit_local
    Macro(syn::Macro) visit_macro
    Parenthesized(syn::ParenthesizedGenericArguments) visit_parenthesized_generic_arguments
    Pat(syn::Pat) visit_pat
    Path(syn::Path) visit_path
    Predicate(syn::WherePredicate) visit_where_predicate
    Signature(syn::Signature) visit_signature
    Stmt(syn::Stmt) visit_stmt
    Type(syn::Type) visit_type
    ;
    Block(syn::Block) visit_block_mut
    Expr(syn::Expr) visit_expr_mut
    ExprPath(syn::ExprPath) visit_expr_path_mut
    Function(syn::ItemFn) visit_item_fn_mut
    Ident(Ident) visit_ident_mut
    Item(syn::Item) visit_item_mut
    Lifetime(syn::Lifetime) visit_lifetime_mut
    Macro(syn::Macro) visit_macro_mut
    Pat(syn::Pat) visit_pat_mut
    Path(syn::Path) visit_path_mut
    Signature(syn::Signature) visit_signature_mut
    Stmt(syn::Stmt) visit_stmt_mut
    Type(syn::Type) visit_type_mut
}

struct Walk<'f> {
    look: &'f mut dyn FnMut(Node<'_>) -> Onward,
    found: bool,
}

impl Walk<'_> {
    fn enters(&mut self, node: Node<'_>) -> bool {
        if self.found {
            return false;
        }
        let onward = (self.look)(node);
        self.found = matches!(onward, Onward::Found);
        matches!(onward, Onward::Into)
    }
}

struct Change<'f>(&'f mut dyn FnMut(NodeMut<'_>) -> Onward);

/// Whether there is a node of this kind.
pub(crate) fn any(root: Node<'_>, is: &mut dyn FnMut(Node<'_>) -> bool) -> bool {
    read(root, &mut |node| match is(node) {
        true => Onward::Found,
        false => Onward::Into,
    })
}

/// Names that patterns bind, in their order.
pub(crate) fn bound(root: Node<'_>) -> Vec<Ident> {
    let mut names = Vec::new();
    read(root, &mut |node| {
        if let Node::Pat(syn::Pat::Ident(p)) = node {
            names.push(p.ident.clone());
        }
        Onward::Into
    });
    names
}

/// Whether a path in the tree begins with a name for which this holds.
pub(crate) fn has_path_from(root: Node<'_>, is: &mut dyn FnMut(&Ident) -> bool) -> bool {
    any(root, &mut |node| match node {
        Node::Path(path) => path.segments.first().is_some_and(|s| is(&s.ident)),
        _ => false,
    })
}

/// Makes `break 'label e` of `return e`, but for those that return from closures and other functions. Returns whether
/// there is one.
pub(crate) fn returns_to_breaks(label: &syn::Lifetime, root: NodeMut<'_>) -> bool {
    let mut found = false;
    change(root, &mut |node| match node {
        NodeMut::Item(_) | NodeMut::Expr(syn::Expr::Closure(_)) => Onward::Over,
        NodeMut::Expr(e) => {
            if let syn::Expr::Return(r) = e {
                found = true;
                if let Some(value) = &mut r.expr {
                    returns_to_breaks(label, NodeMut::Expr(value));
                }
                let value = &r.expr;
                *e = parse_quote!(break #label #value);
                return Onward::Over;
            }
            Onward::Into
        }
        _ => Onward::Into,
    });
    found
}

/// Without parentheses and groups.
pub(crate) fn strip(e: &syn::Expr) -> &syn::Expr {
    match e {
        syn::Expr::Paren(p) => strip(&p.expr),
        syn::Expr::Group(g) => strip(&g.expr),
        other => other,
    }
}

/// A pattern without its type.
pub(crate) fn untyped(pat: &syn::Pat) -> &syn::Pat {
    match pat {
        syn::Pat::Type(t) => &t.pat,
        pat => pat,
    }
}

/// Whether a part of a type is not written, `Vec<_>`.
pub(crate) fn has_hole(ty: &syn::Type) -> bool {
    any(Node::Type(ty), &mut |node| {
        matches!(node, Node::Type(syn::Type::Infer(_)))
    })
}
