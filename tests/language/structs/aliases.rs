//! Names for types: in the same file without an attribute, and of constants that the compiler need not see through.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1], &[-1.2, 0.4]];

#[derive(Clone, Differentiable)]
struct Spring {
    stiffness: f64,
}

#[differentiable]
type Part = Spring;
type Count = usize;
type Data = Vec<f64>;

#[differentiable]
fn energy(p: &Part, x: f64) -> f64 {
    p.stiffness * x * x
}

#[differentiable]
fn named(x: &[f64], #[constant] n: Count, #[constant] data: &Data) -> f64 {
    let p = Part { stiffness: x[0] };
    energy(&p, x[1]) * n as f64 * data[0]
}

#[test]
fn names_of_structs_and_constants() {
    let data = vec![0.5];
    let f = named::AD.with(3, &data);
    scalar!(f, |x: &[f64]| named(x, 3, &data))
        .row(159)
        .check(&POINTS);
}

type Real = f64;
type Row = [Real; WIDTH];
type Matrix = Vec<Row>;
type Pair = (Real, Row);
type Numbers = [Real];

const WIDTH: usize = 2;

#[derive(Clone, Differentiable)]
struct Body {
    at: Row,
    mass: Real,
}

#[differentiable]
fn scaled(m: &Matrix, by: Real) -> Matrix {
    m.iter().map(|row| [row[0] * by, row[1].sin()]).collect()
}

#[differentiable]
fn split(row: Row) -> Pair {
    (row[0] * row[1], [row[1], row[0].exp()])
}

#[differentiable]
impl Body {
    fn moved(&self, by: &Row) -> Row {
        [self.at[0] + by[0] * self.mass, self.at[1] * by[1]]
    }
}

#[differentiable]
fn through_aliases(x: &Numbers, trips: Count) -> Real {
    let mut m: Matrix = vec![[x[0], x[1]], [x[1], 0.5]];
    for _ in 0..trips {
        m = scaled(&m, x[0]);
    }
    let (product, row): Pair = split(m[0]);
    let body = Body {
        at: m[1],
        mass: product,
    };
    let moved: Row = body.moved(&row);
    moved[0] * moved[1] + product
}

#[test]
fn names_of_arrays_and_tuples() {
    let f = through_aliases::AD.with(2);
    scalar!(f, |x: &[f64]| through_aliases(x, 2))
        .row(159)
        .check(&POINTS);
}

mod inner {
    use di::prelude::*;

    // another type than that of the module around
    type Row = (f64, f64, f64);

    #[differentiable]
    pub(super) fn product(x: &[f64]) -> f64 {
        let row: Row = (x[0], x[1].cos(), 2.0);
        deep::folded(row)
    }

    mod deep {
        use super::Row;
        use di::prelude::*;

        #[differentiable]
        pub(super) fn folded(row: Row) -> f64 {
            row.0 * row.1 * row.2
        }
    }
}

#[test]
fn names_of_the_module_around() {
    scalar!(inner::product::AD, inner::product)
        .row(159)
        .check(&POINTS);
}

type Square<const N: usize> = [[f64; N]; N];
type Named<'a, T> = (&'a str, T);
type Grid<T> = Vec<Vec<T>>;

#[differentiable]
fn product<const N: usize>(a: &Square<N>, b: &Square<N>) -> Square<N> {
    let mut c: Square<N> = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..N {
            for k in 0..N {
                c[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    c
}

#[differentiable]
fn total(grid: &Grid<Real>, weight: Named<'_, f64>) -> f64 {
    grid.iter().flatten().map(|v| v * weight.1).sum()
}

#[differentiable]
fn through_parameters(x: &[f64]) -> f64 {
    let a: Square<WIDTH> = [[x[0], 0.5], [x[1], x[0] * x[1]]];
    let b = product(&a, &a);
    let grid: Grid<f64> = vec![vec![b[0][1], b[1][0].sin()], vec![b[1][1]]];
    total(&grid, ("weight", x[1]))
}

#[test]
fn names_with_parameters() {
    scalar!(through_parameters).row(159).check(&POINTS);
}

mod shapes;

mod frames {
    pub(super) type Angle = f64;
    pub(super) type Frame = [[Angle; 2]; 2];
    pub(super) type Series<const N: usize> = [Angle; N];
}

use frames::{Angle as Turn, Frame, Series};
use shapes::*;

#[differentiable]
fn frame(turn: Turn) -> Frame {
    let (s, c) = turn.sin_cos();
    [[c, -s], [s, c]]
}

#[differentiable]
fn moved(frame: &Frame, path: &Path, by: Plane) -> Path {
    path.iter()
        .map(|p| {
            let x = frame[0][0] * p[0] + frame[0][1] * p[1];
            let y = frame[1][0] * p[0] + frame[1][1] * p[1];
            [x + by[0], y + by[1]]
        })
        .collect()
}

#[differentiable]
fn along_a_path(x: &[f64]) -> f64 {
    let weights: Series<2> = [x[1], 0.5];
    let path: Path = vec![[x[0], 1.0], [x[1], x[0]]];
    let path = moved(&frame(x[0]), &path, weights);
    path.iter().map(|p| p[0] * p[1] * weights[0]).sum()
}

#[test]
fn names_that_other_modules_declare() {
    scalar!(along_a_path).row(204).check(&POINTS);
}
