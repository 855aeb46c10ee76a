//! Vectors that change their length, and storage that changes hands.

use di::prelude::*;
use di_test::{inplace, scalar};

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0], &[-1.2, 0.4, 0.9, -0.3]];

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let mut v = Vec::new();
    for i in 0..x.len() {
        v.push(x[i] * x[i]);
        if x[i] > 0.0 {
            v.push(x[i].sin());
            v[0] *= x[i];
        }
    }
    let mut s = 0.0;
    for i in 0..v.len() {
        s += v[i] * v[v.len() - 1 - i];
    }
    s
}

#[test]
fn elements_pushed_in_branches_of_loops() {
    scalar!(pushed).row(36).row(37).step(0.05).check(&POINTS);
}

#[differentiable]
fn popped(x: &[f64]) -> f64 {
    let mut stack: Vec<f64> = Vec::with_capacity(x.len());
    let mut s = 0.0;
    for v in x {
        stack.push(*v);
        if stack.len() == 2 {
            let b = stack.pop().unwrap();
            let a = stack.pop().expect("two elements");
            stack.push(a * b.sin());
            s += a;
        }
    }
    stack.pop();
    stack.pop();
    while !stack.is_empty() {
        s += stack.pop().unwrap();
    }
    s + x[0] * x[1]
}

#[test]
fn a_stack_of_numbers() {
    scalar!(popped).row(38).check(&POINTS);
}

#[differentiable]
fn polish(x: &[f64]) -> f64 {
    let mut stack = vec![x[0], x[1]];
    for k in 2..x.len() {
        let top = stack.pop().unwrap();
        let next = stack[stack.len() - 1];
        stack.push(top * x[k]);
        stack.push(next + top);
    }
    let mut p = 1.0;
    while stack.len() > 1 {
        p *= stack.pop().unwrap() + stack.len() as f64;
    }
    p * stack[0]
}

#[test]
fn a_stack_that_is_used_up() {
    scalar!(polish).row(38).check(&POINTS);
}

#[differentiable]
fn resized(x: &[f64]) -> f64 {
    let mut v = vec![x[0]; 2];
    v.resize(4, x[1] * x[2]);
    v[3] *= v[2];
    v.resize(3, x[0]);
    v.resize(5, 1.5);
    v[4] *= v[1] * x[3];
    v.truncate(9);
    let kept = v[2] * v[4];
    v.truncate(1);
    v.resize(1, x[3]);
    v[0] *= kept;
    let last = v[0];
    v.clear();
    v.push(last * last);
    v[0] + kept
}

#[test]
fn lengths_up_and_down() {
    scalar!(resized).row(38).row(39).check(&POINTS);
}

#[differentiable]
fn extended(x: &[f64]) -> f64 {
    let mut v = vec![2.0];
    v.extend_from_slice(x);
    v.extend_from_slice(&x[1..3]);
    v.extend_from_slice(&[0.5, 0.25]);
    let mut w = vec![x[1] * x[2]];
    w.append(&mut v);
    w.reserve(10);
    v.push(w[3] * w[5]);
    let tail = w.split_off(4);
    let mut s = v[0] * tail[0];
    for i in 0..w.len() {
        s += w[i] * w[i] * (i as f64);
    }
    for t in &tail {
        s *= 1.0 + 0.1 * t;
    }
    s
}

#[test]
fn vectors_that_take_in_others() {
    scalar!(extended).row(39).check(&POINTS);
}

#[differentiable]
fn inserted(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1]];
    v.insert(1, x[2] * x[0]);
    v.insert(0, x[3]);
    v.insert(4, 0.5);
    let a = v.remove(2);
    let b = v.swap_remove(0);
    let c = v.swap_remove(v.len() - 1);
    v[0] *= a * b;
    v[1] += c;
    v[0] * v[1] * v[0]
}

#[test]
fn elements_put_in_and_taken_out() {
    scalar!(inserted).row(38).check(&POINTS);
}

#[differentiable]
fn assigned(x: &[f64]) -> f64 {
    let mut v = vec![x[0], x[1] * x[2]];
    let mut s = 0.0;
    for k in 0..3 {
        s += v[0] * v[v.len() - 1];
        if k == 1 {
            v = vec![v[1] * x[3]; 3];
        } else {
            let mut next = vec![0.0; v.len() + 1];
            for i in 0..v.len() {
                next[i + 1] = v[i] * x[k];
            }
            next[0] = s;
            v = next;
        }
    }
    for e in v {
        s += e.sin();
    }
    s
}

#[test]
fn vectors_assigned_anew() {
    scalar!(assigned).row(36).check(&POINTS);
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let v = if x[0] > 0.0 {
        vec![x[0] * x[1]; 2]
    } else if x[1] > 10.0 {
        Vec::new()
    } else {
        x[1..].to_vec()
    };
    let w;
    if x[2] > 0.0 {
        w = vec![x[2]];
    } else {
        w = v.clone();
    }
    let mut s = v[0] * v[v.len() - 1];
    for e in &w {
        s += e * e * v[0];
    }
    s
}

#[test]
fn vectors_from_branches() {
    scalar!(chosen).row(36).check(&POINTS);
}

#[differentiable]
fn early(x: &[f64], limit: usize) -> Vec<f64> {
    let mut v = vec![x[0]];
    for i in 0..x.len() {
        if i == limit {
            return v;
        }
        v.push(x[i] * v[i]);
        if x[i] > 1.5 {
            let w = vec![x[i]; 3];
            return w;
        }
    }
    v[0] *= x[1];
    v
}

#[differentiable]
fn of_early(x: &[f64]) -> f64 {
    let mut s = 0.0;
    for k in 0..5 {
        let v: Vec<f64> = early(x, k);
        s += v[v.len() - 1] * v[0] * (k + 1) as f64;
    }
    s
}

#[test]
fn vectors_returned_early() {
    scalar!(of_early).row(76).check(&POINTS);
}

#[differentiable]
fn moved(x: &[f64]) -> f64 {
    let mut a = x.to_vec();
    a[0] *= x[1];
    let mut b = a;
    b.push(b[0] * x[2]);
    let mut total = 0.0;
    if x[3] > 0.0 {
        let c = b;
        total += c[4] * c[1];
        b = vec![total; 2];
    }
    total += consumed(b);
    total
}

#[differentiable]
fn consumed(mut v: Vec<f64>) -> f64 {
    v.push(2.0);
    v[0] *= v[1];
    let n = v.len();
    v[0] * v[0] + v[n - 2]
}

#[test]
fn vectors_that_change_hands() {
    scalar!(moved).row(36).check(&POINTS);
}

#[differentiable]
fn buffers(x: &[f64], y: &mut [f64]) {
    let mut now = x.to_vec();
    let mut next = vec![0.0; x.len()];
    let n = x.len();
    for _ in 0..5 {
        for i in 0..n {
            next[i] = now[i] + 0.1 * now[(i + 1) % n] * now[i];
        }
        std::mem::swap(&mut now, &mut next);
    }
    y.copy_from_slice(&now);
}

#[test]
fn buffers_exchanged_in_a_time_loop() {
    inplace!(buffers, 4).row(41).check(&POINTS);
}

#[differentiable]
fn exchanged(x: &[f64]) -> f64 {
    let mut a = vec![x[0], x[1]];
    let mut b = vec![x[2]];
    std::mem::swap(&mut a, &mut b);
    b.push(a[0] * x[3]);
    let c = std::mem::take(&mut a);
    a.push(c[0] * b[1]);
    let d = std::mem::replace(&mut b, vec![a[0]; 3]);
    b[1] *= d[2];
    let (mut p, mut q) = ([x[0], x[1]], [x[2], x[3]]);
    std::mem::swap(&mut p, &mut q);
    p[0] *= q[1];
    let old = std::mem::replace(&mut p, q);
    let gone = std::mem::take(&mut q);
    let mut s = x[0];
    let before = std::mem::replace(&mut s, p[0] * old[0]);
    let taken = std::mem::take(&mut s);
    s + before * taken + d[0] * b[1] + b[2] + q[0] + gone[1] * p[1]
}

#[test]
fn contents_exchanged_replaced_and_taken() {
    scalar!(exchanged).row(41).check(&POINTS);
}

#[differentiable]
fn tree(x: &[f64]) -> f64 {
    let mut stack: Vec<usize> = Vec::new();
    let mut seen = vec![0.0; x.len()];
    stack.push(0);
    let mut s = 1.0;
    while !stack.is_empty() {
        let i = stack.pop().unwrap();
        seen[i] = x[i] * s;
        s += seen[i].sin();
        if 2 * i + 1 < x.len() {
            stack.push(2 * i + 1);
        }
        if 2 * i + 2 < x.len() {
            stack.push(2 * i + 2);
        }
    }
    s * seen[2]
}

#[test]
fn a_stack_of_indices() {
    scalar!(tree).row(37).row(38).check(&POINTS);
}

#[differentiable]
fn rows(x: &[f64]) -> f64 {
    let mut v: Vec<[f64; 2]> = Vec::new();
    for i in 0..x.len() {
        v.push([x[i], x[i] * x[0]]);
    }
    let last = v.pop().unwrap();
    v.resize(5, [x[1], last[0]]);
    v[4][0] *= last[1];
    v.insert(1, last);
    let first = v.remove(0);
    v.extend_from_slice(&[[0.5, x[2]]]);
    let mut s = first[1];
    for r in &v {
        s += r[0] * r[1];
    }
    s
}

#[test]
fn vectors_of_rows_grow() {
    scalar!(rows).row(37).check(&POINTS);
}

#[differentiable]
fn empty(x: &[f64]) -> f64 {
    let mut v: Vec<f64> = Vec::new();
    v.extend_from_slice(&x[2..2]);
    v.truncate(3);
    v.clear();
    let w = v.clone();
    v.extend_from_slice(&w);
    let mut s = x[0];
    for e in &v {
        s += e;
    }
    s * x[1]
}

#[test]
fn vectors_without_elements() {
    scalar!(empty).row(38).check(&POINTS);
}

#[differentiable]
fn taken_in(x: &[f64]) -> f64 {
    let mut v = vec![x[0]];
    v.extend(x.iter().filter(|e| **e > 0.0).map(|e| e * e));
    v.extend(&x[2..]);
    v.extend(vec![x[1] * x[2], 0.5]);
    let small: Vec<f64> = v.iter().copied().filter(|e| *e < 1.0).collect();
    let (p, q): (Vec<f64>, Vec<f64>) = v
        .iter()
        .filter(|e| **e < 1.0)
        .map(|e| (e.sin(), e * x[3]))
        .unzip();
    let mut s = 0.0;
    for i in 0..small.len() {
        s += small[i] * p[i] * q[q.len() - 1 - i];
    }
    s * v[v.len() - 2]
}

#[test]
fn items_of_chains_pushed() {
    scalar!(taken_in).row(39).row(52).step(0.02).check(&POINTS);
}

const ROWS: usize = 2;
const COLUMNS: usize = 3;

#[differentiable]
fn matrices(x: &[f64]) -> f64 {
    let mut m: [[f64; COLUMNS]; ROWS] = [[x[0], x[1], 1.0], [x[2], x[3], x[0] * x[1]]];
    let mut z = [[0.0; COLUMNS]; ROWS];
    let row = m[1];
    z[0] = row;
    m[1][0] *= x[3];
    z[1] = m[0];
    let mut all = vec![m; 2];
    all[1][0] = z[0];
    all.push(z);
    let last = all.pop().unwrap();
    let mut s = last[1][0];
    for k in 0..ROWS {
        for j in 0..COLUMNS {
            s += all[1][k][j] * last[k][j] * (1 + k + j) as f64;
        }
    }
    s
}

#[test]
fn matrices_of_named_size() {
    scalar!(matrices).row(22).row(114).check(&POINTS);
}

#[differentiable]
fn compared(x: &[f64], y: &mut [f64]) {
    y.clone_from_slice(x);
    y[0] *= x[1];
    let v = y.to_owned();
    let rows = [[x[0], x[1]], [x[2], x[3]]];
    let mut k = 1.0;
    if v == y && x[..2] != y[..2] {
        k += x[2];
    }
    if rows == [[x[0], x[1]], [x[2], x[3]]] && &v[1..] == &x[1..] && v[..] != x[..1] {
        y[1] *= k * v[2];
    }
    let order = vec![2, 0, 1];
    if order == [2, 0, 1] {
        y[2] *= y[1];
    }
}

#[test]
fn slices_compared() {
    inplace!(compared, 4)
        .row(35)
        .row(42)
        .row(101)
        .check(&POINTS);
}

#[differentiable]
fn popped_options(x: &[f64]) -> f64 {
    let mut stack = x.to_vec();
    let mut todo: Vec<usize> = vec![0, 2];
    let mut s = 1.0;
    while let Some(i) = todo.pop() {
        if let Some(top) = stack.pop() {
            s += top * x[i] * s;
            if i > 0 {
                todo.push(i - 1);
            }
        }
    }
    let last = stack.pop().unwrap_or(2.0);
    let mut rows = vec![[x[0], s]];
    let row = rows.pop().unwrap_or([1.0, 1.0]);
    let none = rows.pop().unwrap_or([x[1], 3.0]);
    s * last + row[0] * row[1] * none[0] + stack.len() as f64
}

#[test]
fn pop_as_an_option() {
    scalar!(popped_options).row(38).row(59).check(&POINTS);
}

#[differentiable]
fn scaled_rows(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for (i, row) in rows.iter_mut().enumerate() {
        for v in row {
            *v *= *v + i as f64;
        }
    }
    rows
}

#[differentiable]
fn handed_over(x: &[f64]) -> f64 {
    let rows = scaled_rows(
        x.iter()
            .map(|a| x.iter().map(|b| a * b).collect())
            .collect(),
    );
    let mut grown = Vec::new();
    for a in x {
        grown.push(vec![*a; 2]);
    }
    let again = scaled_rows(grown);
    rows.iter()
        .zip(&again)
        .map(|(r, s)| r[0] * s[1] + r[3] * r[3])
        .sum()
}

#[test]
fn rows_that_a_call_takes_with_it() {
    scalar!(handed_over).row(35).row(36).check(&POINTS);
}
