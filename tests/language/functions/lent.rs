//! References to what has no name, to tables and rows, used where they are made; references to numbers
//! as arguments.

use di::prelude::*;
use di_test::compare::{DIFFERENCES, ROUNDING, assert_close};
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 2.0, 0.3], &[-1.2, 0.4, 0.9, -0.3, 1.6]];

#[differentiable]
fn temporaries(x: &[f64]) -> f64 {
    let (a, b) = (x[0], x[1]);
    let r = &(a * b);
    let q = if x[2] > 0.0 { &a } else { &(2.0 * b) };
    let m = &mut (a + b);
    *m *= x[3];
    let w = if x[0] > 0.0 { x } else { &[1.0, 2.0][..] };
    let z = if x[3] > 0.0 {
        &[a * b, x[4]]
    } else {
        &[b, x[0]]
    };
    let v = if x[3] > 0.0 {
        &mut [a * b, x[4]][..]
    } else {
        &mut x.to_vec()[1..]
    };
    v[0] *= v[1] + *m;
    r * q + *m + w[0] * w[1] * z[0] * z[1] + v[0]
}

#[test]
fn references_to_values_without_a_name() {
    scalar!(temporaries).row(125).check(&POINTS);
}

#[differentiable]
fn mutable_number(x: &[f64]) -> f64 {
    let mut y = x[1];
    let r = if x[0] > 0.0 {
        &mut y
    } else {
        &mut (2.0 * x[2])
    };
    *r *= x[3];
    let s = *r * x[4];
    *r += s;
    *r * y * s
}

#[test]
fn a_number_without_a_name_is_written() {
    scalar!(mutable_number).row(125).check(&POINTS);
}

#[differentiable]
fn kept_in_loop(x: &[f64]) -> f64 {
    let mut r: &[f64];
    let mut s = 0.0;
    for k in 0..4 {
        let w = [x[k] * x[k], x[k + 1]];
        r = &w;
        s += r[0] * r[1];
        let old = r;
        r = &x[1..3];
        s *= 1.0 + r[1] * old[0];
        if k == 2 {
            r = &[2.0, 3.0];
        }
        s += r[0] * x[0];
    }
    let mut r = &x[..2];
    for k in 0..4 {
        s += r[0] * r[1];
        if x[k] > 0.8 {
            r = &[2.0, 3.0];
        } else if x[k] < 0.2 {
            r = &x[k..];
        }
    }
    s + r[0] * r[1]
}

#[test]
fn references_to_constants_and_to_what_a_loop_makes() {
    scalar!(kept_in_loop).row(125).check(&POINTS);
}

const W1: [f64; 2] = [1.0, 2.0];
static W2: [f64; 3] = [0.5, -1.0, 0.25];

#[differentiable]
fn tables(x: &[f64], #[constant] data: &[Vec<f64>]) -> f64 {
    let mut row = &data[0][..];
    let mut s = 0.0;
    for k in 0..3 {
        let w: &[f64] = if x[k] > 0.0 { &W1 } else { &W2 };
        s += w[0] * x[k] * row[1];
        if x[k] < 1.0 {
            row = &data[k];
        }
        s *= row[0] * w[1];
    }
    s + row[1] * x[4]
}

#[test]
fn references_to_tables() {
    let data = [vec![1.0, 2.0], vec![-0.5, 0.3], vec![0.2, 4.0]];
    let _row = di_test::rows::row(125);
    for x in POINTS {
        let f = tables::AD.with(&data);
        let found = gradient(f, NoPrep, &AutoSource::new(), x).unwrap();
        let expected = di_test::differences::columns(|x| vec![tables(x, &data)], x, 0.02).concat();
        assert_close("tables", &found, &expected, DIFFERENCES);
    }
}

#[differentiable]
fn nested_temps(x: &[f64]) -> f64 {
    let m = vec![vec![x[0]], vec![x[1], x[2]]];
    let w = if x[0] > 0.0 {
        &m
    } else {
        &vec![vec![x[3] * x[1]], vec![x[2], 1.0]]
    };
    let mut s = w[0][0] * w[1][1];
    let row = if x[1] > 1.0 {
        &m[1]
    } else {
        &vec![x[4], x[4] * x[0]]
    };
    for v in row {
        s *= 1.0 + v;
    }
    s
}

#[test]
fn vectors_of_vectors_made_in_a_branch() {
    scalar!(nested_temps).row(125).check(&POINTS);
}

#[derive(Clone, Debug, Default, Differentiable)]
struct P {
    a: f64,
    v: [f64; 2],
    k: [f64; 2],
}

#[differentiable]
fn struct_refs(x: &[f64]) -> f64 {
    let p = P {
        a: x[0],
        v: [x[1], x[2]],
        k: [x[3], 1.0],
    };
    let q = P {
        a: x[1] * x[2],
        v: [x[4], 2.0],
        k: [x[0], x[1]],
    };
    let mut best = (&p, 0usize);
    if best.0.a < q.a {
        best = (&q, 1);
    }
    let r = if x[3] > 0.0 { &p.v } else { &q.v };
    let mut s = best.0.a * best.0.k[0] * best.0.v[0] * r[0];
    let mut field = &p.k[..];
    for k in 0..3 {
        s += field[0] * x[k];
        field = if k == 0 { &q.k } else { &best.0.v };
    }
    s
}

#[test]
fn references_to_structs_and_fields() {
    scalar!(struct_refs).row(125).check(&POINTS);
}

#[differentiable]
fn rows_held(x: &[f64]) -> f64 {
    let mut m = vec![vec![x[0], x[1]], vec![x[2], x[3], x[4]], vec![x[1]]];
    let mut best = &m[0];
    for row in &m {
        if row[0] > best[0] {
            best = row;
        }
    }
    let s = best[0] * best[best.len() - 1];
    let mut row = &mut m[1];
    row[0] *= s;
    for k in 0..2 {
        if x[k] > 0.0 {
            row = &mut m[2 * k];
        }
        row[0] += x[k] * s;
    }
    s * m[0][0] + m[1][0] * m[2][0]
}

#[test]
fn references_to_rows_of_different_lengths() {
    scalar!(rows_held).rows(&[125, 163]).check(&POINTS);
}

#[differentiable]
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut s = 0.0;
    for i in 0..2 {
        s += a[i] * b[i];
    }
    s
}

#[differentiable]
fn double(a: &mut [f64], by: f64) {
    for v in a.iter_mut() {
        *v *= by;
    }
}

#[differentiable]
fn in_place(x: &[f64]) -> f64 {
    let mut a = vec![x[0], x[1]];
    let mut b = [x[2], x[3]];
    let mut s = 1.0;
    let pick = |c: bool| if c { &x[1..] } else { &b[..] };
    s += pick(x[0] > 0.0)[1] * pick(x[0] < 0.0)[0];
    for k in 0..3 {
        s += (if x[k] > 0.0 { &a[..] } else { &b[..] })[k % 2];
        s *= dot(
            match k {
                0 => &a,
                1 => &b,
                _ => x,
            },
            if x[k] > 0.5 { &b } else { &a },
        );
        double(if x[k] > 0.0 { &mut a } else { &mut b }, 1.0 + 0.1 * x[k]);
        (if k == 1 { &mut a[..] } else { &mut b[..] }).fill(s * 0.1);
        for v in if x[k] > 0.0 { &a[..] } else { &b[..] } {
            s += v * v;
        }
        let m: f64 = (if x[k] < 0.0 { &a[..] } else { &b[..] })
            .iter()
            .map(|v| v * s)
            .sum();
        s += m + { if k == 0 { &a } else { &a } }.len() as f64;
    }
    s * a[0] + b[1]
}

#[test]
fn references_used_where_they_are_made() {
    scalar!(in_place).row(125).step(0.002).check(&POINTS);
}

#[differentiable]
fn lengths(x: &[f64]) -> f64 {
    let (a, b) = ([x[0], x[1]], [x[2], x[3], x[4]]);
    let mut s = 1.0;
    for k in 0..4 {
        let w: &[f64] = if x[k] > 0.0 {
            &a
        } else {
            &[x[k], 2.0, 3.0 * x[0]]
        };
        let v: &[f64] = match k {
            0 => &b,
            1 => &a,
            2 => x,
            _ => &[1.5],
        };
        s += w[w.len() - 1] * v[v.len() - 1];
        for u in v {
            s += u * 0.1;
        }
    }
    let [p, .., q] = (if x[0] > 0.0 { &a[..] } else { &b[..] }) else {
        return s;
    };
    s * p + q
}

#[test]
fn arms_of_different_lengths() {
    scalar!(lengths).row(125).check(&POINTS);
}

#[differentiable]
fn results(x: &[f64]) -> Result<f64, f64> {
    let mut rest = (x, 0usize);
    let mut s = 1.0;
    loop {
        let Some((h, t)) = rest.0.split_first() else {
            break;
        };
        s = (s * h + 0.3).sin();
        if *h > 1.8 {
            return Err(s * h);
        }
        rest = (t, rest.1 + 1);
        if rest.1 > 3 {
            continue;
        }
        s += *rest.0.get(0).ok_or(s)?;
    }
    Ok(s * rest.1 as f64)
}

#[differentiable]
fn of_results(x: &[f64]) -> f64 {
    let r: Result<f64, f64> = results(x);
    match r {
        Ok(v) => v * 2.0,
        Err(e) => e * x[0],
    }
}

#[test]
fn a_tuple_bound_anew_until_an_error() {
    scalar!(of_results).rows(&[78, 125]).check(&POINTS);
}

#[differentiable]
fn recursive(x: &[f64], s: &mut f64, n: &usize) -> f64 {
    if *n == 0 {
        return *s;
    }
    *s += x[*n] * *s;
    let m = n - 1;
    let t: f64 = recursive(x, s, &m);
    *s *= 0.9;
    t * *s
}

#[differentiable]
fn start(x: &[f64]) -> f64 {
    let mut s = x[0];
    let r: f64 = recursive(x, &mut s, &3);
    r + s
}

#[test]
fn numbers_lent_on_and_on() {
    scalar!(start).row(125).check(&POINTS);
}

#[differentiable]
fn numbers(x: &f64, y: &mut f64, k: &usize) -> f64 {
    *y *= x * *x + *k as f64;
    *y + *x
}

#[differentiable]
fn bump(y: &mut f64, by: &f64) {
    let z = y;
    *z += *z * by;
    if *z > 1.0 {
        numbers(by, z, &2);
    }
}

#[differentiable]
fn lent_numbers(x: &[f64]) -> f64 {
    let a = x[0];
    let mut s = x[1];
    let mut v = x.to_vec();
    let mut t = 0.0;
    for k in 0..3 {
        t += numbers(&a, &mut s, &k);
        bump(&mut v[k], &x[k + 1]);
        bump(&mut s, &(a * x[2]));
        let v0 = v[0];
        let r = if x[k] > 0.5 { &mut s } else { &mut v[k + 1] };
        t *= numbers(&v0, r, &1);
        let pair = (&mut t, &x[4]);
        bump(pair.0, pair.1);
    }
    t + s * v[1] + v[2] * v[3]
}

#[test]
fn numbers_lent_to_callees() {
    scalar!(lent_numbers).row(125).step(0.005).check(&POINTS);
}

#[differentiable]
fn norm(x: &[f64], y: &mut f64) {
    for v in x {
        *y += v * v;
    }
    *y = y.sqrt();
}

#[differentiable]
fn norms(x: &[f64]) -> f64 {
    let mut n = 0.5;
    norm(x, &mut n);
    norm(&x[1..3], &mut n);
    n
}

#[test]
fn a_number_as_the_result() {
    scalar!(norms).row(125).check(&POINTS);
}

#[differentiable]
fn div(x: &f64, y: &f64) -> Result<f64, f64> {
    if *y == 0.0 { Err(*x) } else { Ok(x / y) }
}

#[differentiable]
fn inout(s: &mut f64, n: &bool, t: &mut f64) -> f64 {
    if *n {
        return *s;
    }
    let r: Result<f64, f64> = div(s, t);
    *t = match r {
        Ok(v) => {
            *s += v;
            v
        }
        Err(e) => e,
    };
    std::mem::swap(s, t);
    let mut u = &mut *s;
    *u *= 2.0;
    u = t;
    *u += 1.0;
    *u
}

#[differentiable]
fn inouts(x: &[f64]) -> f64 {
    let (mut a, mut b) = (x[0], x[1]);
    let mut v = [x[2], x[3]];
    let mut s = 0.0;
    for k in 0..4 {
        s += inout(&mut a, &(k == 2), &mut b);
        let (p, q) = v.split_at_mut(1);
        s *= inout(&mut p[0], &false, &mut q[0]);
        if s > 1e3 {
            break;
        }
        for w in v.iter_mut() {
            s += inout(w, &false, &mut a);
        }
    }
    s * a + v[0] * b
}

#[test]
fn numbers_exchanged_by_a_callee() {
    scalar!(inouts).row(125).step(0.001).check(&POINTS[..1]);
}

#[derive(Clone, Copy, Debug, Default, Differentiable)]
struct Q {
    a: f64,
    b: f64,
}

#[differentiable]
impl Q {
    fn scaled(&self, by: &f64, out: &mut f64) -> f64 {
        *out += self.a * by;
        self.b * *by
    }
    fn set(&mut self, v: &f64) {
        self.a *= *v;
    }
}

#[differentiable]
fn methods(x: &[f64]) -> f64 {
    let mut q = Q { a: x[0], b: x[1] };
    let mut s = x[2];
    let t = q.scaled(&x[3], &mut s);
    q.set(&t);
    let mut y: f64 = q.scaled(&s, &mut q.b.clone());
    let u: f64 = q.scaled(&q.a, &mut y);
    q.set(&mut s);
    s * t + u * y + q.a
}

#[test]
fn numbers_lent_to_methods() {
    scalar!(methods).row(125).check(&POINTS);
}

#[differentiable]
fn of_reference(x: &f64) -> f64 {
    x.sin() * x
}

#[differentiable]
fn output_number(x: &[f64], y: &mut f64) {
    for v in x {
        *y += v.sin() * v;
    }
}

#[test]
fn references_as_parameters_of_a_handle() {
    let _row = di_test::rows::row(125);
    let slope = derivative(of_reference::AD, NoPrep, &AutoSource::new(), &0.7).unwrap();
    let expected = 0.7_f64.sin() + 0.7 * 0.7_f64.cos();
    assert_close("slope", &[slope], &[expected], ROUNDING);
    let mut y = [0.0];
    let f = output_number::AD.output(&mut y);
    let found = jacobian(f, NoPrep, &AutoSource::new(), POINTS[0]).unwrap();
    let expected: Vec<f64> = POINTS[0].iter().map(|v| v.sin() + v * v.cos()).collect();
    assert_close(
        "jacobian",
        &found.iter().copied().collect::<Vec<_>>(),
        &expected,
        ROUNDING,
    );
}
