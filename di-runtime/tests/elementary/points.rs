//! First and second derivatives at the special points that the rows list.

use crate::derivatives::{Derivatives, reverse, same, tangent};
use crate::samples::{Sample, points, rows};

/// Equal up to rounding, infinities and NaN being what they are.
fn close(a: f64, b: f64) -> bool {
    same(a, b) || (a - b).abs() <= 1e-14 * b.abs()
}

fn check_points(engine: &str, of: impl Fn(&Sample) -> Derivatives) {
    for row in rows() {
        for (point, sample) in row.points.iter().zip(points(row)) {
            let n = row.arity();
            assert_eq!(
                point.first.len(),
                n,
                "first derivatives of a point of `{}`",
                row.name
            );
            let found = of(&sample);
            let triangle = || (0..n).flat_map(|i| (i..n).map(move |j| (i, j)));
            assert!(
                point.second.is_empty() || point.second.len() == triangle().count(),
                "second derivatives of a point of `{}`",
                row.name
            );
            for i in 0..n {
                let expected = point.first[i];
                assert!(
                    close(found.first[i], expected),
                    "{engine}: {sample:?} by {i}: {} for {expected}",
                    found.first[i]
                );
            }
            // zeros and infinities, where a factor of the second derivative may be infinite
            let is_special = |v: &f64| *v == 0.0 || !v.is_finite();
            let may_be_pole = sample.x.iter().chain(point.first).any(is_special);
            for ((i, j), expected) in triangle().zip(point.second) {
                for found in [found.second[i][j], found.second[j][i]] {
                    // where a factor is infinite zero times infinity is in the second: right, or no number, and
                    // never a wrong one
                    assert!(
                        may_be_pole && found.is_nan() || close(found, *expected),
                        "{engine}: {sample:?} by {i}, {j}: {found} for {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn tangents_at_special_points() {
    check_points("tangent", tangent);
}

#[test]
fn adjoints_at_special_points() {
    check_points("reverse", reverse);
}

#[test]
fn every_row_has_points_and_domains() {
    for row in rows() {
        assert!(
            !row.points.is_empty() && !row.domains.is_empty(),
            "`{}`",
            row.name
        );
        assert_eq!(row.classes.len(), row.arity(), "classes of `{}`", row.name);
        assert!(
            row.points.iter().all(|p| p.n.is_some() == row.integer),
            "integers of `{}`",
            row.name
        );
    }
}
