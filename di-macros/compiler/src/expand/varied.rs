//! Which parameters of an annotated module's private functions vary: those that some call of the module may pass a
//! differentiated value to. The others are marked `#[constant]`, as a user would mark them.
//!
//! This is the analysis of varied variables (Hascoët and Pascual, "The Tapenade automatic differentiation tool", 2013)
//! over functions, by syntax and names alone, to a fixpoint. It errs towards "varies". Where it would call a parameter
//! constant that is not, the call is refused: each call checks that no differentiated value goes to a constant.

mod bundles;
mod enums;
mod flow;
mod held;
mod names;

use crate::lower::environment::{Environment, is_map_of_floats};
use crate::lower::{bundles as borrowing, data, inline};
use crate::mutation::seeded;
use crate::options;
use crate::sorted::{Map, Set};
use crate::template::parse_quote;
use crate::tokens::unraw;
use crate::walk::{self, Node, NodeMut, Onward};
use flow::Flow;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

/// A function of the module, as calls see it.
struct Callee {
    name: String,
    inputs: Vec<Input>,
    has_receiver: bool,
    output: Option<syn::Type>,
    /// It returns a map, which no derivative code does.
    gives_map: bool,
    /// The type that a method belongs to.
    owner: Option<String>,
    /// Others than the module's own calls may use it.
    is_root: bool,
    block: syn::Block,
    /// Where it stands: the item, and the function in its block.
    at: Option<(usize, usize)>,
}

/// A parameter.
struct Input {
    names: Vec<String>,
    /// It is marked, and so is what it is.
    is_marked: bool,
    is_mutable: bool,
    ty: syn::Type,
    varies: bool,
}

/// The functions of a module.
struct Table {
    aliases: Environment,
    callees: Vec<Callee>,
    by_name: Map<String, Vec<usize>>,
    changed: bool,
}

/// The parameters that are found to be constant in a module, by function, whether they need a mark or not, for tests.
pub(crate) fn constant_in(module: &syn::ItemMod) -> Vec<(String, Vec<String>)> {
    let mut items = module.content.clone().map_or_else(Vec::new, |c| c.1);
    mark_among(&mut items, Among::All, &Set::new());
    let functions = items.iter().flat_map(|item| match item {
        syn::Item::Fn(f) => vec![&f.sig],
        syn::Item::Impl(block) => {
            let inner = block.items.iter().filter_map(|inner| match inner {
                syn::ImplItem::Fn(f) => Some(&f.sig),
                _ => None,
            });
            inner.collect()
        }
        _ => Vec::new(),
    });
    let of = |sig: &syn::Signature| {
        let names = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Receiver(r) => (!r.attrs.is_empty()).then(|| "self".to_owned()),
            syn::FnArg::Typed(p) => (!p.attrs.is_empty()).then(|| names_in(&p.pat).join(" ")),
        });
        (unraw(&sig.ident), names.collect())
    };
    functions.map(of).collect()
}

/// Marks parameters that do not vary, if no differentiated parameter can have their type: constants may be passed to
/// any other. `bundles`: imported structs that borrow; the functions that take or return one, or one of the module, are
/// marked as those whose bodies stand in the place of their calls.
pub(super) fn mark(items: &mut [syn::Item], bundles: &Set<String>) -> Found {
    mark_among(items, Among::Foreign, bundles)
}

/// Those of some structs that functions of a module make of what varies, or change by it.
pub(super) fn made(items: &[syn::Item], of: &Set<String>) -> Set<String> {
    let mut table = Table::of(items);
    let flows = table.solve();
    let changed = bundles::changed(&table, &flows, of);
    bundles::made(&table, &flows, of.clone(), changed)
}

/// What is found beside the marks.
pub(super) struct Found {
    /// Structs that only occur in constants and have no derivative: they need none.
    pub(super) constant: Set<String>,
    /// Functions whose results are the first values of variables that vary: `let mut k = zeros(n);`.
    pub(super) starters: Set<String>,
    /// Structs that borrow what varies.
    pub(super) bundles: Set<String>,
    /// Enums that may hold what varies.
    pub(super) enums: Set<String>,
}

/// Which types count as those of constants.
#[derive(Clone, Copy, PartialEq)]
enum Among {
    All,
    /// Those that cannot be differentiated.
    Foreign,
}

fn mark_among(items: &mut [syn::Item], among: Among, imported: &Set<String>) -> Found {
    let mut table = Table::of(items);
    let flows = table.solve();
    let mut enums = enums::of(items, &table, &flows);
    let held = loop {
        let held = held::of(items, &table.callees, &flows, (among, &enums));
        let within = enums::within(items, &table, &held, &enums);
        if within.is_empty() {
            break held;
        }
        enums.extend(within);
    };
    let starters = table.starters(&flows);
    let bundles = bundles::of(items, &table, &flows);
    let types = data::data_among(items.iter());
    data::mark(items, &types);
    for callee in &table.callees {
        let Some((item, inner)) = callee.at else {
            continue;
        };
        let marked = marked(callee, &held, among);
        let (attrs, sig, calls_itself) = match &mut items[item] {
            syn::Item::Fn(f) => {
                let calls_itself = inline::calls_itself(f);
                (&mut f.attrs, &mut f.sig, calls_itself)
            }
            syn::Item::Impl(block) => match &mut block.items[inner] {
                syn::ImplItem::Fn(f) => {
                    let calls_itself = inline::method_calls_itself(f);
                    (&mut f.attrs, &mut f.sig, calls_itself)
                }
                _ => continue,
            },
            _ => continue,
        };
        match marked {
            Marks::Skip if attrs.iter().any(options::is_in_place) => {}
            Marks::Skip => attrs.push(parse_quote!(#[ad(skip)])),
            Marks::Constant(of) => {
                for (input, _) in sig.inputs.iter_mut().zip(of).filter(|(_, is)| *is) {
                    let attrs = match input {
                        syn::FnArg::Receiver(r) => &mut r.attrs,
                        syn::FnArg::Typed(p) => &mut p.attrs,
                    };
                    attrs.push(parse_quote!(#[constant]));
                }
                let is_held = |input: &Input| {
                    input.varies
                        && !input.is_marked
                        && held.may_vary(&input.ty)
                        && crate::lower::is_of_variables(&table.aliases.expanded(&input.ty))
                };
                if !calls_itself && callee.inputs.iter().any(is_held) {
                    borrowing::put_mark(attrs);
                }
            }
        }
    }
    let all = bundles.iter().chain(imported).cloned().collect();
    borrowing::mark(items, &all);
    Found {
        constant: held.constant,
        starters,
        bundles,
        enums,
    }
}

/// What a function is marked with.
enum Marks {
    /// Nothing in it varies: it is ordinary Rust.
    Skip,
    Constant(Vec<bool>),
}

fn marked(callee: &Callee, held: &held::Held, among: Among) -> Marks {
    let constant = |input: &Input| {
        !input.varies
            && !input.is_marked
            && !input.is_mutable
            && !crate::lower::owns(&input.ty)
            && held.is_data(&input.ty)
            && (among == Among::All || held.has_no_derivative(&input.ty))
    };
    let constants: Vec<bool> = callee.inputs.iter().map(constant).collect();
    let stays = |input: &Input| input.varies && held.may_vary(&input.ty);
    match callee.inputs.iter().any(stays) {
        true => Marks::Constant(constants),
        false if callee.gives_map => Marks::Skip,
        false if callee.inputs.iter().any(|input| held.is_foreign(&input.ty)) => Marks::Skip,
        // constants may be passed to any parameter
        false => Marks::Constant(Vec::new()),
    }
}

impl Table {
    fn of(items: &[syn::Item]) -> Table {
        let mut table = Table {
            aliases: inline::aliases_among(items),
            callees: Vec::new(),
            by_name: Map::new(),
            changed: false,
        };
        for (k, item) in items.iter().enumerate() {
            match item {
                syn::Item::Fn(f) if is_passive(&f.attrs) => {}
                syn::Item::Fn(f) => {
                    let is_private = is_private(&f.vis) && f.attrs.iter().all(is_harmless);
                    let is_marked = !crate::lower::inline::stands_in_place(f);
                    let at = is_marked.then_some((k, 0));
                    table.add(&f.sig, &f.block, None, (!is_private, at));
                }
                syn::Item::Impl(block) if is_passive(&block.attrs) => {}
                syn::Item::Impl(block) => {
                    let of_trait = block.trait_.is_some();
                    let owner = owner_of(&block.self_ty);
                    for (n, inner) in block.items.iter().enumerate() {
                        let syn::ImplItem::Fn(f) = inner else {
                            continue;
                        };
                        if !is_passive(&f.attrs) {
                            let is_private = is_private(&f.vis) && !of_trait;
                            let in_place = super::methods::is_in_place(f);
                            let at = (!of_trait && !in_place).then_some((k, n));
                            table.add(&f.sig, &f.block, owner.as_ref(), (!is_private, at));
                        }
                    }
                }
                syn::Item::Trait(of) => {
                    for inner in &of.items {
                        if let syn::TraitItem::Fn(f) = inner {
                            let block = f.default.clone();
                            let block = block.unwrap_or_else(|| parse_quote!({}));
                            table.add(&f.sig, &block, None, (true, None));
                        }
                    }
                }
                _ => {}
            }
        }
        table.find_roots(items);
        table
    }

    fn add(
        &mut self,
        sig: &syn::Signature,
        block: &syn::Block,
        owner: Option<&syn::Ident>,
        (is_root, at): (bool, Option<(usize, usize)>),
    ) {
        let name = unraw(&sig.ident);
        let named = |ty: &syn::Type| {
            let mut ty = ty.clone();
            walk::change(NodeMut::Type(&mut ty), &mut |node| {
                if let (NodeMut::Path(path), Some(owner)) = (node, owner)
                    && path.is_ident("Self")
                {
                    *path = owner.clone().into();
                }
                Onward::Into
            });
            ty
        };
        let inputs = sig.inputs.iter().map(|input| {
            let (names, attrs, ty) = match input {
                syn::FnArg::Receiver(r) => (vec!["self".to_owned()], &r.attrs, named(&r.ty)),
                syn::FnArg::Typed(p) => (names_in(&p.pat), &p.attrs, named(&p.ty)),
            };
            Input {
                names,
                is_marked: !attrs.is_empty(),
                is_mutable: speaks_of(ty.to_token_stream(), &mut |name| name == "mut"),
                ty,
                varies: false,
            }
        });
        let output = match &sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(named(ty)),
        };
        let is_map = |ty: &syn::Type| is_map_of_floats(&self.aliases.expanded(ty));
        let gives_map = output.as_ref().is_some_and(is_map);
        let callee = Callee {
            inputs: inputs.collect(),
            has_receiver: sig.receiver().is_some(),
            // operators take none that does
            is_root: is_root && !gives_map,
            output,
            gives_map,
            owner: owner.map(ToString::to_string),
            block: written_out(block),
            at,
            name: name.clone(),
        };
        let mut of_name = self.named(&name);
        of_name.push(self.callees.len());
        self.by_name.insert(name, of_name);
        self.callees.push(callee);
    }

    /// Functions that something else than a call of the module uses, or nothing.
    fn find_roots(&mut self, items: &[syn::Item]) {
        let mut used = Set::new();
        for item in items {
            match item {
                syn::Item::Fn(f) if !is_passive(&f.attrs) => {}
                syn::Item::Impl(block) if !is_passive(&block.attrs) => {}
                syn::Item::Trait(_) | syn::Item::Struct(_) | syn::Item::Enum(_) => {}
                syn::Item::Mod(syn::ItemMod { attrs, .. })
                | syn::Item::Macro(syn::ItemMacro { attrs, .. })
                    if !is_passive(attrs) =>
                {
                    speaks_of(item.to_token_stream(), &mut |name| {
                        used.insert(name.to_owned());
                        false
                    });
                }
                // what is no derivative code may still ask for handles
                other => handles_in(other.to_token_stream(), &mut used),
            }
        }
        let mut called = Set::new();
        for callee in &self.callees {
            walk::read(Node::Block(&callee.block), &mut |node| {
                match node {
                    Node::Expr(syn::Expr::MethodCall(m)) if m.method != callee.name => {
                        called.insert(unraw(&m.method));
                    }
                    Node::Path(path) => {
                        let last = path.segments.last().map(|s| unraw(&s.ident));
                        called.extend(last.filter(|name| *name != callee.name));
                    }
                    Node::Macro(mac) => {
                        speaks_of(mac.tokens.clone(), &mut |name| {
                            called.insert(name.to_owned());
                            false
                        });
                    }
                    _ => {}
                }
                Onward::Into
            });
        }
        for callee in &mut self.callees {
            callee.is_root |= used.contains(&callee.name) || !called.contains(&callee.name);
        }
    }

    /// What varies in each function.
    fn solve(&mut self) -> Vec<Flow> {
        for k in 0..self.callees.len() {
            if self.callees[k].is_root {
                self.vary_all(k);
            }
        }
        loop {
            self.changed = false;
            let mut flows = Vec::new();
            for k in 0..self.callees.len() {
                let block = self.callees[k].block.clone();
                let mut flow = Flow::of(&self.callees[k].inputs);
                flow.solve(&block, self);
                flows.push(flow);
            }
            if !self.changed {
                return flows;
            }
        }
    }

    fn starters(&self, flows: &[Flow]) -> Set<String> {
        let mut found = Set::new();
        for (callee, flow) in self.callees.iter().zip(flows) {
            walk::read(Node::Block(&callee.block), &mut |node| {
                if let Node::Local(local) = node {
                    found.extend(flow.started_by(local));
                }
                Onward::Into
            });
        }
        // what they call makes a part of the value
        loop {
            let before = found.len();
            for callee in &self.callees {
                if found.contains(&callee.name) {
                    walk::read(Node::Block(&callee.block), &mut |node| {
                        if let Node::Expr(syn::Expr::Call(call)) = node {
                            found.extend(flow::callee_of(call));
                        }
                        Onward::Into
                    });
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    fn vary_all(&mut self, k: usize) {
        for n in 0..self.callees[k].inputs.len() {
            self.vary(k, n);
        }
    }

    fn vary(&mut self, k: usize, n: usize) {
        if let Some(input) = self.callees[k].inputs.get_mut(n)
            && !input.is_marked
            && !input.varies
        {
            input.varies = true;
            self.changed = true;
        }
    }

    /// The functions of this name.
    fn named(&self, name: &str) -> Vec<usize> {
        self.by_name.get(name).cloned().unwrap_or_default()
    }

    /// A function is used as a value.
    fn use_as_value(&mut self, name: &str) {
        for k in self.named(name) {
            self.vary_all(k);
        }
    }

    /// A call passes something that varies to this argument. `by_dot`: the receiver is the first one.
    fn pass(&mut self, name: &str, n: usize, by_dot: bool) {
        if seeded!(VariedForgotten) && n > 0 {
            return;
        }
        for k in self.named(name) {
            if self.callees[k].has_receiver || !by_dot {
                self.vary(k, n);
            }
        }
    }

    /// Whether a method may return a part of its receiver to be written to.
    fn lends(&self, name: &str) -> bool {
        let mut of = self.named(name).into_iter();
        of.any(|k| self.callees[k].has_receiver && self.callees[k].inputs[0].is_mutable)
    }
}

/// A body where macros are tuples of their arguments, as far as these are expressions.
fn written_out(block: &syn::Block) -> syn::Block {
    let mut block = block.clone();
    walk::change(NodeMut::Block(&mut block), &mut |node| {
        match node {
            NodeMut::Expr(e) => {
                if let syn::Expr::Macro(mac) = e
                    && let Some(arguments) = arguments_of(&mac.mac)
                {
                    *e = arguments;
                }
            }
            NodeMut::Stmt(stmt) => {
                if let syn::Stmt::Macro(mac) = stmt
                    && let Some(arguments) = arguments_of(&mac.mac)
                {
                    *stmt = syn::Stmt::Expr(arguments, mac.semi_token);
                }
            }
            _ => {}
        }
        Onward::Into
    });
    block
}

/// The arguments of a macro as a tuple, and `matches!` as a `match`.
fn arguments_of(mac: &syn::Macro) -> Option<syn::Expr> {
    if let Some(m) = walk::as_match(mac) {
        return Some(m.into());
    }
    let elems = walk::arguments(mac)?;
    Some(parse_quote!((#elems)))
}

fn owner_of(ty: &syn::Type) -> Option<syn::Ident> {
    match ty {
        syn::Type::Path(p) => Some(p.path.segments.last()?.ident.clone()),
        syn::Type::Reference(r) => owner_of(&r.elem),
        _ => None,
    }
}

/// Names before `::`, and those of methods before `_ad`.
fn handles_in(tokens: TokenStream, found: &mut Set<String>) {
    let mut before: Option<String> = None;
    for tree in tokens {
        match tree {
            TokenTree::Ident(name) => {
                let name = name.to_string();
                found.extend(name.strip_suffix("_ad").map(str::to_owned));
                before = Some(name);
            }
            TokenTree::Punct(p) => {
                if p.as_char() == ':' {
                    found.extend(before.take());
                }
                before = None;
            }
            TokenTree::Group(g) => {
                handles_in(g.stream(), found);
                before = None;
            }
            TokenTree::Literal(_) => before = None,
        }
    }
}

/// Whether a name is in some code, also in groups.
pub(super) fn speaks_of(tokens: TokenStream, is: &mut dyn FnMut(&str) -> bool) -> bool {
    tokens.into_iter().any(|tree| match tree {
        TokenTree::Ident(name) => is(name.to_string().trim_start_matches("r#")),
        TokenTree::Group(g) => speaks_of(g.stream(), is),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

fn names_in(pat: &syn::Pat) -> Vec<String> {
    walk::bound(Node::Pat(pat)).iter().map(unraw).collect()
}

fn is_private(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Inherited)
}

/// Whether code is not differentiated: tests, and what says so itself.
fn is_passive(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(options::is_skip) || super::marks::is_test(attrs)
}

/// Attributes that have nothing to do with derivatives.
fn is_harmless(attr: &syn::Attribute) -> bool {
    let harmless = ["doc", "inline", "allow", "expect", "must_use", "cold"];
    harmless.iter().any(|name| attr.path().is_ident(name))
}
