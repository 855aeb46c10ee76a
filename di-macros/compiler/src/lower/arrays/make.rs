//! Expressions that are arrays: which they are, and what they are written out as.

use super::array::{Array, bare, strip};
use super::join::Joined;
use super::{Flat, kinds};
use crate::error;
use crate::template::parse_quote;

/// Methods of arrays whose result is an array, with the change of rank.
fn rank_of_method(name: &str, rank: usize) -> Option<usize> {
    match name {
        "view" | "view_mut" | "reborrow" | "to_owned" | "clone" | "into_owned" | "t"
        | "reversed_axes" | "slice" | "slice_mut" | "mapv" | "map" | "mapv_into" => Some(rank),
        "row" | "row_mut" | "column" | "column_mut" | "diag" => Some(1),
        "index_axis" | "index_axis_mut" | "sum_axis" | "fold_axis" | "map_axis" => {
            rank.checked_sub(1)
        }
        "insert_axis" => Some(rank + 1),
        _ => None,
    }
}

impl Flat<'_> {
    /// Rank of an expression that is an array; `None` if it is none.
    pub(super) fn rank_of(&mut self, e: &syn::Expr) -> Option<usize> {
        match bare(e) {
            syn::Expr::Path(p) => match p.path.get_ident().and_then(|i| self.lookup(i)) {
                Some(array) => Some(array.rank()),
                None => self.kind_of(e).map(|kind| kind.rank),
            },
            syn::Expr::Field(_) | syn::Expr::Index(_) | syn::Expr::Try(_) => {
                let kind = self.made_kind(e).or_else(|| self.kind_of(e));
                kind.map(|kind| kind.rank)
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Neg(_)) => self.rank_of(&u.expr),
            syn::Expr::Binary(b) if super::elements::operator(&b.op).is_some() => {
                let (left, right) = (self.rank_of(&b.left), self.rank_of(&b.right));
                left.max(right)
            }
            syn::Expr::MethodCall(m) => {
                let of_array = self.rank_of_call(m);
                of_array.or_else(|| {
                    let kind = self.made_kind(e).or_else(|| self.kind_of(e));
                    kind.map(|kind| kind.rank)
                })
            }
            syn::Expr::Macro(m) => match super::join::listed(&m.mac) {
                Some((dims, _)) => Some(dims.len()),
                None => self.rank_of_joined(&Joined::of_macro(&m.mac)?),
            },
            syn::Expr::Call(c) => match constructor(c) {
                Some((rank, _)) => Some(rank),
                None => {
                    let kind = self.made_kind(e).or_else(|| self.kind_of(e));
                    kind.map(|kind| kind.rank)
                }
            },
            syn::Expr::If(i) => {
                i.else_branch.as_ref()?;
                self.rank_of_block(&i.then_branch)
            }
            syn::Expr::Block(b) if b.label.is_none() => self.rank_of_block(&b.block),
            syn::Expr::Match(m) => {
                let of = self.matched(&m.expr);
                m.arms.iter().find_map(|arm| {
                    self.scoped(|f| {
                        f.take_apart(&arm.pat, &of, Some(&m.expr));
                        f.rank_of(&arm.body)
                    })
                })
            }
            _ => None,
        }
    }

    fn rank_of_block(&mut self, b: &syn::Block) -> Option<usize> {
        self.in_block(b, |f, value| f.rank_of(value))
    }

    /// What is found in the value of a block, where its variables are known.
    pub(super) fn in_block<T>(
        &mut self,
        b: &syn::Block,
        find: impl Fn(&mut Self, &syn::Expr) -> Option<T>,
    ) -> Option<T> {
        self.scoped(|f| {
            for (k, stmt) in b.stmts.iter().enumerate() {
                let typed = f.pushed(stmt, &b.stmts[k + 1..]);
                match typed.as_ref().unwrap_or(stmt) {
                    syn::Stmt::Local(local) => {
                        let (pat, kind) = match &local.pat {
                            syn::Pat::Type(t) => (&*t.pat, kinds::read(&t.ty)),
                            other => (other, None),
                        };
                        let rank = match (&kind, &local.init) {
                            (Some(kind), _) => Some(kind.rank),
                            (None, Some(init)) => f.rank_of(&init.expr),
                            (None, None) => None,
                        };
                        match (pat, rank) {
                            (syn::Pat::Ident(p), Some(rank)) => {
                                let one: syn::Expr = parse_quote!(1);
                                let name = &p.ident;
                                let array =
                                    Array::whole(parse_quote!(#name), vec![one; rank], false);
                                f.declare(name, Some(array));
                            }
                            (pat, _) => match &local.init {
                                Some(_) if f.written_list(&local.pat).is_some() => {
                                    let of = f.written_list(&local.pat);
                                    f.hide_as(pat, of.as_ref());
                                }
                                Some(init) => {
                                    let of = f.matched(&init.expr);
                                    f.take_apart(pat, &of, Some(&init.expr));
                                }
                                None => f.hide(pat),
                            },
                        }
                    }
                    syn::Stmt::Expr(e, None) if k + 1 == b.stmts.len() => return find(f, e),
                    _ => {}
                }
            }
            None
        })
    }

    fn rank_of_call(&mut self, m: &syn::ExprMethodCall) -> Option<usize> {
        let name = m.method.to_string();
        if matches!(name.as_str(), "unwrap" | "expect") {
            if let Some(joined) = joined_by_call(m) {
                return self.rank_of_joined(&joined);
            }
            return self.checked(m).map(|(rank, ..)| rank);
        }
        let rank = self.rank_of(&m.receiver)?;
        match name.as_str() {
            "dot" => {
                let other = self.rank_of(m.args.first()?)?;
                match (rank, other) {
                    (1, 1) => None,
                    (2, 2) => Some(2),
                    _ => Some(1),
                }
            }
            // one that is not understood is refused later
            "slice" | "slice_mut" => {
                Some(super::view::rank_of_slice(m.args.first()?).unwrap_or(rank))
            }
            name => rank_of_method(name, rank)
                .or_else(|| super::elements::is_float_method(name).then_some(rank)),
        }
    }

    /// What `unwrap` makes an array of: rank, method or function, receiver and arguments.
    #[allow(clippy::type_complexity)]
    fn checked(
        &mut self,
        m: &syn::ExprMethodCall,
    ) -> Option<(usize, String, Option<syn::Expr>, Vec<syn::Expr>)> {
        match strip(&m.receiver) {
            syn::Expr::MethodCall(inner) => {
                let name = inner.method.to_string();
                let rank = self.rank_of(&inner.receiver)?;
                let rank = match name.as_str() {
                    "mean_axis" if rank == 2 => 1,
                    "into_shape_with_order" | "to_shape" | "into_shape_clone" | "broadcast" => {
                        self.shape_rank(inner.args.first()?)
                    }
                    _ => return None,
                };
                let receiver = (*inner.receiver).clone();
                Some((
                    rank,
                    name,
                    Some(receiver),
                    inner.args.iter().cloned().collect(),
                ))
            }
            syn::Expr::Call(c) => {
                let syn::Expr::Path(p) = strip(&c.func) else {
                    return None;
                };
                let mut names = p.path.segments.iter().rev().map(|s| &s.ident);
                let (last, owner) = (names.next()?, names.next()?);
                let rank = kinds::rank_of_name(owner)?;
                let name = last.to_string();
                matches!(name.as_str(), "from_shape" | "from_shape_vec")
                    .then(|| (rank, name, None, c.args.iter().cloned().collect()))
            }
            _ => None,
        }
    }

    /// Writes an array out; `None` if an error is noted.
    pub(super) fn array(&mut self, e: &syn::Expr) -> Option<Array> {
        let array = self.array_of_any_rank(e)?;
        if !matches!(array.rank(), 1 | 2) {
            self.refuse_about(e, &error::ARRAY_RANK, array.rank());
            return None;
        }
        Some(array)
    }

    /// The same; of one element too.
    pub(super) fn array_of_any_rank(&mut self, e: &syn::Expr) -> Option<Array> {
        let found = self.written_out(e);
        if found.is_none() && self.cx.is_clean() {
            self.refuse(e, &error::ARRAY_PLACE);
        }
        found
    }

    fn written_out(&mut self, e: &syn::Expr) -> Option<Array> {
        if let Some(kind) = self.constant_kind(e).filter(|_| !is_copy(e)) {
            return self.borrowed_elements(e, &kind);
        }
        let is_place = matches!(
            strip(e),
            syn::Expr::Path(_) | syn::Expr::Field(_) | syn::Expr::Index(_)
        );
        if (is_place || super::stored::part_of_list(e).is_some())
            && let Some(kind) = self.stored_kind(e)
        {
            return self.stored_array(e, &kind);
        }
        match strip(e) {
            syn::Expr::Call(_)
            | syn::Expr::MethodCall(_)
            | syn::Expr::Field(_)
            | syn::Expr::Try(_)
                if let Some(kind) = self.made_kind(e) =>
            {
                Some(self.part_as_array(e, &kind))
            }
            syn::Expr::Reference(r) => {
                let mut array = self.array_of_any_rank(&r.expr)?.borrowed();
                array.exclusive = r.mutability.is_some();
                Some(array)
            }
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => {
                self.array_of_any_rank(&u.expr)
            }
            syn::Expr::Path(p) => {
                let found = p.path.get_ident().and_then(|i| self.lookup(i));
                if found.is_none() {
                    self.refuse(e, &error::ARRAY_UNKNOWN);
                }
                found
            }
            syn::Expr::Unary(_) | syn::Expr::Binary(_) => self.computed(e),
            syn::Expr::MethodCall(m) => self.method_array(m),
            syn::Expr::Macro(m) if let Some((dims, all)) = super::join::listed(&m.mac) => {
                Some(self.listed(&dims, &all))
            }
            syn::Expr::Macro(m) if Joined::of_macro(&m.mac).is_some() => {
                let joined = Joined::of_macro(&m.mac)?;
                self.joined(&joined, e)
            }
            syn::Expr::Call(c) => self.construct(c),
            inner @ (syn::Expr::If(_) | syn::Expr::Block(_) | syn::Expr::Match(_)) => {
                let rank = self.rank_of(inner)?;
                let value = self.value_as(inner, rank)?;
                let element = self.float_type();
                Some(self.unpack(&value, rank, &element))
            }
            _ => {
                self.refuse(e, &error::ARRAY_UNKNOWN);
                None
            }
        }
    }

    fn method_array(&mut self, m: &syn::ExprMethodCall) -> Option<Array> {
        let name = m.method.to_string();
        let arg = m.args.first();
        match (name.as_str(), arg) {
            ("unwrap" | "expect", _) => self.unwrapped(m),
            ("dot", Some(other)) => self.product(&m.receiver, other),
            ("mapv" | "map" | "mapv_into", Some(_)) => {
                self.computed(&syn::Expr::MethodCall(m.clone()))
            }
            ("to_owned" | "clone" | "into_owned", None) => {
                let array = self.array(&m.receiver)?;
                if name == "into_owned" && array.owned {
                    return Some(array);
                }
                Some(self.copied(&array))
            }
            ("view", None) => Some(self.array(&m.receiver)?.borrowed()),
            ("view_mut" | "reborrow", None) => {
                let mut array = self.array(&m.receiver)?.borrowed();
                array.exclusive = true;
                Some(array)
            }
            ("t", None) => Some(Self::transposed(&self.array(&m.receiver)?)),
            ("reversed_axes", None) => {
                let array = self.array(&m.receiver)?;
                Some(Self::transposed(&self.taken(&m.receiver, array)))
            }
            ("row" | "row_mut", Some(i)) => self.line(m, 0, i),
            ("column" | "column_mut", Some(i)) => self.line(m, 1, i),
            ("index_axis" | "index_axis_mut", Some(axis)) => {
                let axis = self.axis(axis)?;
                self.line(m, axis, m.args.get(1)?)
            }
            ("slice" | "slice_mut", Some(arg)) => {
                let array = self.array(&m.receiver)?;
                let mut new = self.slice(&array, arg)?;
                new.exclusive = name == "slice_mut";
                Some(new)
            }
            ("insert_axis", Some(axis)) => {
                let axis = self.axis(axis)?;
                let array = self.array(&m.receiver)?;
                if axis > array.rank() {
                    self.refuse(&m.method, &error::ARRAY_AXIS);
                    return None;
                }
                let array = self.taken(&m.receiver, array);
                Some(Self::with_axis(&array, axis))
            }
            ("diag", None) => {
                let array = self.array(&m.receiver)?;
                Some(self.diagonal(&array))
            }
            ("sum_axis", Some(axis)) => {
                let axis = self.axis(axis)?;
                let array = self.array(&m.receiver)?;
                self.sum_axis(&array, axis)
            }
            ("fold_axis", Some(axis)) => {
                let (init, step) = (m.args.get(1)?, m.args.get(2)?);
                self.fold_axis(m, axis, init, step)
            }
            ("map_axis", Some(axis)) => self.map_axis(m, axis, m.args.get(1)?),
            (name, _) if super::elements::is_float_method(name) => {
                self.computed(&syn::Expr::MethodCall(m.clone()))
            }
            _ => {
                self.refuse_about(&m.method, &error::ARRAY_METHOD, name);
                None
            }
        }
    }

    /// A row or a column.
    fn line(&mut self, m: &syn::ExprMethodCall, axis: usize, index: &syn::Expr) -> Option<Array> {
        let array = self.array(&m.receiver)?;
        if axis >= array.rank() {
            self.refuse(&m.method, &error::ARRAY_AXIS);
            return None;
        }
        let mut new = self.at_index(&array, axis, index);
        new.exclusive = m.method.to_string().ends_with("_mut");
        Some(new)
    }

    fn unwrapped(&mut self, m: &syn::ExprMethodCall) -> Option<Array> {
        if let Some(joined) = joined_by_call(m) {
            return self.joined(&joined, &m.receiver);
        }
        let (rank, name, receiver, args) = self.checked(m)?;
        if let syn::Expr::Call(c) = strip(&m.receiver)
            && let syn::Expr::Path(p) = strip(&c.func)
        {
            self.owner(&p.path);
        }
        match (name.as_str(), receiver, args.as_slice()) {
            ("mean_axis", Some(receiver), [axis]) => {
                let axis = self.axis(axis)?;
                let array = self.array(&receiver)?;
                self.mean_axis(&array, axis)
            }
            ("into_shape_with_order" | "to_shape" | "into_shape_clone", Some(_), [shape]) => {
                let syn::Expr::MethodCall(inner) = strip(&m.receiver) else {
                    return None;
                };
                self.reshaped(inner, shape, rank)
            }
            ("broadcast", Some(receiver), [shape]) => {
                let array = self.array(&receiver)?;
                let dims = self.shape(shape, rank)?;
                self.broadcast(&array, &dims, &receiver)
            }
            ("from_shape" | "from_shape_vec", None, [shape, data]) => {
                let dims = self.shape(shape, rank)?;
                let owned = name == "from_shape_vec";
                let data = self.bounded(data);
                let base = self.name("a");
                if owned {
                    self.before.push(parse_quote!(let mut #base = #data;));
                } else {
                    self.before.push(parse_quote!(let #base = #data;));
                }
                let new = Array::whole(parse_quote!(#base), dims, owned);
                let n = new.len();
                self.claim(
                    parse_quote!(#n == #base.len()),
                    "the shape does not fit the number of elements",
                );
                Some(new)
            }
            _ => {
                self.cx.mismatch();
                None
            }
        }
    }

    /// Lengths from `n`, `(m, n)`, `[m, n]`, `a.dim()` and `a.raw_dim()`.
    pub(super) fn shape(&mut self, e: &syn::Expr, rank: usize) -> Option<Vec<syn::Expr>> {
        let parts: Vec<syn::Expr> = match strip(e) {
            syn::Expr::Tuple(t) => t.elems.iter().cloned().collect(),
            syn::Expr::Array(a) => a.elems.iter().cloned().collect(),
            syn::Expr::MethodCall(m)
                if (m.method == "dim" || m.method == "raw_dim")
                    && self.rank_of(&m.receiver) == Some(rank) =>
            {
                let dims = self.array(&m.receiver)?.dims;
                return Some(dims.iter().map(|n| self.bind("n", n)).collect());
            }
            other if rank == 1 => vec![other.clone()],
            _ => {
                self.refuse(e, &error::ARRAY_SHAPE);
                return None;
            }
        };
        if parts.len() != rank {
            self.cx.mismatch();
            return None;
        }
        if !matches!(rank, 1 | 2) {
            self.refuse_about(e, &error::ARRAY_RANK, rank);
            return None;
        }
        let mut dims = Vec::new();
        for e in &parts {
            let e = self.bounded(e);
            dims.push(self.bind("n", &e));
        }
        Some(dims)
    }

    /// `Array2::zeros((m, n))` and its kin.
    fn construct(&mut self, c: &syn::ExprCall) -> Option<Array> {
        let (rank, name) = constructor(c)?;
        if let syn::Expr::Path(p) = strip(&c.func) {
            self.owner(&p.path);
        }
        let args: Vec<&syn::Expr> = c.args.iter().collect();
        let filled = |f: &mut Self, shape: &syn::Expr, value: &syn::Expr| {
            let dims = f.shape(shape, rank)?;
            let value = f.bounded(value);
            Some(f.filled(dims, &value))
        };
        let float = self.float_type();
        match (name.as_str(), args.as_slice()) {
            ("zeros", [shape]) => filled(self, shape, &parse_quote!(0.0)),
            ("ones", [shape]) => filled(self, shape, &parse_quote!(1.0)),
            ("from_elem", [shape, value]) => filled(self, shape, value),
            ("eye", [n]) => {
                let n = self.bounded(n);
                let n = self.bind("n", &n);
                let new = self.filled(vec![n.clone(), n.clone()], &parse_quote!(0.0));
                let (base, i) = (&new.base, self.name("i"));
                self.before
                    .push(parse_quote!(for #i in 0..#n { #base[#i * #n + #i] = 1.0; }));
                Some(new)
            }
            ("from_vec" | "from", [data]) if rank == 1 => {
                let shared = owner_is_view(c);
                let data = self.bounded(data);
                let base = self.name("a");
                if shared {
                    self.before.push(parse_quote!(let #base = #data;));
                } else {
                    let data: syn::Expr = match strip(&data) {
                        syn::Expr::Array(list) => {
                            let elems = &list.elems;
                            parse_quote!(vec![#elems])
                        }
                        _ => data,
                    };
                    self.before
                        .push(parse_quote!(let mut #base: Vec<#float> = #data;));
                }
                let dims = vec![parse_quote!(#base.len())];
                Some(Array::whole(parse_quote!(#base), dims, !shared))
            }
            ("from_iter", [chain]) if rank == 1 => {
                let chain = self.expr(chain);
                let base = self.name("a");
                self.before
                    .push(parse_quote!(let mut #base: Vec<#float> = #chain.collect();));
                let dims = vec![parse_quote!(#base.len())];
                Some(Array::whole(parse_quote!(#base), dims, true))
            }
            ("from_shape_fn", [shape, function]) => {
                let dims = self.shape(shape, rank)?;
                self.tabulated(dims, function)
            }
            _ => {
                self.refuse_about(&c.func, &error::ARRAY_METHOD, name);
                None
            }
        }
    }

    /// A new array with one value everywhere.
    pub(super) fn filled(&mut self, dims: Vec<syn::Expr>, value: &syn::Expr) -> Array {
        let base = self.name("a");
        let float = self.float_type();
        let new = Array::whole(parse_quote!(#base), dims, true);
        let n = new.len();
        self.before
            .push(parse_quote!(let mut #base: Vec<#float> = vec![#value; #n];));
        new
    }

    /// A new array with the same elements.
    pub(super) fn copied(&mut self, array: &Array) -> Array {
        if !array.is_contiguous() {
            return self.copied_by_loop(array);
        }
        let (base, part) = (self.name("a"), array.part());
        let dims: Vec<syn::Expr> = if array.rank() == 1 {
            vec![parse_quote!(#base.len())]
        } else {
            array.dims.iter().map(|n| self.bind("n", n)).collect()
        };
        self.before
            .push(parse_quote!(let mut #base = #part.to_vec();));
        Array::whole(parse_quote!(#base), dims, true)
    }
}

/// Whether it is a copy, which belongs to who makes it.
fn is_copy(e: &syn::Expr) -> bool {
    matches!(strip(e), syn::Expr::MethodCall(m) if m.method == "clone" || m.method == "to_owned")
}

/// Whether it is a function of a view: `ArrayView1::from(..)`.
fn owner_is_view(c: &syn::ExprCall) -> bool {
    match strip(&c.func) {
        syn::Expr::Path(p) => {
            let mut names = p.path.segments.iter().rev().map(|s| s.ident.to_string());
            names.nth(1).is_some_and(|n| n.starts_with("ArrayView"))
        }
        _ => false,
    }
}

/// A function of an array type: rank and name.
pub(super) fn constructor(c: &syn::ExprCall) -> Option<(usize, String)> {
    let syn::Expr::Path(p) = strip(&c.func) else {
        return None;
    };
    let mut names = p.path.segments.iter().rev().map(|s| &s.ident);
    let (last, owner) = (names.next()?, names.next()?);
    let rank = kinds::rank_of_name(owner)?;
    let name = last.to_string();
    (!matches!(name.as_str(), "from_shape" | "from_shape_vec")).then_some((rank, name))
}

/// `concatenate(Axis(0), &[..]).unwrap()`
fn joined_by_call(m: &syn::ExprMethodCall) -> Option<Joined> {
    match strip(&m.receiver) {
        syn::Expr::Call(call) => Joined::of_call(call),
        _ => None,
    }
}
