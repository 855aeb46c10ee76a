//! Methods of floats that have no row: those that are refused, and those whose result is passive.

/// A method of `f64` that has no row and cannot be differentiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Name of the method.
    pub name: &'static str,
    /// What to do about it.
    pub hint: &'static str,
}

const fn refused(name: &'static str, hint: &'static str) -> Refused {
    Refused { name, hint }
}

const RULE: &str = "unstable in std; call that of `di::special`, with the feature `special`";
const BITS: &str = "there is no derivative through the bit pattern";

/// Methods that are refused, with what to write instead.
pub const REFUSED: &[Refused] = &[
    refused(
        "maximum",
        "unstable in std; write `max`, or an `if` that says what NaN means",
    ),
    refused(
        "minimum",
        "unstable in std; write `min`, or an `if` that says what NaN means",
    ),
    refused("gamma", RULE),
    refused("ln_gamma", RULE),
    refused("erf", RULE),
    refused("erfc", RULE),
    refused(
        "clamp_magnitude",
        "unstable in std; write `clamp(-limit, limit)`",
    ),
    refused("algebraic_add", "unstable in std; write `+`"),
    refused("algebraic_sub", "unstable in std; write `-`"),
    refused("algebraic_mul", "unstable in std; write `*`"),
    refused("algebraic_div", "unstable in std; write `/`"),
    refused("algebraic_rem", "unstable in std; write `%`"),
    refused("to_bits", BITS),
    refused("from_bits", BITS),
    refused("to_be_bytes", BITS),
    refused("to_le_bytes", BITS),
    refused("to_ne_bytes", BITS),
    refused("from_be_bytes", BITS),
    refused("from_le_bytes", BITS),
    refused("from_ne_bytes", BITS),
    refused("to_int_unchecked", "unsafe; write `as`"),
];

/// Methods whose result is no float: they look at the value and are passive.
pub const PASSIVE: &[&str] = &[
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_normal",
    "is_subnormal",
    "is_sign_positive",
    "is_sign_negative",
    "classify",
    "partial_cmp",
    "total_cmp",
    "eq",
    "ne",
    "lt",
    "le",
    "gt",
    "ge",
];

/// The entry of a refused method, by name.
pub fn find_refused(name: &str) -> Option<&'static Refused> {
    REFUSED.iter().find(|refused| refused.name == name)
}

/// Is this a method with a passive result?
pub fn is_passive(name: &str) -> bool {
    PASSIVE.contains(&name)
}
