//! What is known of the items around a function: the functions that it calls, the structs that it builds, the
//! methods of its block. Lowering asks it for types; it knows nothing of where the answers come from.

use super::methods::Methods;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Items by the paths that the function writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Environment {
    /// The impl block that the function stands in.
    pub(crate) methods: Methods,
    functions: BTreeMap<String, Rc<syn::Signature>>,
    structs: BTreeMap<String, Rc<syn::Fields>>,
}

impl Environment {
    /// The same around a function of an impl block.
    pub(crate) fn with_methods(&self, methods: Methods) -> Environment {
        Environment {
            methods,
            ..self.clone()
        }
    }

    pub(crate) fn add_function(&mut self, path: &str, signature: syn::Signature) {
        self.functions.insert(spelled(path), Rc::new(signature));
    }

    pub(crate) fn add_struct(&mut self, path: &str, fields: syn::Fields) {
        self.structs.insert(spelled(path), Rc::new(fields));
    }

    /// The signature of the function with this path.
    pub(crate) fn function(&self, path: &str) -> Option<Rc<syn::Signature>> {
        self.functions.get(&spelled(path)).cloned()
    }

    /// The type of a field of the struct with this path.
    pub(crate) fn field(&self, path: &str, name: &str) -> Option<syn::Type> {
        let fields = self.structs.get(&spelled(path))?;
        let mut numbered = fields.iter().enumerate();
        let (_, field) = numbered.find(|(k, field)| match &field.ident {
            Some(ident) => ident.to_string().trim_start_matches("r#") == name,
            None => k.to_string() == name,
        })?;
        Some(field.ty.clone())
    }

    /// Whether nothing more can be learned of this path by asking.
    pub(crate) fn knows(&self, path: &str) -> bool {
        let path = spelled(path);
        self.functions.contains_key(&path) || self.structs.contains_key(&path)
    }
}

/// A path without the blanks that printing puts into it.
fn spelled(path: &str) -> String {
    path.split_whitespace().collect()
}
