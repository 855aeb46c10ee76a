//! Comparisons of arguments with what is expected, and the errors that they give.

use crate::capability::Operator;
use crate::scalar::Real;
use crate::value::{Container, Entry, Family, Part, Tangents, TangentsMut};

use super::{Comparison, Error, Row};

/// Compares the shape of a container with the expected one.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_shape<F: Family, R: Real>(
    operator: Operator,
    argument: &'static str,
    expected: &F::Shape,
    found: &(impl Container<F, R> + ?Sized),
) -> Result<(), Error> {
    if found.has_shape(expected) {
        return Ok(());
    }
    Err(wrong_shape::<F>(
        operator,
        argument,
        expected,
        &found.shape(),
    ))
}

/// Compares the shapes of all tangents with the expected one.
///
/// # Errors
/// [`Error::Shape`] if one differs.
#[inline]
pub(crate) fn check_tangents<F: Family, R: Real, M>(
    operator: Operator,
    argument: &'static str,
    expected: &F::Shape,
    found: &(impl Tangents<F, R, M> + ?Sized),
) -> Result<(), Error> {
    for k in 0..found.count() {
        if !found.has_shape(k, expected) {
            let found = found.shape(k);
            return Err(wrong_shape::<F>(operator, argument, expected, &found));
        }
    }
    Ok(())
}

/// Compares the number and the shapes of all buffers with the expected ones.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_results<F: Family, R: Real, M>(
    operator: Operator,
    count: usize,
    expected: &F::Shape,
    found: &(impl TangentsMut<F, R, M> + ?Sized),
) -> Result<(), Error> {
    check_count(operator, "number of results", count, found.count())?;
    for k in 0..count {
        if !found.has_shape(k, expected) {
            let found = found.shape(k);
            return Err(wrong_shape::<F>(operator, "result", expected, &found));
        }
    }
    Ok(())
}

/// Compares the lanes of a result with the expected shape.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub fn check_lanes<F: Family, T: Entry>(
    operator: Operator,
    expected: &F::Shape,
    found: F::LanesRef<'_, T>,
) -> Result<(), Error> {
    if F::lanes_have::<T>(found, expected) {
        return Ok(());
    }
    let found = F::lanes_shape::<T>(found);
    Err(wrong_shape::<F>(operator, "value", expected, &found))
}

#[cold]
#[inline(never)]
fn wrong_shape<F: Family>(
    operator: Operator,
    argument: &'static str,
    expected: &F::Shape,
    found: &F::Shape,
) -> Error {
    misfit(operator, shape_row::<F>(argument, expected, found))
}

/// Compares two numbers of things.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_count(
    operator: Operator,
    argument: &'static str,
    expected: usize,
    found: usize,
) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    Err(misfit(operator, count_row(argument, expected, found)))
}

/// Compares rows and columns.
///
/// # Errors
/// [`Error::Shape`] if they differ.
#[inline]
pub(crate) fn check_size(
    operator: Operator,
    argument: &'static str,
    expected: (usize, usize),
    found: (usize, usize),
) -> Result<(), Error> {
    if expected == found {
        return Ok(());
    }
    let row = Row {
        argument,
        expected: format!("{expected:?}"),
        found: format!("{found:?}"),
    };
    Err(misfit(operator, row))
}

#[cold]
fn misfit(operator: Operator, row: Row) -> Error {
    Error::Shape(Box::new(Comparison {
        operator,
        rows: vec![row],
    }))
}

/// Two shapes as a row of a comparison. Only for errors: out of the way of operators.
#[cold]
#[inline(never)]
pub(crate) fn shape_row<F: Family>(
    argument: &'static str,
    expected: &F::Shape,
    found: &F::Shape,
) -> Row {
    let (mut parts, mut others) = (Vec::new(), Vec::new());
    F::describe(expected, &mut parts);
    F::describe(found, &mut others);
    Row {
        argument,
        expected: text(&parts),
        found: text(&others),
    }
}

/// All parts of a shape.
fn text(parts: &[Part]) -> String {
    let texts: Vec<String> = parts.iter().map(part).collect();
    match &texts[..] {
        [text] => text.clone(),
        _ => format!("({})", texts.join(", ")),
    }
}

/// One part of a shape: its name, if it has one, and its lengths.
fn part(part: &Part) -> String {
    let lengths = match &part.lengths[..] {
        [] => "number".to_owned(),
        lengths => format!("{lengths:?}"),
    };
    match part.name {
        Some(name) => format!("{name}: {lengths}"),
        None => lengths,
    }
}

/// Two numbers as a row of a comparison.
pub(crate) fn count_row(argument: &'static str, expected: usize, found: usize) -> Row {
    Row {
        argument,
        expected: expected.to_string(),
        found: found.to_string(),
    }
}
