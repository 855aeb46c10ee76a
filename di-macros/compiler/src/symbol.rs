//! Names that the compiler knows: elementary functions, methods of integers, constants of std.

use proc_macro2::{Ident, Span};

/// Name of `self` in the function that stands beside the block of a method.
pub(crate) const SELF: &str = "__self";

/// Traits of operators, and whether they have a right side.
pub(crate) const OPERATOR_TRAITS: [(&str, bool); 11] = [
    ("Add", true),
    ("Sub", true),
    ("Mul", true),
    ("Div", true),
    ("Rem", true),
    ("Neg", false),
    ("AddAssign", true),
    ("SubAssign", true),
    ("MulAssign", true),
    ("DivAssign", true),
    ("RemAssign", true),
];

/// What the library's prelude brings, and an attribute of rustc's: items of users that have one of these names are found
/// in their module only.
pub(crate) const OF_PRELUDE: [&str; 83] = [
    "DerivativePrep",
    "GradientPrep",
    "HessianPrep",
    "HvpPrep",
    "JacobianPrep",
    "Linearization",
    "NoPrep",
    "PullbackPrep",
    "PushforwardPrep",
    "Ready",
    "SecondDerivativePrep",
    "SecondOrder",
    "Team",
    "at_points",
    "auto",
    "check_gradient",
    "check_gradient_of",
    "derivative",
    "derivative_into",
    "evaluate",
    "gradient",
    "gradient_and_hvp",
    "gradient_and_hvp_into",
    "gradient_into",
    "hessian",
    "hessian_diagonal",
    "hessian_diagonal_into",
    "hessian_into",
    "hessian_values_into",
    "hvp",
    "hvp_into",
    "jacobian",
    "jacobian_into",
    "jacobian_values_into",
    "jvp",
    "laplacian",
    "linearize",
    "nth_derivative",
    "nth_derivative_into",
    "path",
    "prepare_derivative",
    "prepare_gradient",
    "prepare_gradient_with_aux",
    "prepare_hessian",
    "prepare_hessian_diagonal",
    "prepare_hvp",
    "prepare_hvp_same_point",
    "prepare_jacobian",
    "prepare_nth_derivative",
    "prepare_pullback",
    "prepare_pullback_same_point",
    "prepare_pushforward",
    "prepare_pushforward_same_point",
    "prepare_second_derivative",
    "prepare_taylor_coefficients",
    "prepare_team",
    "pullback",
    "pullback_into",
    "pushforward",
    "pushforward_into",
    "second_derivative",
    "second_derivative_into",
    "taylor_coefficients",
    "taylor_coefficients_into",
    "value_and_derivative",
    "value_and_derivative_into",
    "value_and_gradient",
    "value_and_gradient_into",
    "value_and_gradient_with_aux",
    "value_and_jacobian",
    "value_and_jacobian_into",
    "value_and_pullback",
    "value_and_pullback_into",
    "value_and_pushforward",
    "value_and_pushforward_into",
    "value_derivative_and_second_derivative",
    "value_derivative_and_second_derivative_into",
    "value_gradient_and_hessian",
    "value_gradient_and_hessian_diagonal",
    "value_gradient_and_hessian_into",
    "value_gradient_and_hvp",
    "value_gradient_and_hvp_into",
    "vjp",
];

/// Row of the elementary table: its name and number of operands.
pub(crate) fn elementary(name: &str) -> Option<(&'static str, usize)> {
    di_elementary::find(name).map(|row| (row.name, row.arity() + usize::from(row.integer)))
}

/// Whether the last operand of a row is an integer.
pub(crate) fn has_integer(name: &str) -> bool {
    di_elementary::find(name).is_some_and(|row| row.integer)
}

/// Methods that floats and integers share, with all operands of one type.
const SHARED: &[&str] = &[
    "abs",
    "signum",
    "max",
    "min",
    "clamp",
    "div_euclid",
    "rem_euclid",
    "midpoint",
];

/// Whether integers have a method of that name too.
pub(crate) fn shared(name: &str) -> Option<&'static str> {
    SHARED.iter().find(|n| **n == name).copied()
}

/// Methods of floats whose answer is a bool.
const CLASSIFY: &[&str] = &[
    "is_nan",
    "is_infinite",
    "is_finite",
    "is_sign_positive",
    "is_sign_negative",
];

/// Whether floats have a method of that name.
pub(crate) fn is_of_floats(name: &str) -> bool {
    const OTHERS: [&str; 5] = ["clamp", "max", "min", "sin_cos", "total_cmp"];
    elementary(name).is_some() || classify(name).is_some() || OTHERS.contains(&name)
}

/// A method of floats whose answer is a bool.
pub(crate) fn classify(name: &str) -> Option<&'static str> {
    CLASSIFY.iter().find(|n| **n == name).copied()
}

/// What a method of integers gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IntResult {
    /// The receiver's type.
    Same,
    U32,
    Bool,
    /// The unsigned type of the same size.
    Unsigned,
}

/// A method of integers: type of the result, and whether the arguments have the receiver's type
/// (or `u32`).
pub(crate) fn int_method(name: &str) -> Option<(IntResult, bool)> {
    Some(match name {
        "abs"
        | "signum"
        | "max"
        | "min"
        | "clamp"
        | "div_euclid"
        | "rem_euclid"
        | "midpoint"
        | "wrapping_add"
        | "wrapping_sub"
        | "wrapping_mul"
        | "wrapping_div"
        | "wrapping_rem"
        | "wrapping_neg"
        | "wrapping_abs"
        | "wrapping_div_euclid"
        | "wrapping_rem_euclid"
        | "saturating_add"
        | "saturating_sub"
        | "saturating_mul"
        | "saturating_div"
        | "isqrt"
        | "div_ceil"
        | "next_multiple_of"
        | "next_power_of_two"
        | "swap_bytes"
        | "reverse_bits" => (IntResult::Same, true),
        "pow" | "wrapping_pow" | "saturating_pow" | "rotate_left" | "rotate_right"
        | "wrapping_shl" | "wrapping_shr" => (IntResult::Same, false),
        "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "ilog2" | "ilog10" => {
            (IntResult::U32, false)
        }
        "ilog" => (IntResult::U32, true),
        "is_power_of_two" | "is_positive" | "is_negative" => (IntResult::Bool, false),
        "is_multiple_of" => (IntResult::Bool, true),
        "abs_diff" | "unsigned_abs" => (IntResult::Unsigned, true),
        _ => return None,
    })
}

/// Whether nothing but an integer has a method of this name.
pub(crate) fn is_of_integers(name: &str) -> bool {
    let known = int_method(name).is_some()
        || checked_method(name).is_some()
        || name.starts_with("overflowing_");
    // slices are rotated as well
    known && elementary(name).is_none() && !name.starts_with("rotate_")
}

/// Methods of integers that give an `Option`; whether the operands have the type of the receiver.
pub(crate) fn checked_method(name: &str) -> Option<bool> {
    match name {
        "checked_add"
        | "checked_sub"
        | "checked_mul"
        | "checked_div"
        | "checked_rem"
        | "checked_neg"
        | "checked_abs"
        | "checked_div_euclid"
        | "checked_rem_euclid"
        | "checked_isqrt"
        | "checked_next_power_of_two" => Some(true),
        "checked_pow" | "checked_shl" | "checked_shr" => Some(false),
        _ => None,
    }
}

/// The unsigned integer type of the same size.
pub(crate) fn unsigned(name: &str) -> String {
    match name.strip_prefix('i') {
        Some(rest) => format!("u{rest}"),
        None => name.to_owned(),
    }
}

/// Type of an integer that describes a float type: `f64::DIGITS`.
pub(crate) fn float_property(name: &str) -> Option<&'static str> {
    match name {
        "DIGITS" | "MANTISSA_DIGITS" | "RADIX" => Some("u32"),
        "MAX_EXP" | "MIN_EXP" | "MAX_10_EXP" | "MIN_10_EXP" => Some("i32"),
        _ => None,
    }
}

/// Names of the float constants of std.
const FLOAT_CONSTANTS: &[&str] = &[
    "PI",
    "TAU",
    "E",
    "SQRT_2",
    "LN_2",
    "LN_10",
    "LOG2_E",
    "LOG2_10",
    "LOG10_E",
    "LOG10_2",
    "FRAC_PI_2",
    "FRAC_PI_3",
    "FRAC_PI_4",
    "FRAC_PI_6",
    "FRAC_PI_8",
    "FRAC_1_PI",
    "FRAC_2_PI",
    "FRAC_2_SQRT_PI",
    "FRAC_1_SQRT_2",
    "GOLDEN_RATIO",
    "EULER_GAMMA",
    "EPSILON",
    "INFINITY",
    "NEG_INFINITY",
    "NAN",
    "MIN_POSITIVE",
];

/// Whether a constant of that name is taken for a float when nothing else tells.
pub(crate) fn is_float_constant(name: &str) -> bool {
    FLOAT_CONSTANTS.contains(&name)
}

/// The name of a trait's method, for those who name the trait.
pub(crate) fn of_trait(name: &str, method: &str) -> String {
    format!("{name}::{method}")
}

/// Hash of a name, by which generated code finds a field's type or a method's handle: FNV-1a (Fowler, Noll and Vo).
pub(crate) fn hash(name: &str) -> u64 {
    name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// The trait that the types behind `dyn Name` have beside it.
pub(crate) fn object(name: &str) -> Ident {
    Ident::new(&format!("__{name}Object"), Span::call_site())
}

/// Its method that leads to a type.
pub(crate) fn cast(ty: &str) -> Ident {
    Ident::new(&format!("__as_{ty}"), Span::call_site())
}

/// The enum of the objects of a trait that are made of what varies.
pub(crate) fn objects(name: &str) -> Ident {
    Ident::new(&format!("{name}__Objects"), Span::call_site())
}

/// Whether an enum is one of these.
pub(crate) fn is_objects(name: &Ident) -> bool {
    name.to_string().ends_with("__Objects")
}
