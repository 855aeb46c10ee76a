//! Types in messages.

use super::ty::{Ty, Unifier};

impl Unifier {
    /// A type for a message, as far as it is known.
    pub(crate) fn shown(&self, ty: &Ty) -> String {
        let listed = |parts: &[Ty]| {
            let parts: Vec<String> = parts.iter().map(|part| self.shown(part)).collect();
            parts.join(", ")
        };
        match self.shallow(ty) {
            Ty::Var(_) if self.traits(ty).is_some_and(|t| t.integer) => "{integer}".to_owned(),
            Ty::Var(_) => "_".to_owned(),
            Ty::Float => "f64".to_owned(),
            Ty::Int(name) => name,
            Ty::Bool => "bool".to_owned(),
            Ty::Tuple(parts) => format!("({})", listed(&parts)),
            Ty::Sum(parts) if parts.len() == 1 => format!("Option<{}>", listed(&parts)),
            Ty::Sum(parts) => format!("Result<{}>", listed(&parts)),
            Ty::Ref(false, of) => format!("&{}", self.shown(&of)),
            Ty::Ref(true, of) => format!("&mut {}", self.shown(&of)),
            Ty::Array(of, n) => format!("[{}; {}]", self.shown(&of), n.0),
            Ty::Slice(of) => format!("[{}]", self.shown(&of)),
            Ty::Vec(of) => format!("Vec<{}>", self.shown(&of)),
            Ty::Struct(path) | Ty::Bundle(path, _) => path.0.to_string(),
            ty @ Ty::Opaque(_) => super::state::shown(&ty, self),
        }
    }
}
