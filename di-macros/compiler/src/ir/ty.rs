//! Types of values and places.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// User code carried verbatim. Compared and printed by its text.
#[derive(Clone)]
pub struct Tokens(pub TokenStream);

impl Tokens {
    /// Whether it may call something: parentheses behind a name, a part or generic arguments.
    pub fn calls(&self) -> bool {
        calls(&self.0)
    }

    /// Whether it is a method of two integers that the compiler writes.
    pub fn is_arithmetic(&self) -> bool {
        let text: String = self.0.to_string().split_whitespace().collect();
        let method = text.strip_prefix("__n0.");
        let method = method.and_then(|text| text.strip_suffix("(__n1)"));
        matches!(
            method,
            Some("min" | "max" | "wrapping_add" | "wrapping_sub")
        )
    }
}

fn calls(tokens: &TokenStream) -> bool {
    let mut callee = false;
    for tree in tokens.clone() {
        let group = match &tree {
            TokenTree::Group(group) => Some(group),
            _ => None,
        };
        if group.is_some_and(|g| {
            callee && g.delimiter() == Delimiter::Parenthesis || calls(&g.stream())
        }) {
            return true;
        }
        callee = match &tree {
            TokenTree::Punct(p) => matches!(p.as_char(), '>' | '!'),
            _ => true,
        };
    }
    false
}

impl std::fmt::Debug for Tokens {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}`", self.0)
    }
}

impl PartialEq for Tokens {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_string() == other.0.to_string()
    }
}

/// Types, as far as the compiler knows them.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// The function's float type. Whether it is the generic scalar `S` or a plain float is
    /// decided by activity, not by the type.
    Float,
    /// A tangent or adjoint of a float: `A` (reverse) or `T` (tangent). Only in transformed bodies.
    Lane,
    /// An integer type, by name (`usize`, `i32`, ..), or by the path of a field's type (`<P as ..>::Type`).
    Int(String),
    /// `bool`.
    Bool,
    /// `[T; N]`; the length as written.
    Array(Box<Type>, Tokens),
    /// What a `&[T]` or `&mut [T]` points to.
    Slice(Box<Type>),
    /// `Vec<T>`.
    Vec(Box<Type>),
    /// A derived struct, by path.
    Struct(Tokens),
    /// Tangents or adjoints of a derived struct. Only in transformed bodies.
    Lanes(Tokens),
    /// A type the compiler does not look into, as written (constants only).
    Opaque(Tokens),
}

impl Type {
    /// The type of indices and lengths.
    pub fn usize() -> Type {
        Type::Int("usize".to_owned())
    }

    /// The type at the bottom of arrays, slices and vectors.
    pub fn leaf(&self) -> &Type {
        match self {
            Type::Array(t, _) | Type::Slice(t) | Type::Vec(t) => t.leaf(),
            Type::Float
            | Type::Lane
            | Type::Int(_)
            | Type::Bool
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => self,
        }
    }

    /// Element type of an array, slice or vector.
    pub fn element(&self) -> Option<&Type> {
        match self {
            Type::Array(t, _) | Type::Slice(t) | Type::Vec(t) => Some(t),
            Type::Float
            | Type::Lane
            | Type::Int(_)
            | Type::Bool
            | Type::Struct(_)
            | Type::Lanes(_)
            | Type::Opaque(_) => None,
        }
    }

    /// How many integers of the tape hold an integer or a bool.
    pub fn slots(&self) -> u32 {
        match self {
            Type::Int(name) if name.ends_with("128") => 2,
            _ => 1,
        }
    }

    /// Holds floats that may be differentiated.
    pub fn has_floats(&self) -> bool {
        matches!(self.leaf(), Type::Float | Type::Struct(_))
    }

    /// Holds tangents or adjoints.
    pub fn is_lanes(&self) -> bool {
        matches!(self.leaf(), Type::Lane | Type::Lanes(_))
    }

    /// A derived struct, its lanes, or a sequence of one of them.
    pub fn is_structs(&self) -> bool {
        matches!(self.leaf(), Type::Struct(_) | Type::Lanes(_))
    }

    /// A sequence of tuples or vectors of integers and bools, as it may be the field of a derived struct.
    pub fn is_constant_list(&self) -> bool {
        self.element().is_some()
            && matches!(self.leaf(), Type::Struct(path) if is_of_integers(path))
    }

    /// A sequence of integers and bools, or of lists of them: in a field of a derived struct it is borrowed as it is stored.
    pub fn is_constant_sequence(&self) -> bool {
        let is_of_scalars = matches!(self.leaf(), Type::Int(_) | Type::Bool);
        self.element().is_some() && is_of_scalars
            || self.is_constant_list()
            || self.is_constant_row()
    }

    /// A vector of integers and bools in such a sequence: it is stored as it is.
    pub fn is_constant_row(&self) -> bool {
        matches!(self, Type::Struct(path) if is_vector(path) && is_of_integers(path))
    }

    /// The type of a tangent or adjoint: lanes in the place of floats.
    pub fn lanes(&self) -> Type {
        match self {
            Type::Float | Type::Lane => Type::Lane,
            Type::Array(t, n) => Type::Array(Box::new(t.lanes()), n.clone()),
            Type::Slice(t) => Type::Slice(Box::new(t.lanes())),
            Type::Vec(t) => Type::Vec(Box::new(t.lanes())),
            Type::Struct(path) | Type::Lanes(path) => Type::Lanes(path.clone()),
            Type::Int(_) | Type::Bool | Type::Opaque(_) => self.clone(),
        }
    }

    /// Float, integer or bool: a type that a [`super::Val`] may have.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Float | Type::Lane | Type::Int(_) | Type::Bool)
    }
}

/// The type of a field, as far as it is known. It makes no difference between two paths.
#[derive(Clone, Debug)]
pub struct Known(pub Option<Type>);

impl PartialEq for Known {
    fn eq(&self, _: &Known) -> bool {
        true
    }
}

impl Eq for Known {}

impl Ord for Known {
    fn cmp(&self, _: &Known) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl PartialOrd for Known {
    fn partial_cmp(&self, other: &Known) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Whether the tuple or vector that is stored as the struct with this path has integers and bools alone, as they are
/// written for the IR.
pub fn is_of_integers(path: &Tokens) -> bool {
    let text = path.0.to_string();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let is_passive = |word: &str| {
        [
            "",
            "core",
            "primitive",
            "std",
            "vec",
            "Vec",
            "bool",
            "usize",
            "isize",
        ]
        .contains(&word)
            || word.starts_with(['i', 'u']) && word[1..].parse::<u8>().is_ok()
    };
    (text.starts_with('(') || is_vector(path)) && words.all(is_passive)
}

/// Whether the struct with this path stands for a vector inside of something else.
fn is_vector(path: &Tokens) -> bool {
    path.0.to_string().starts_with(":: std :: vec :: Vec <")
}
