#![allow(warnings)]

use di::differentiable;

#[derive(Clone, di::Differentiable)]
struct Grid {
    cells: Vec<f64>,
}

#[differentiable]
fn refine(grid: &mut Grid, n: usize, x: f64) {
    if n > 0 {
        grid.cells.push(x);
        refine(grid, n - 1, x * x);
    }
}

#[differentiable]
fn f(x: f64) -> f64 {
    let mut grid = Grid { cells: vec![x] };
    refine(&mut grid, 2, x);
    grid.cells[2]
}

fn main() {}
