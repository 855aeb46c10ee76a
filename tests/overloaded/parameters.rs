//! Handles: what functions take.

use di::prelude::*;

use crate::{agrees, close};

#[overloaded]
mod model {
    pub type Real = f64;

    /// The argument of the sine is all the numbers, weighted by 1, 2, ..
    fn wave<'a>(all: impl IntoIterator<Item = &'a f64>) -> f64 {
        all.into_iter()
            .zip(1..)
            .map(|(v, k)| *v * f64::from(k))
            .sum::<f64>()
            .sin()
    }

    pub fn number(x: f64) -> f64 {
        wave([&x])
    }

    pub fn alias(x: Real) -> Real {
        wave([&x])
    }

    pub fn borrowed(x: &f64) -> f64 {
        wave([x])
    }

    pub fn slice(x: &[f64]) -> f64 {
        wave(x)
    }

    pub fn array(x: [f64; 3]) -> f64 {
        wave(&x)
    }

    pub fn borrowed_array(x: &[f64; 3]) -> f64 {
        wave(x)
    }

    pub fn nested_array(x: [[f64; 3]; 2]) -> f64 {
        wave(x.iter().flatten())
    }

    pub fn slice_of_arrays(x: &[[f64; 3]]) -> f64 {
        wave(x.iter().flatten())
    }

    pub fn vector(mut x: Vec<f64>) -> f64 {
        x.push(0.0);
        wave(&x)
    }

    pub fn borrowed_vector(x: &Vec<f64>) -> f64 {
        wave(x)
    }

    pub fn vector_of_arrays(x: Vec<[f64; 3]>) -> f64 {
        wave(x.iter().flatten())
    }

    pub fn rows(x: Vec<Vec<f64>>) -> f64 {
        wave(x.iter().flatten())
    }

    pub fn borrowed_rows(x: &[Vec<f64>]) -> f64 {
        wave(x.iter().flatten())
    }

    pub fn vector_of_rows(x: &Vec<Vec<f64>>) -> f64 {
        wave(x.iter().flatten())
    }

    pub fn several(a: f64, b: &[f64], c: Vec<f64>, [d, e]: [f64; 2], f: &f64) -> f64 {
        wave(
            [&a].into_iter()
                .chain(b)
                .chain(&c)
                .chain([&d, &e])
                .chain([f]),
        )
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct Spring {
        pub stiffness: f64,
        pub ends: [f64; 2],
        pub name: String,
        pub steps: usize,
    }

    #[derive(Clone, Debug, PartialEq)]
    pub struct System {
        pub springs: Vec<Spring>,
        pub damping: Option<f64>,
        pub masses: Vec<f64>,
    }

    fn of_spring(s: &Spring) -> f64 {
        assert_eq!(s.name.len(), 1);
        s.steps as f64 * s.stiffness * (s.ends[1] - s.ends[0]).powi(2)
    }

    pub fn by_value(s: Spring) -> f64 {
        let Spring {
            stiffness,
            ends: [a, b],
            steps,
            ..
        } = s;
        steps as f64 * stiffness * (b - a).powi(2)
    }

    pub fn by_reference(s: &Spring) -> f64 {
        of_spring(s)
    }

    pub fn of_system(s: &System, force: f64) -> f64 {
        let energy: f64 = s.springs.iter().map(of_spring).sum();
        let masses = s.masses.iter().fold(1.0, |p, m| p * m);
        energy * force + s.damping.map_or(0.0, |d| d * d * masses)
    }

    pub fn between(a: &Spring, b: Spring) -> f64 {
        of_spring(a) * of_spring(&b)
    }
}

/// The gradient by both engines, by calls with and without preparation.
macro_rules! gradients {
    ($f:ident, $x:expr, |$g:ident| $flat:expr, $expected:expr) => {
        let x = $x;
        let (tape, dual) = (AutoTape::new(), AutoDual::new());
        let by_tape = prepare_gradient(model::$f::AD, &tape, &x).unwrap();
        let by_duals = prepare_gradient(model::$f::AD, &dual, &x).unwrap();
        let found = [
            gradient(model::$f::AD, &by_tape, &tape, &x),
            gradient(model::$f::AD, &by_duals, &dual, &x),
            gradient(model::$f::AD, NoPrep, &tape, &x),
        ];
        for g in found {
            let $g = g.unwrap();
            let flat: Vec<f64> = $flat;
            close(stringify!($f), &flat, &$expected);
        }
    };
}

#[test]
fn sequences_of_all_kinds_are_differentiated() {
    let x = [0.3, -0.2, 0.9];
    let slope = (0.3_f64 - 0.4 + 2.7).cos();
    let three = [slope, 2.0 * slope, 3.0 * slope];
    let one = 0.3_f64.cos();
    gradients!(number, 0.3, |g| vec![g], [one]);
    gradients!(alias, 0.3, |g| vec![g], [one]);
    gradients!(borrowed, 0.3, |g| vec![g], [one]);
    gradients!(slice, x.to_vec(), |g| g, three);
    gradients!(array, x, |g| g.to_vec(), three);
    gradients!(borrowed_array, x, |g| g.to_vec(), three);
    gradients!(vector, x.to_vec(), |g| g, three);
    gradients!(borrowed_vector, x.to_vec(), |g| g, three);
}

#[test]
fn rows_are_differentiated() {
    let x = [[0.3, -0.2, 0.9], [0.1, 0.4, -0.7]];
    let slope = (0.3_f64 - 0.4 + 2.7 + 0.4 + 2.0 - 4.2).cos();
    let six = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0].map(|k| k * slope);
    gradients!(nested_array, x, |g| g.concat(), six);
    gradients!(slice_of_arrays, x.to_vec(), |g| g.concat(), six);
    gradients!(vector_of_arrays, x.to_vec(), |g| g.concat(), six);
    let ragged = vec![vec![0.3], vec![], vec![-0.2, 0.9, 0.1, 0.4, -0.7]];
    gradients!(rows, ragged.clone(), |g| g.concat(), six);
    gradients!(borrowed_rows, ragged.clone(), |g| g.concat(), six);
    gradients!(vector_of_rows, ragged.clone(), |g| g.concat(), six);
}

#[test]
fn several_parameters_are_a_tuple() {
    let x = (0.3, vec![-0.2, 0.9], vec![0.1], [0.4, -0.7], 0.2);
    let slope = (0.3_f64 - 0.4 + 2.7 + 0.4 + 2.0 - 4.2 + 1.4).cos();
    let flat = |g: (f64, Vec<f64>, Vec<f64>, [f64; 2], f64)| {
        [&[g.0][..], &g.1, &g.2, &g.3, &[g.4]].concat()
    };
    let expected = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0].map(|k| k * slope);
    gradients!(several, x.clone(), |g| flat(g), expected);
}

#[test]
fn structs_are_parameters() {
    use model::{Spring, System};
    let spring = |stiffness, steps| Spring {
        stiffness,
        ends: [0.5, 2.0],
        name: "a".into(),
        steps,
    };
    let expected = [2.0 * 2.25, -2.0 * 2.0 * 3.0 * 1.5, 2.0 * 2.0 * 3.0 * 1.5];
    let flat = |g: &Spring| vec![g.stiffness, g.ends[0], g.ends[1]];
    gradients!(by_value, spring(3.0, 2), |g| flat(&g), expected);
    gradients!(by_reference, spring(3.0, 2), |g| flat(&g), expected);

    let (a, b) = (spring(3.0, 2), spring(0.5, 1));
    let (of_a, of_b) = (2.0 * 3.0 * 2.25, 0.5 * 2.25);
    let pair = [
        4.5 * of_b,
        -18.0 * of_b,
        18.0 * of_b,
        2.25 * of_a,
        -1.5 * of_a,
        1.5 * of_a,
    ];
    gradients!(
        between,
        (a.clone(), b.clone()),
        |g| [flat(&g.0), flat(&g.1)].concat(),
        pair
    );

    let system = System {
        springs: vec![a, b],
        damping: Some(0.3),
        masses: vec![2.0, 5.0],
    };
    let expected = [
        4.5 * 0.7,
        -18.0 * 0.7,
        18.0 * 0.7,
        2.25 * 0.7,
        -1.5 * 0.7,
        1.5 * 0.7,
        6.0,
        0.45,
        0.18,
        of_a + of_b,
    ];
    let flat = |g: &(System, f64)| {
        let springs = g.0.springs.iter().flat_map(flat);
        springs
            .chain(g.0.damping)
            .chain(g.0.masses.clone())
            .chain([g.1])
            .collect::<Vec<f64>>()
    };
    gradients!(of_system, (system.clone(), 0.7), |g| flat(&g), expected);
    let none = System {
        damping: None,
        ..system
    };
    let y = evaluate(model::of_system::AD, &(none.clone(), 0.7)).unwrap();
    assert_eq!(y, model::of_system(&none, 0.7));
}

#[test]
fn functions_of_numbers_have_higher_derivatives() {
    let x = 0.3_f64;
    let [s, c] = [x.sin(), x.cos()];
    close(
        "second",
        &[second_derivative(model::number::AD, NoPrep, &AutoDual::new(), &x).unwrap()],
        &[-s],
    );
    close(
        "second",
        &[second_derivative(model::number::AD, NoPrep, &AutoTape::new(), &x).unwrap()],
        &[-s],
    );
    close(
        "derivative",
        &[derivative(model::borrowed::AD, NoPrep, &AutoTape::new(), &x).unwrap()],
        &[c],
    );
    agrees!(
        model::slice::AD,
        model::slice,
        [[0.3, -0.2, 0.9], [1.3, 0.2, -0.4]]
    );
}

#[overloaded]
mod arrays {
    use ndarray::{Array1, Array2, ArrayView1, ArrayView2};

    pub fn quadratic(a: ArrayView2<'_, f64>, x: ArrayView1<'_, f64>) -> f64 {
        let y: Array1<f64> = a.dot(&x);
        y.dot(&x) * 0.5
    }

    pub fn outer(x: ArrayView1<'_, f64>) -> Array2<f64> {
        Array2::from_shape_fn((x.len(), x.len()), |(i, j)| x[i] * x[j] * 2.0)
    }
}

#[test]
fn arrays_of_ndarray_are_parameters() {
    use ndarray::array;
    let (a, x) = (array![[2.0, 1.0], [0.5, 3.0]], array![0.3, -0.7]);
    for _ in 0..2 {
        let point = (a.view(), x.view());
        let g = gradient(arrays::quadratic::AD, NoPrep, &AutoTape::new(), &point).unwrap();
        let expected = 0.5 * (a.dot(&x) + a.t().dot(&x));
        close(
            "by x",
            g.1.as_slice().unwrap(),
            expected.as_slice().unwrap(),
        );
        close(
            "by a",
            g.0.as_slice().unwrap(),
            &[0.045, -0.105, -0.105, 0.245],
        );
    }
    let j = jacobian(arrays::outer::AD, NoPrep, &AutoDual::new(), &x).unwrap();
    close(
        "jacobian",
        j.as_slice(),
        &[1.2, 0.0, -1.4, 0.6, -1.4, 0.6, 0.0, -2.8],
    );
}
