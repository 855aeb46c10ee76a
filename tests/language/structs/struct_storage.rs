//! Derived structs in vectors that grow, in chains, closures and options; split, exchanged and chosen.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.1, -0.4, 0.9], &[-1.2, 0.4, 0.9, -0.3]];

#[derive(Clone, Copy, Debug, Differentiable)]
struct V3 {
    x: f64,
    y: f64,
    z: f64,
}
#[derive(Clone, Copy, Debug, Differentiable)]
struct Pair {
    a: V3,
    b: V3,
    w: [f64; 4],
}

#[differentiable]
fn mk(x: &[f64], k: usize) -> V3 {
    V3 {
        x: x[k],
        y: x[k] * x[0],
        z: x[1].sin(),
    }
}

#[differentiable]
fn pull(a: &mut V3, b: &V3) {
    a.x += b.y * b.x;
    a.z *= b.z;
}
#[differentiable]
fn both(a: &mut V3, b: &mut V3) {
    a.x += b.y * b.x;
    b.z *= a.x;
    a.y = b.z;
}
#[differentiable]
fn rows(a: &mut [V3], b: &[V3], k: f64) {
    for i in 0..b.len().min(a.len()) {
        a[i].x *= b[i].y * k;
        a[i].y += b[i].x;
    }
}
#[differentiable]
fn parts(a: &mut [f64], b: &[f64], c: &mut [f64]) {
    for i in 0..b.len().min(a.len()) {
        a[i] *= b[i];
        c[0] += a[i] * b[i];
    }
}

#[differentiable]
fn split(x: &[f64]) -> f64 {
    let mut v = vec![mk(x, 0), mk(x, 1), mk(x, 2), mk(x, 3)];
    {
        let (l, r) = v.split_at_mut(2);
        pull(&mut l[0], &r[1]);
        both(&mut l[1], &mut r[0]);
        rows(l, r, x[1]);
        rows(r, &l[1..], x[2]);
    }
    let (head, tail) = v.split_at(1);
    head[0].x * tail[0].x + tail[1].y * tail[2].z + v[2].z + v[0].y
}
#[differentiable]
fn fields(x: &[f64]) -> f64 {
    let mut p = Pair {
        a: mk(x, 0),
        b: mk(x, 1),
        w: [x[0], x[1], x[2], x[3]],
    };
    both(&mut p.a, &mut p.b);
    pull(&mut p.b, &p.a);
    let (l, r) = p.w.split_at_mut(2);
    let (m, n) = r.split_at_mut(1);
    parts(l, m, n);
    p.a.x * p.w[0] + p.w[3] * p.b.x + p.w[1]
}
#[differentiable]
fn grow(x: &[f64]) -> f64 {
    let mut v: Vec<V3> = Vec::new();
    for i in 0..x.len() {
        v.push(mk(x, i));
        if x[i] > 0.5 {
            let t = v.pop().unwrap();
            v.push(V3 { x: t.y, ..t });
            v.push(t);
        }
    }
    v[1].x *= x[3];
    v.swap(0, 1);
    let mut s = 0.0;
    for a in &v {
        for b in v.iter().rev() {
            s += a.x * b.y - a.z;
        }
    }
    s
}
#[differentiable]
fn dot(a: &V3, b: &V3) -> f64 {
    a.x * b.x + a.y * b.y + a.z * b.z
}
#[differentiable]
fn norm(a: &mut V3) -> f64 {
    let n = dot(a, a).sqrt();
    a.x /= n;
    a.y *= n * dot(a, &V3 { x: n, ..*a });
    n
}
#[differentiable]
fn read(a: &[V3], i: usize) -> f64 {
    let mut s = 0.0;
    for v in a {
        s += v.x * a[i].y;
    }
    s
}
#[differentiable]
fn mutread(a: &mut [V3], x: &[f64]) -> f64 {
    let s = read(a, 1);
    a[0].x *= s;
    a[1].y += read(a, 0) * x[0];
    let t = dot(&a[0], &a[1]);
    a[1].z = t;
    read(a, 0) + s
}
#[differentiable]
fn bare(x: &[f64]) -> f64 {
    let mut v = [mk(x, 0), mk(x, 1), mk(x, 2)];
    let mut s = norm(&mut v[1]);
    s += mutread(&mut v, x);
    s += mutread(&mut v[1..], x);
    let r = &mut v[2];
    s += norm(r) * norm(r);
    s + dot(&v[0], &v[1]) + v[2].y + v[1].z
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let mut v = mk(x, 0);
    let d = |a: &V3, k: f64| a.x * k + a.y;
    let mut bump = |k: f64| {
        v.x += k;
        v.z *= k;
    };
    bump(x[1]);
    bump(x[2]);
    d(&v, x[3]) * v.z
}
#[differentiable]
fn chains(x: &[f64]) -> f64 {
    let v: Vec<V3> = (0..x.len()).map(|i| mk(x, i)).collect();
    let total: f64 = v.iter().map(|p| p.x * p.y).sum();
    let m: f64 = v.iter().zip(x).map(|(p, k)| p.z * k).sum();
    let w: Vec<V3> = v
        .iter()
        .map(|p| V3 { x: p.y, ..*p })
        .filter(|p| p.x > 0.0)
        .collect();
    let mut s = total * m;
    for p in w.iter().copied() {
        s += p.x * p.z;
    }
    for p in w {
        s += p.y;
    }
    v.iter().fold(s, |acc, p| acc * p.x + p.y)
}
#[differentiable]
fn swaps(x: &[f64]) -> f64 {
    let mut a = mk(x, 0);
    let mut b = mk(x, 1);
    std::mem::swap(&mut a, &mut b);
    let c = std::mem::replace(&mut a, mk(x, 2));
    let mut v = vec![a, b, c];
    v.reverse();
    v.rotate_left(1);
    v.swap(0, 2);
    v.insert(1, V3 { x: x[3], ..v[0] });
    let r = v.remove(2);
    let mut w = v.clone();
    w.extend_from_slice(&v[1..]);
    w.truncate(4);
    v[0].x = 3.0;
    let t = w.split_off(2);
    dot(&r, &v[0]) + w[0].x * w[1].y + t[0].x * t[1].z + c.y * c.x
}
#[differentiable]
fn options(x: &[f64]) -> f64 {
    let v = [mk(x, 0), mk(x, 1), mk(x, 2)];
    let mut s = 0.0;
    if let Some(p) = v.get(1) {
        s += p.x * p.y;
    }
    if let Some(p) = v.last() {
        s += p.z * v.first().unwrap().x;
    }
    let best = v.iter().max_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    s + best.x * best.y
}
#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let mut a = mk(x, 0);
    let mut b = mk(x, 1);
    for k in 0..3 {
        let r = if a.x > b.x { &mut a } else { &mut b };
        r.x -= 0.3 * x[k];
        r.y *= r.x;
    }
    let mut q = &a;
    if x[0] > 0.0 {
        q = &b;
    }
    dot(q, &a) + q.y * q.x
}
#[differentiable]
fn left_early(x: &[f64], n: usize) -> V3 {
    let mut v = mk(x, 0);
    for i in 0..n {
        v.x *= x[i % 4];
        if v.x.abs() < 0.1 {
            return V3 { y: v.x * v.z, ..v };
        }
        let old = v;
        v = V3 {
            z: old.x,
            x: old.y,
            y: old.z,
        };
    }
    v
}
#[differentiable]
fn many(x: &[f64], n: usize) -> Vec<V3> {
    let mut out = Vec::with_capacity(n);
    for i in 0..n {
        if x[i % 4] > 5.0 {
            return out;
        }
        out.push(left_early(x, i));
    }
    out
}
#[differentiable]
fn listed(x: &[f64]) -> f64 {
    let v: Vec<V3> = many(x, 6);
    let mut s = 0.0;
    for i in 0..v.len() {
        s += dot(&v[i], &v[v.len() - 1 - i]);
    }
    s
}
#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    let mut p = Pair {
        a: mk(x, 0),
        b: mk(x, 1),
        w: [x[0], x[1], x[2], x[3]],
    };
    for i in 0..7 {
        p.a.x = 0.5 * p.a.x + p.b.y * p.w[i % 4];
        p.b = p.a;
        p.w[(i + 1) % 4] *= p.b.z;
    }
    dot(&p.a, &p.b) + p.w[0] * p.w[2]
}

#[test]
fn structs_lent_together() {
    scalar!(split).row(31).row(164).check(&POINTS);
    scalar!(fields).row(122).check(&POINTS);
    scalar!(bare).row(164).check(&POINTS);
}

#[test]
fn vectors_of_structs_grow() {
    scalar!(grow).row(37).row(38).row(164).check(&POINTS);
    scalar!(listed).row(164).check(&POINTS);
}

#[test]
fn structs_in_chains() {
    scalar!(chains).row(52).row(164).check(&POINTS);
    scalar!(options).row(34).row(50).row(164).check(&POINTS);
}

#[test]
fn structs_taken_along_and_chosen() {
    scalar!(closures).row(86).check(&POINTS);
    scalar!(chosen).row(125).check(&POINTS);
    scalar!(stepped).row(123).check(&POINTS);
}

#[test]
fn structs_exchanged() {
    scalar!(swaps).row(41).row(164).check(&POINTS);
}

#[derive(Clone, Copy, Debug, Differentiable)]
struct Stencil {
    weight: f64,
    at: [usize; 2],
    sides: [[bool; 2]; 2],
}

#[differentiable]
fn moved(s: Stencil, by: f64) -> Stencil {
    let mut out = s;
    out.weight *= by;
    out.at[0] = 1 - out.at[0];
    out
}

#[differentiable]
fn along(x: &[f64]) -> f64 {
    let mut s = Stencil {
        weight: x[2],
        at: [0, 1],
        sides: [[true, false], [false, true]],
    };
    let mut sum = 0.0;
    for k in 0..4 {
        s.weight *= x[s.at[0]].sin() + 0.5;
        s = moved(s, x[s.at[1]]);
        if s.sides[k % 2][1] {
            sum += s.weight * x[s.at[0]];
        }
    }
    sum
}

#[test]
fn passive_arrays_in_structs_that_change() {
    scalar!(along).row(124).check(&POINTS);
}
