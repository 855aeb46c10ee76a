//! Structs that only occur in constants: no parameter that varies has one, and no code of the module makes one of what varies.

use super::flow::{Flow, is_integer};
use super::{Among, Callee, speaks_of};
use crate::lower::environment::speaks_of_floats;
use crate::lower::is_integer_name;
use crate::sorted::Set;
use quote::ToTokens;

/// The structs of a module.
pub(super) struct Held {
    /// Those that only occur in constants.
    pub(super) constant: Set<String>,
    /// The others.
    others: Set<String>,
}

pub(super) fn of(
    items: &[syn::Item],
    callees: &[Callee],
    flows: &[Flow],
    (among, enums): (Among, &Set<String>),
) -> Held {
    let callees: Vec<(&Callee, &Flow)> = callees.iter().zip(flows).collect();
    let structs = || {
        items.iter().filter_map(|item| match item {
            syn::Item::Struct(s) => Some(s),
            _ => None,
        })
    };
    let mut held = Held {
        constant: Set::new(),
        others: structs().map(|s| s.ident.to_string()).collect(),
    };
    held.others.extend(enums.iter().cloned());
    for s in structs() {
        let name = s.ident.to_string();
        if !super::super::structs::is_derived(&s.attrs)
            && (among == Among::All || s.fields.iter().any(|f| is_refused(f, items, enums)))
            && occurs_in_constants(s, items, &callees)
        {
            held.others.remove(&name);
            held.constant.insert(name);
        }
    }
    // what is in a struct that may vary may vary
    loop {
        let within = |name: &String| {
            let around = structs().filter(|s| held.others.contains(&s.ident.to_string()));
            let mut fields = around.flat_map(|s| &s.fields);
            fields.any(|f| !is_constant(&f.attrs) && names(&f.ty, name))
        };
        let moved: Vec<String> = held
            .constant
            .iter()
            .filter(|name| within(name))
            .cloned()
            .collect();
        if moved.is_empty() {
            return held;
        }
        for name in moved {
            held.constant.remove(&name);
            held.others.insert(name);
        }
    }
}

impl Held {
    /// Whether this is a struct that may vary, or an enum that does.
    pub(super) fn is_other(&self, name: &str) -> bool {
        self.others.contains(name)
    }
}

/// Whether a field has no derivative: an enum of the module that is data, or floats in a type that is no number, list of numbers,
/// option or struct of the module.
fn is_refused(field: &syn::Field, items: &[syn::Item], enums: &Set<String>) -> bool {
    let is_among = |is: &dyn Fn(&syn::Item) -> Option<&syn::Ident>| {
        let mut is = |word: &str| items.iter().filter_map(is).any(|name| name == word);
        speaks_of(field.ty.to_token_stream(), &mut is)
    };
    let is_enum = is_among(&|item| match item {
        syn::Item::Enum(e) if !enums.contains(&e.ident.to_string()) => Some(&e.ident),
        _ => None,
    });
    let is_struct = is_among(&|item| match item {
        syn::Item::Struct(s) => Some(&s.ident),
        _ => None,
    });
    let is_option = matches!(crate::lower::ungroup(&field.ty), syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Option"));
    let is_foreign =
        speaks_of_floats(&field.ty) && !is_struct && !is_option && !is_plain(&field.ty, 0);
    !is_constant(&field.attrs) && (is_enum || is_foreign)
}

fn is_constant(attrs: &[syn::Attribute]) -> bool {
    attrs.iter().any(|a| a.path().is_ident("constant"))
}

fn names(of: &impl ToTokens, name: &str) -> bool {
    speaks_of(of.to_token_stream(), &mut |word| word == name)
}

fn occurs_in_constants(
    of: &syn::ItemStruct,
    items: &[syn::Item],
    callees: &[(&Callee, &Flow)],
) -> bool {
    let name = &of.ident.to_string();
    let fields = (0..).zip(&of.fields).map(|(k, field): (usize, _)| {
        let name = field.ident.as_ref().map(ToString::to_string);
        name.unwrap_or_else(|| k.to_string())
    });
    let fields: Set<String> = fields.collect();
    let mut is_parameter = false;
    for (callee, flow) in callees {
        for input in callee.inputs.iter().filter(|input| names(&input.ty, name)) {
            is_parameter = true;
            if input.varies || input.is_mutable {
                return false;
            }
        }
        // what nothing that varies is passed to makes constants
        if !callee
            .inputs
            .iter()
            .any(|input| input.varies && !is_integer(&input.ty))
        {
            continue;
        }
        let is_own = callee.owner.as_deref() == Some(name);
        let is_it = |word: &str| word == name || is_own && word == "Self";
        if callee.output.as_ref().is_some_and(|ty| names(ty, name))
            || flow.makes(&callee.block, &is_it, &fields)
        {
            return false;
        }
    }
    is_parameter
        && !items.iter().any(|item| match item {
            syn::Item::Type(_) | syn::Item::Enum(_) | syn::Item::Trait(_) => names(item, name),
            syn::Item::Mod(inner) => !super::is_passive(&inner.attrs) && names(inner, name),
            syn::Item::Impl(block) => block.trait_.is_some() && names(&block.self_ty, name),
            _ => false,
        })
}

impl Held {
    /// Whether a parameter of this type may be marked as constant.
    pub(super) fn is_data(&self, ty: &syn::Type) -> bool {
        // an array by value is made where it is passed, as those are that may vary
        if matches!(ty, syn::Type::Array(_) | syn::Type::Tuple(_)) {
            return false;
        }
        let constant = speaks_of(ty.to_token_stream(), &mut |word| {
            self.constant.contains(word)
        });
        (constant || speaks_of_floats(ty)) && !self.has_other(ty)
    }

    fn has_other(&self, ty: &syn::Type) -> bool {
        speaks_of(ty.to_token_stream(), &mut |word| self.others.contains(word))
    }

    /// Whether a parameter of this type may be differentiated.
    pub(super) fn may_vary(&self, ty: &syn::Type) -> bool {
        speaks_of_floats(ty) || self.has_other(ty)
    }

    /// Whether no differentiated parameter can have this type.
    pub(super) fn has_no_derivative(&self, ty: &syn::Type) -> bool {
        let mut is_constant = |word: &str| self.constant.contains(word);
        self.is_foreign(ty) || speaks_of(ty.to_token_stream(), &mut is_constant)
    }

    /// Whether there are floats in a type that no differentiated parameter has.
    pub(super) fn is_foreign(&self, ty: &syn::Type) -> bool {
        speaks_of_floats(ty) && !self.has_other(ty) && !is_plain(ty, 0)
    }
}

/// `Vec<(f64, f64)>`, which fields may have and parameters may not.
pub(super) fn is_list_of_tuples(ty: &syn::Type) -> bool {
    match crate::lower::ungroup(ty) {
        syn::Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == "Vec") => {
            let elements = crate::lower::arguments(&p.path);
            let is_tuple =
                |ty: &&syn::Type| matches!(crate::lower::ungroup(ty), syn::Type::Tuple(_));
            elements.iter().all(|ty| is_tuple(ty) && is_plain(ty, 0))
        }
        _ => false,
    }
}

/// Numbers, and lists of numbers.
fn is_plain(ty: &syn::Type, depth: usize) -> bool {
    match crate::lower::ungroup(ty) {
        syn::Type::Reference(r) => is_plain(&r.elem, depth),
        syn::Type::Paren(p) => is_plain(&p.elem, depth),
        syn::Type::Array(a) => depth < 2 && is_plain(&a.elem, depth + 1),
        syn::Type::Slice(s) => depth < 2 && is_plain(&s.elem, depth + 1),
        syn::Type::Tuple(t) => depth == 0 && t.elems.iter().all(|ty| is_plain(ty, depth)),
        syn::Type::Path(p) => match p.path.segments.last() {
            Some(last) if last.ident == "Vec" => {
                let arguments = crate::lower::arguments(&p.path);
                depth < 2 && arguments.iter().all(|ty| is_plain(ty, depth + 1))
            }
            Some(last) => {
                let name = last.ident.to_string();
                ["f64", "f32", "bool"].contains(&&*name) || is_integer_name(&name)
            }
            None => false,
        },
        // functions, and whatever else takes care of itself
        _ => !matches!(ty, syn::Type::Path(_)),
    }
}
