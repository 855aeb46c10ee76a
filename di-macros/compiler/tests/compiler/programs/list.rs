//! The programs: one for each family of constructs.

programs! {
    fn sum_of_squares(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            s += x[i] * x[i];
        }
        s
    }

    fn rosenbrock(x: &[f64]) -> f64 {
        let n = x.len();
        let mut sum = 0.0;
        for i in 0..n - 1 {
            let a = x[i + 1] - x[i] * x[i];
            let b = 1.0 - x[i];
            sum += 100.0 * a.powi(2) + b * b;
        }
        sum
    }

    fn shadowing(x: f64) -> f64 {
        let x = x * 2.0;
        let x = { let x = x + 1.0; x * x };
        let t = (x, 2.0 * x);
        let (x, y) = t;
        x / y + t.1
    }

    fn branches(x: f64, y: f64) -> (f64, f64) {
        let t = if x > y { x - y } else if x == y { 0.0 } else { y - x };
        let (a, b) = if t > 1.0 { (t.sin(), t.cos()) } else { (t, -t) };
        if a < 0.0 {
            return (b, a);
        }
        (a, b)
    }

    fn early_return_in_loops(x: &[f64], bound: f64) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() {
            for j in i..x.len() {
                if x[i] * x[j] > bound {
                    return s;
                }
                if j == i + 3 {
                    break;
                }
                if x[j] < 0.0 {
                    continue;
                }
                s += x[i] * x[j];
            }
        }
        s + 0.5
    }

    fn labels(x: &[f64]) -> f64 {
        let mut s = 1.0;
        'outer: for i in 0..x.len() {
            let mut j = 0;
            loop {
                if j >= i {
                    continue 'outer;
                }
                if s > 50.0 {
                    break 'outer;
                }
                s *= 1.0 + x[j];
                j += 1;
            }
        }
        s
    }

    fn newton(a: f64) -> f64 {
        let mut x = a;
        let mut n = 0;
        while (x * x - a).abs() > 1e-12 && n < 50 {
            x = 0.5 * (x + a / x);
            n += 1;
        }
        x
    }

    fn loop_with_value(x: f64) -> f64 {
        let mut t = x;
        let found = loop {
            t *= 0.5;
            if t < 1.0 {
                break t + 1.0;
            }
        };
        found * 2.0
    }

    fn reversed_ranges(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in (0..x.len()).rev() {
            s = s * 0.5 + x[i];
        }
        for i in 1..=3 {
            s += i as f64;
        }
        for i in (1..=4usize).rev().step_by(2) {
            s = s * 1.5 - (i as f64);
        }
        s
    }

    fn iterators(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0;
        for v in x {
            s += v;
        }
        for v in x.iter() {
            s -= *v * 0.5;
        }
        for (i, v) in x.iter().enumerate() {
            s += v * i as f64;
        }
        for (a, b) in x.iter().zip(y) {
            s += a * b;
        }
        for (i, (a, b)) in x.iter().zip(y.iter()).enumerate().rev() {
            s = s * 0.9 + a / (1.0 + b * b) - i as f64;
        }
        for v in x.iter().skip(1).step_by(2).take(2) {
            s *= v;
        }
        s
    }

    fn sums(x: &[f64]) -> (f64, f64, f64) {
        let a: f64 = x.iter().sum();
        let b = x.iter().map(|v| v * v).sum::<f64>();
        let c: f64 = (0..x.len()).map(|i| x[i] * i as f64).product();
        (a, b, c)
    }

    fn folds(x: &[f64]) -> (f64, f64) {
        let m = x.iter().fold(f64::NEG_INFINITY, |a, &v| a.max(v));
        let n = x.iter().copied().fold(f64::INFINITY, f64::min);
        let (p, q) = x.iter().fold((0.0, 1.0), |(a, b), v| (a + b * v, b * 0.5));
        (m - n, p / q)
    }

    fn matrix(m: &[[f64; 3]], v: [f64; 3]) -> Vec<f64> {
        let mut y = vec![0.0; m.len()];
        for (i, row) in m.iter().enumerate() {
            for j in 0..3 {
                y[i] += row[j] * v[j];
            }
        }
        y
    }

    fn arrays(x: f64, k: usize) -> [[f64; 2]; 2] {
        let a = [[x, 1.0], [2.0, x * x]];
        let mut b = a;
        b[0][1] = a[1][0] + x;
        b[1] = a[k];
        let row = b[k];
        b[k][0] = row[1];
        let c = [row, a[0]];
        if x > 0.0 { b } else { c }
    }

    fn array_arms(x: f64) -> f64 {
        let v = if x > 0.0 { [x, 1.0, 2.0] } else { [0.0; 3] };
        let w = v;
        let mut s = 0.0;
        for t in w { s = s * 2.0 + t; }
        s
    }

    fn iterating_a_copy(mut a: [f64; 3]) -> f64 {
        let mut s = 0.0;
        for t in a {
            a[0] = a[0] + 1.0;
            s += t * a[0];
        }
        s
    }

    fn in_place(x: &[f64], y: &mut [f64]) {
        for (v, u) in y.iter_mut().zip(x) {
            *v += u * 2.0;
            *v *= *v;
        }
        y[0] = y[1] - x[0];
        for i in 1..y.len() {
            y[i] -= 0.5 * y[i - 1];
        }
        y.swap(0, 2);
    }

    fn sub_slices(x: &[f64], y: &mut [f64]) {
        let n = x.len() / 2;
        let (lo, hi) = (&x[..n], &x[n..]);
        let mid = &x[1..n + 1];
        for i in 0..n {
            y[i] = lo[i] * hi[i] + mid[i];
        }
        let tail = &mut y[n..];
        tail[0] = 7.0;
        tail.fill(x[0]);
        y[..2].copy_from_slice(&x[1..3]);
        for v in &mut y[1..] { *v += 1.0; }
        let (p, q) = x.split_at(1);
        y[0] += p[0] * q[0] + q.len() as f64;
    }

    fn helper(x: &[f64], k: usize) -> f64 {
        x[k] * x[k]
    }

    fn scale_into(x: &[f64], c: f64, y: &mut [f64]) {
        for i in 0..x.len() { y[i] = c * x[i]; }
    }

    fn pair(x: f64) -> (f64, f64) {
        (x.sin(), x.cos())
    }

    fn calls(x: &[f64]) -> f64 {
        let mut y = vec![1.0; x.len()];
        scale_into(x, 2.0, &mut y);
        scale_into(&x[1..], x[0], &mut y[..x.len() - 1]);
        let (a, b) = pair(y[0]);
        y[1] += helper(&y, 2);
        let t: f64 = helper(&y[1..], 0);
        a * b + t + helper(x, 0)
    }

    fn integers(x: &[f64], idx: &[usize], n: i32) -> f64 {
        let mut s = 0.0;
        let mut k = n;
        for &i in idx {
            let j = (i * 7 + 3) % x.len();
            s += x[j] * (k as f64);
            k = k.pow(2).rem_euclid(5) - 1;
        }
        let m = x.len().min(3).max(1);
        if k & 1 == 0 || idx.is_empty() { s += x[m - 1]; }
        let q = idx.len() as i32 >> 1;
        s * q as f64
    }

    fn short_circuit(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        if n > 0 && x[n - 1] > 0.0 {
            s += 1.0;
        }
        if n == 0 || x[n - 1] < 5.0 {
            s += 2.0;
        }
        if !(n < x.len()) || x[n] != 1.0 {
            s += 4.0;
        }
        let b = n > 1 && { s += 8.0; s > 9.0 };
        if b { s + 0.25 } else { s }
    }

    fn evaluation_order(mut x: f64, mut i: usize) -> f64 {
        let mut a = [1.0, 2.0, 4.0];
        let t = x + { x = 3.0; x } * x;
        a[i] = { i = 1; a[i] + t };
        a[i] += { i = 2; a[i] };
        let u = (x, { x += 1.0; x }, x * 2.0);
        a[{ i = 0; i }] *= u.0 + u.1 * u.2;
        let s = { let k = a[0]; a[0] = 0.5; k } + a[0];
        s + a[1] + a[2] * i as f64
    }

    fn late_init(x: f64) -> f64 {
        let a;
        let b: f64;
        if x > 0.0 {
            a = x.sqrt();
            b = 1.0;
        } else {
            b = x;
            a = -b;
        }
        a * b
    }

    fn methods(x: f64, y: f64) -> f64 {
        let (s, c) = x.sin_cos();
        let a = f64::max(x, y).min(10.0).clamp(-3.0, 3.0);
        let b = f64::atan2(s, c) + x.hypot(y) - y.abs().powf(1.5) + (x * x).sqrt().ln_1p();
        let c = x.mul_add(y, 1.0) + y.rem_euclid(0.7) - x.signum() * x.fract() + x.powi(-3);
        let d = if (x / 0.0).is_finite() || y.is_nan() || y.is_sign_negative() { 1.0 } else { 2.0 };
        a + b * c - d + x % 0.3 + std::f64::consts::PI * f64::EPSILON
    }

    fn casts(x: f64, n: usize, b: bool) -> (f64, usize, i32) {
        let k = x as i32;
        let u = (x * 10.0) as usize;
        ((k as f64) + x.floor() as f64 + b as usize as f64 + f64::from(k), u.wrapping_add(n), -k)
    }

    fn tuples(x: f64) -> f64 {
        let mut t = (x, (2.0 * x, [x, 1.0]));
        t.0 += 1.0;
        (t.1).0 *= t.0;
        t.1.1[0] = t.1.0;
        let (a, (b, c)) = t;
        a + b * c[0] + c[1]
    }

    fn constants(x: f64) -> f64 {
        const SCALE: f64 = 3.0;
        use std::f64::consts::LN_2;
        x * SCALE + LN_2 * GRAVITY
    }

    fn clones(x: &[f64]) -> f64 {
        let mut a = x.to_vec();
        let b = a.clone();
        a[0] = 10.0;
        let mut w = a;
        w[1] = b[0];
        let z = vec![1.0, w[0], b[1]];
        w[0] + w[1] * b[0] + z[1] + z.len() as f64
    }

    fn compound(x: &mut [f64], i: usize) {
        x[i] += x[i + 1] * 2.0;
        x[i] -= 1.0;
        x[i + 1] *= x[i];
        x[i] /= 3.0;
        x[i] %= 0.7;
        let mut k = 6usize;
        k -= 1;
        k /= 2;
        x[k] = k as f64;
    }

    fn out_of_bounds(x: &[f64], i: usize) -> f64 {
        let t = x[i];
        let s = &x[i..i + 2];
        t + s[1]
    }

    fn nothing_reached(x: f64) -> f64 {
        let mut s = x;
        loop {
            s += 1.0;
            if s > 10.0 {
                return s;
            }
        }
    }

    fn references(x: &[f64], y: [f64; 2]) -> f64 {
        let a = &x[1];
        let r = &y;
        let row = &r;
        let s = *a + row[0];
        let z = x.iter().map(|v| if *v > 1.0 { v.sqrt() } else { *v }).sum::<f64>();
        let m = [[1.0, 2.0], [3.0, 4.0]];
        let second = &m[1];
        s + z * second[0]
    }

    fn matches_on_numbers(x: f64, n: i32, b: bool) -> f64 {
        let s = match n {
            0 => x,
            1 | 2 => { let y = x * 2.0; y + 1.0 }
            3..=5 => return x - 1.0,
            k if k < -2 => x * k as f64,
            LIMIT => 7.0,
            m @ (6 | 7) => m as f64,
            -1 => x.sin(),
            _ => 0.5 * x,
        };
        let t = match b { true => s, false => -s };
        match x > 0.0 {
            true if t > 1.0 => t,
            _ => { let mut i = 0; loop { i += 1; match i { 5 => break, 2 => continue, _ => {} } } t * i as f64 }
        }
    }

    fn patterns(x: f64, v: [f64; 3]) -> f64 {
        let [a, mut b, c] = v;
        b += x;
        let (mut p, mut q) = (a, b);
        (p, q) = (q, p + 1.0);
        let mut w = [p, q];
        (w[0], _, (w[1], p)) = (w[1], 3.0, (w[0], c));
        std::mem::swap(&mut p, &mut q);
        let mut u = [c, p];
        std::mem::swap(&mut u, &mut w);
        let [[s, _], [_, t]] = [u, w];
        s * t + u[0] * w[1] + p / q
    }

    fn parameters_in_a_struct(p: &Params, x: f64) -> f64 {
        let mut s = p.a * x;
        for v in &p.xs {
            s += v * p.inner.k;
        }
        for i in 0..p.n {
            s *= p.m[i][1] - p.inner.k;
        }
        for (v, w) in p.xs[1..].iter().zip(p.m[0].iter()) {
            s += v * w;
        }
        let row = &p.m[1];
        let c: [[f64; 2]; 2] = p.m;
        s + row[0] * helper(&p.xs, 2) + c[0][1] + p.xs.len() as f64 + inner_rate(&p.inner, x)
    }

    fn inner_rate(p: &Inner, x: f64) -> f64 {
        (p.k * x).sin()
    }

    fn tables(x: f64, k: usize) -> f64 {
        let mut s = x * WEIGHTS[k];
        for (i, w) in WEIGHTS.iter().enumerate() {
            s += w * i as f64;
        }
        let w = &WEIGHTS;
        let row: &[f64] = &MATRIX[k];
        for v in row {
            s = s * 0.5 + v;
        }
        let mut copy: [f64; 3] = WEIGHTS;
        copy[k] += WEIGHTS[k] * s;
        let sum: f64 = WEIGHTS.iter().map(|v| v * x).sum();
        let mut dst = [0.0; 2];
        dst.copy_from_slice(&MATRIX[k][..2]);
        s + copy[0] * w[1] + sum + dst[1] * row.len() as f64 + PI
    }

    fn while_with_call(x: &[f64]) -> f64 {
        let mut y = x.to_vec();
        let mut n = 0;
        while helper(&y, 0) > 1.0 && n < 20 {
            y[0] *= 0.5;
            n += 1;
        }
        y[0] + n as f64
    }
}

use std::f64::consts::PI;

pub(crate) const LIMIT: i32 = 9;
pub(crate) const WEIGHTS: [f64; 3] = [0.5, 2.0, -1.0];
pub(crate) const MATRIX: [[f64; 3]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
pub(crate) const GRAVITY: f64 = 9.81;

/// A parameter with fields of all kinds.
pub(crate) struct Params {
    pub(crate) a: f64,
    pub(crate) xs: Vec<f64>,
    pub(crate) n: usize,
    pub(crate) m: [[f64; 2]; 2],
    pub(crate) inner: Inner,
}

/// A struct in a struct.
pub(crate) struct Inner {
    pub(crate) k: f64,
}
