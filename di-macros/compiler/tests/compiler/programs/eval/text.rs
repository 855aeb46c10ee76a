//! Passive code that the evaluator understands by its text: literals, constants of std, methods of
//! integers.

use super::{Trap, Value};
use di_compiler::ir::{Tokens, Type};
use std::f64::consts as c;

/// The text of tokens without blanks.
pub(super) fn plain(tokens: &Tokens) -> String {
    tokens.0.to_string().split_whitespace().collect()
}

/// Smallest and largest value of an integer type (of 128 bits: what fits the evaluator).
pub(super) fn bounds(ty: &Type) -> (i128, i128) {
    let Type::Int(name) = ty else {
        return (i128::MIN, i128::MAX);
    };
    match name.as_str() {
        "usize" | "u64" => (0, i128::from(u64::MAX)),
        "u8" => (0, i128::from(u8::MAX)),
        "u16" => (0, i128::from(u16::MAX)),
        "u32" => (0, i128::from(u32::MAX)),
        "u128" => (0, i128::MAX),
        "isize" | "i64" => (i128::from(i64::MIN), i128::from(i64::MAX)),
        "i8" => (i128::from(i8::MIN), i128::from(i8::MAX)),
        "i16" => (i128::from(i16::MIN), i128::from(i16::MAX)),
        "i32" => (i128::from(i32::MIN), i128::from(i32::MAX)),
        _ => (i128::MIN, i128::MAX),
    }
}

pub(super) fn fits(n: i128, ty: &Type) -> bool {
    let (lo, hi) = bounds(ty);
    lo <= n && n <= hi
}

/// The integer reduced to the size of its type.
pub(super) fn wrap(n: i128, ty: &Type) -> i128 {
    let (lo, hi) = bounds(ty);
    match hi.checked_sub(lo).and_then(|d| d.checked_add(1)) {
        Some(size) => (n - lo).rem_euclid(size) + lo,
        None => n,
    }
}

/// Evaluates code; `None` if it is not understood.
pub(super) fn evaluate(
    code: &str,
    operands: &[(String, Value)],
    ty: &Type,
) -> Option<Result<Value, Trap>> {
    let bare = code.strip_prefix('{').and_then(|c| c.strip_suffix('}'));
    let bare = bare.unwrap_or(code);
    if let Ok(n) = bare.trim_end_matches("usize").parse::<i128>() {
        return Some(Ok(Value::Int(n)));
    }
    let last = code.rsplit("::").next().unwrap_or(code);
    if operands.is_empty() {
        return constant(last).map(|x| Ok(Value::Float(x)));
    }
    let (receiver, rest) = code.split_once('.')?;
    let fits = rest.strip_suffix(".is_some()");
    let value = rest.strip_suffix(".unwrap_or(0)");
    let rest = fits.or(value).unwrap_or(rest);
    let (method, args) = rest.strip_suffix(')')?.split_once('(')?;
    let int = |name: &str| match operands.iter().find(|(n, _)| n == name) {
        Some((_, Value::Int(n))) => Some(*n),
        Some((_, Value::Float(_) | Value::Bool(_))) | None => None,
    };
    let a = int(receiver)?;
    let args: Option<Vec<i128>> = args
        .split(',')
        .filter(|s| !s.is_empty())
        .map(|s| int(s.trim()))
        .collect();
    let Some(method) = method.strip_prefix("checked_") else {
        return int_method(method, a, &args?, ty);
    };
    let found = checked_method(method, a, &args?)?;
    match (fits, value) {
        (Some(_), _) => Some(Ok(Value::Bool(found.is_some()))),
        (None, Some(_)) => Some(Ok(Value::Int(found.unwrap_or(0)))),
        (None, None) => None,
    }
}

/// What a checked method gives; taken for one of unsigned integers where no operand is negative. `None` if it is
/// not known.
fn checked_method(method: &str, a: i128, args: &[i128]) -> Option<Option<i128>> {
    let signed = a < 0 || args.iter().any(|b| *b < 0);
    Some(match (method, args) {
        ("add", [b]) => a.checked_add(*b),
        ("sub", [b]) => a.checked_sub(*b).filter(|n| signed || *n >= 0),
        ("mul", [b]) => a.checked_mul(*b),
        ("div", [b]) => a.checked_div(*b),
        ("rem", [b]) => a.checked_rem(*b),
        _ => return None,
    })
}

fn int_method(method: &str, a: i128, args: &[i128], ty: &Type) -> Option<Result<Value, Trap>> {
    let panic = || Err(Trap::Panic("integer method".to_owned()));
    let int = |n: Option<i128>| n.map_or_else(panic, |n| Ok(Value::Int(n)));
    Some(match (method, args) {
        ("min", [b]) => int(Some(a.min(*b))),
        ("max", [b]) => int(Some(a.max(*b))),
        ("saturating_sub", [b]) => int(Some((a - b).max(0))),
        ("div_ceil", [b]) => int(a.checked_add(b - 1).and_then(|s| s.checked_div(*b))),
        ("pow", [b]) => int(u32::try_from(*b).ok().and_then(|b| a.checked_pow(b))),
        ("abs", []) => int(Some(a.abs())),
        ("abs_diff", [b]) => int(Some((a - b).abs())),
        ("div_euclid", [b]) => int(a.checked_div_euclid(*b)),
        ("rem_euclid", [b]) => int(a.checked_rem_euclid(*b)),
        ("clamp", [lo, hi]) if lo <= hi => int(Some(a.clamp(*lo, *hi))),
        ("wrapping_add", [b]) => int(Some(wrap(a + b, ty))),
        ("wrapping_sub", [b]) => int(Some(wrap(a - b, ty))),
        ("wrapping_mul", [b]) => int(a.checked_mul(*b).map(|n| wrap(n, ty))),
        ("signum", []) => int(Some(a.signum())),
        ("is_power_of_two", []) => Ok(Value::Bool(a > 0 && a & (a - 1) == 0)),
        _ => return None,
    })
}

fn constant(name: &str) -> Option<f64> {
    Some(match name {
        "PI" => c::PI,
        "TAU" => c::TAU,
        "E" => c::E,
        "LN_2" => c::LN_2,
        "SQRT_2" => c::SQRT_2,
        "FRAC_PI_2" => c::FRAC_PI_2,
        "INFINITY" => f64::INFINITY,
        "NEG_INFINITY" => f64::NEG_INFINITY,
        "NAN" => f64::NAN,
        "EPSILON" => f64::EPSILON,
        "MIN_POSITIVE" => f64::MIN_POSITIVE,
        _ => return None,
    })
}
