//! Which derived structs have vectors in them.

use super::environment::{Environment, spelled};
use crate::sorted::Map;
use proc_macro2::TokenStream;

/// Whether a struct has vectors, by its path; those of which it is not known are not in it.
pub(crate) type Vectors = Map<String, bool>;

/// Of the structs that are known around a function with this float type.
pub(crate) fn vectors(env: &Environment, float: &str) -> Vectors {
    let found = env.struct_paths().map(|path| {
        let has = env.has_vectors(path, float, 0)?;
        Some((path.to_owned(), has))
    });
    found.flatten().collect()
}

/// Whether the struct with this path has vectors, whatever its lengths are.
pub(crate) fn has_vectors(vectors: &Vectors, path: &TokenStream) -> Option<bool> {
    let path = spelled(&path.to_string());
    let of = path.split_once('<').map_or(&*path, |(of, _)| of);
    vectors.get(&path).or_else(|| vectors.get(of)).copied()
}

/// Whether a struct that has no name, but a way that leads to it, may have vectors: not what methods and operators of
/// structs without any give.
pub(crate) fn leads_to_vectors(vectors: &Vectors, way: &TokenStream) -> bool {
    let text = way.to_string();
    let mut named = text
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter_map(|name| vectors.get(name))
        .peekable();
    named.peek().is_none() || named.any(|has| *has)
}
