//! The variants of `Option` and `Result`, and how their values are kept.

/// `Option` and `Result` are kept as a bool, whether it is `Some` or `Ok`, and the payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    Some,
    None,
    Ok,
    Err,
}

impl Variant {
    /// Number of payloads of the type.
    pub(crate) fn arity(self) -> usize {
        match self {
            Variant::Some | Variant::None => 1,
            Variant::Ok | Variant::Err => 2,
        }
    }

    /// Which of the payloads is that of this variant.
    pub(crate) fn payload(self) -> usize {
        match self {
            Variant::Some | Variant::None | Variant::Ok => 0,
            Variant::Err => 1,
        }
    }

    /// The bool.
    pub(crate) fn flag(self) -> bool {
        matches!(self, Variant::Some | Variant::Ok)
    }
}
