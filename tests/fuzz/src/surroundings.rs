//! What stands beside the programs: functions that they call, structs with their methods and operators, traits.

/// Functions that programs call, by name.
pub const HELPERS: &[(&str, &str)] = &[
    (
        "helper",
        "fn helper(x: &[f64], k: usize) -> f64 { x[k] * x[k] }",
    ),
    (
        "scale_into",
        "fn scale_into(x: &[f64], c: f64, y: &mut [f64]) { for i in 0..x.len() { y[i] = c * x[i]; } }",
    ),
    (
        "pair",
        "fn pair(x: f64) -> (f64, f64) { (x.sin(), x.cos()) }",
    ),
    (
        "dot",
        "fn dot(a: &[f64], b: &[f64]) -> f64 { let mut s = 0.0; for (a, b) in a.iter().zip(b) { s += a * b; } s }",
    ),
    (
        "blend",
        "fn blend(a: f64, b: f64, w: &[f64]) -> f64 { let mut s = a; for i in 0..w.len() { if w[i] > b { return s * b; } s = (s + w[i] * b).sin(); } s }",
    ),
    (
        "power",
        "fn power(x: f64, n: usize) -> f64 { if n == 0 { return x; } let s = power(x * 0.9, n - 1); s * x.sin() + 0.3 }",
    ),
    (
        "halves",
        "fn halves(y: &mut [f64], c: f64) { let n = y.len(); if n < 2 { return; } let (l, r) = y.split_at_mut(n / 2); halves(l, c); halves(r, c * 0.5); l[0] += (r[0] * c).sin(); r[0] *= l[0].cos(); }",
    ),
    (
        "grown",
        "fn grown(x: &[f64], e: f64) -> Vec<f64> { let mut v = vec![e]; for i in 0..x.len() { if x[i] > 1.5 { return v; } v.push((x[i] * v[i] + e).sin()); if v.len() > 4 { v[0] *= e; break; } } v }",
    ),
    (
        "consumed",
        "fn consumed(mut v: Vec<f64>, c: f64) -> f64 { v.push(c); let mut s = 0.0; while let Some(t) = v.pop() { s = (s * t + t).sin(); if s > 0.9 { return s * c; } } s }",
    ),
    (
        "lend_two",
        "fn lend_two(a: &mut [f64], b: &mut [f64], c: &[f64]) -> f64 { let mut s = 0.0; for (p, q) in a.iter_mut().zip(b.iter_mut()) { *p = (*p * *q).sin(); *q += *p * c[0]; s += *q; } s * c[c.len() - 1] }",
    ),
    (
        "nudge",
        "fn nudge(a: &f64, s: &mut f64) -> f64 { *s = (*s * 0.8 + a).sin(); if *s > 0.7 { return *s * a; } *s += 0.1 * a; a.cos() * *s }",
    ),
    (
        "advance",
        "fn advance(state: &mut [f64], h: f64) { for i in 1..state.len() { state[i] = (state[i] + h * state[i - 1]).sin(); } state[0] *= h.cos(); }",
    ),
    (
        "lengths",
        "fn lengths<const N: usize>(c: &[f64; N], t: f64) -> f64 { let mut s = [t; N]; for i in 1..N { s[i] = (s[i - 1] * c[i] + t / (N + i) as f64).sin(); if s[i] > 0.8 { return s[i] * c[0]; } } s[N - 1] * c[N / 2] }",
    ),
    (
        "normalized",
        "fn normalized<const N: usize>(mut v: [f64; N]) -> [f64; N] { let k: f64 = 1.5 + lengths(&v, v[0]); for t in v.iter_mut() { *t /= k; } v }",
    ),
    (
        "weighted",
        "fn weighted<M: Model>(x: &[f64], #[constant] m: &M, k: f64) -> f64 { let mut s = M::shift(); for (i, t) in x.iter().enumerate() { let w: f64 = m.weight(i); s = (s + w * t * k).sin(); } s * M::SCALE }",
    ),
    (
        "scaled",
        "fn scaled<M>(y: &mut [f64], #[constant] m: M, k: f64) where M: Model + Copy { for i in 0..y.len() { let w: f64 = m.weight(i); y[i] = (y[i] * w + M::SCALE * k).sin(); } y[0] *= weighted(&y[1..], &m, k) + 1.3; }",
    ),
    (
        "bend",
        "#[active_scalar(T)] fn bend<T: Number>(x: &[T], k: T) -> T { let mut s = T::HALF; for (i, t) in x.iter().enumerate() { if *t > s { s = s - *t * k; } else { let n: T = T::of(i + 1); s = (s + *t * n).sin(); } } s.sin() * k }",
    ),
    (
        "bend_all",
        "#[active_scalar(S)] fn bend_all<S>(y: &mut [S], x: &[S], k: S) where S: Number { for i in 0..y.len() { let t: S = bend(x, y[i]); y[i] = t * k + S::HALF; } y[0] = y[0].sin(); }",
    ),
    (
        "checked",
        "fn checked(a: f64, b: f64) -> Option<f64> { if a > b { return None; } Some((a * b).sin()) }",
    ),
    (
        "asked",
        "fn asked(x: &[f64], a: f64, k: usize) -> Option<f64> { let s = checked(x[0], a)?; let t = x.get(k)?; if *t > 1.4 { return None; } Some((s * t + a).sin()) }",
    ),
    (
        "tried",
        "fn tried(x: &[f64], y: &mut [f64], k: usize) -> Result<f64, usize> { let s: Option<f64> = checked(x[k], y[0]); let s: f64 = s.ok_or(k + 1)?; y[0] = (y[0] + s).sin(); let t: f64 = asked(x, s, k + 2).ok_or(2_usize)?; Ok(s * t) }",
    ),
    (
        "even",
        "fn even(x: &[f64], n: usize) -> f64 { if n == 0 { return x[0] * x[1]; } let s = odd(x, n - 1); s * x[n % x.len()].cos() }",
    ),
    (
        "odd",
        "fn odd(x: &[f64], n: usize) -> f64 { let mut s = 1.0; for t in x { s += (t * s).sin(); } if n == 0 { return s; } let t = even(x, n - 1); t + s * 0.5 }",
    ),
    (
        "total",
        "fn total(a: &[Vec<f64>], k: f64) -> f64 { let mut s = k; for row in a { for v in row { s = (s + v * k).sin(); if s > 0.9 { return s; } } } s * a[0][0] }",
    ),
    (
        "relax",
        "fn relax(a: &mut [Vec<f64>], w: f64) { for i in 0..a.len() { for j in 1..a[i].len() { a[i][j] = (w * a[i][j] + a[i][j - 1]).sin(); } a[i][0] *= w.cos(); } }",
    ),
    (
        "table",
        "fn table(x: &[f64], e: f64) -> Vec<Vec<f64>> { let mut t = vec![x[1..].to_vec(), vec![e]]; for i in 0..3 { if x[i] > e { t.push(vec![x[i] * e; 2]); } else { t[1].push((x[i] + e).sin()); } } t }",
    ),
];

/// A function that only rustc can make sense of, and one like it for the evaluator.
#[derive(Clone, Copy, Debug)]
pub struct Outer {
    /// Its name.
    pub name: &'static str,
    /// What the evaluator runs.
    pub plain: &'static str,
    /// What rustc compiles, with all that is around it.
    pub given: &'static str,
}

/// Functions with rules, with arrays of ndarray, with special functions.
pub const OUTER: &[Outer] = &[
    Outer {
        name: "wave",
        plain: "fn wave(t: f64, k: f64) -> f64 { t.sin() * k.cos() }",
        given: "#[differentiable] fn wave_t(t: f64, k: f64) -> f64 { t.cos() * k.cos() }
#[differentiable] fn wave_k(t: f64, k: f64) -> f64 { -t.sin() * k.sin() }
#[di::custom_rule(partials(wave_t, wave_k))] fn wave(t: f64, k: f64) -> f64 { t.sin() * k.cos() }",
    },
    Outer {
        name: "bilinear",
        plain: "fn bilinear(x: &[f64], e: f64) -> f64 { let mut s = 0.0; for i in 0..2 { for j in 0..3 { s += x[i * 3 + j] * x[j] * (e + x[i]).sin() * x[0]; } } s }",
        given: "#[differentiable] fn bilinear(x: &[f64], e: f64) -> f64 {
    let (a, v) = (ArrayView2::from_shape((2, 3), &x[..6]).unwrap(), ArrayView1::from(&x[..3]));
    let lone = ArrayView1::from(&x[..v.len() - 2]);
    let w = ArrayView1::from(&x[..2]).mapv(|t| (e + t).sin()) * &lone;
    let both = concatenate![Axis(0), v, w];
    let sums = stack![Axis(1), v, v].fold_axis(Axis(0), 0.5, |s, t| (s * t).sin());
    let ij = [1, 2];
    let zero = a[ij] - *a.slice(s![1, 2]).into_scalar();
    zero + a.dot(&both.slice(s![..3])).dot(&both.slice(s![3..])) + sums[0] * sums[1] * 0.5
}",
    },
    Outer {
        name: "bell",
        plain: "fn bell(t: f64) -> f64 { t.tanh() * (1.0 + t.exp()).ln() }",
        given: "#[differentiable] fn bell(t: f64) -> f64 { let s: f64 = di::special::erf(t); s * di::special::softplus(t) }",
    },
];

/// Types of constants, and what the generic functions ask of a float.
pub const TRAITS: &str = "trait Heavy { fn heavy(&self, t: f64) -> f64; }
trait Model { const SCALE: f64; fn weight(&self, i: usize) -> f64; fn shift() -> f64; }
#[derive(Clone, Copy)] struct Linear(f64);
impl Model for Linear { const SCALE: f64 = 0.7; fn weight(&self, i: usize) -> f64 { self.0 * i as f64 + 0.5 } fn shift() -> f64 { 0.3 } }
const MODEL: Linear = Linear(0.3);
#[derive(Clone, Copy)] struct Bends;
impl Model for Bends { const SCALE: f64 = 0.9; fn weight(&self, i: usize) -> f64 { (i as f64).cos() } fn shift() -> f64 { 0.1 } }
#[derive(Clone, Copy)] struct Steps;
impl Model for Steps { const SCALE: f64 = 1.2; fn weight(&self, i: usize) -> f64 { (i % 2) as f64 - 0.4 } fn shift() -> f64 { -0.2 } }
trait Number: Copy + PartialOrd + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> { const HALF: Self; fn of(n: usize) -> Self; fn sin(self) -> Self; }
impl Number for f64 { const HALF: f64 = 0.5; fn of(n: usize) -> f64 { n as f64 } fn sin(self) -> f64 { f64::sin(self) } }";

/// The structs of programs.
pub const STRUCTS: &[&str] = &[
    "#[derive(Clone, Copy, Debug)] struct P { a: f64, b: f64, w: [f64; 3], k: usize }",
    "#[derive(Clone, Copy, Debug)] struct Tally { t: f64, i: i8, u: u8, j: i16, v: u16, k: i32, w: u32, l: i64, m: u64, n: isize, o: i128, p: u128, on: bool }",
];

/// Their methods.
pub const METHODS: &[&str] = &[
    "impl P {
    fn of(x: &[f64], k: usize) -> P { P { a: x[k], b: x[0] * x[1], w: [x[1], x[2] * x[k], 0.5], k } }
    fn energy(&self) -> f64 { let s = self.a * self.b; if s > 0.5 { return self.tail(s); } s + self.w[self.k % 3] * self.w[(self.k + 1) % 3] }
    fn tail(&self, k: f64) -> f64 { let mut s = k; for w in &self.w { s = (s + w * self.b).sin(); } s }
    fn push(&mut self, o: &P, k: f64) { self.a += o.b * k; self.w[1] *= (o.a + self.a).cos(); let old = *self; self.b = (old.w[1] + self.b).sin(); }
    fn mixed(self, o: P) -> P { P { b: (self.a * o.b).sin(), ..o } }
}",
    "impl Heavy for P { fn heavy(&self, t: f64) -> f64 { let s = self.a * t; if s < -0.5 { return s.cos() * self.b; } s + self.w[self.k % 3] } }",
    "impl Tally {
    fn count(&mut self, k: u8, e: f64) { self.u = self.u.wrapping_add(k) % 100; self.i = (self.i - 3) % 5; self.o -= 7; self.on = !self.on; if self.on { self.t = (self.t + e).sin(); } else { self.t *= self.w as f64 * 0.2; } }
    fn weigh(&self, e: f64) -> f64 { let s = self.t * (self.j as f64 + self.l as f64 * 0.5); if self.m > 3 { return (s * e).sin(); } (s + e * self.n as f64).sin() }
}",
];

/// Operators of `P`, each of which does something else.
pub const OPERATORS: &[&str] = &[
    "impl Add for P { type Output = P; fn add(self, o: P) -> P { P { a: self.a + o.a, b: (self.b * 0.5 + o.b).sin(), w: o.w, k: self.k } } }",
    "impl<'a> Add<&'a P> for &'a P { type Output = P; fn add(self, o: &'a P) -> Self::Output { P { a: (self.a * o.w[0]).sin(), b: self.b + o.b * 0.25, w: self.w, k: o.k } } }",
    "impl Sub<&P> for P { type Output = Self; fn sub(self, o: &Self) -> Self { P { a: (self.a - o.a).sin(), w: [self.w[1], o.w[0] * self.b, 0.3], ..self } } }",
    "impl Mul<f64> for P { type Output = P; fn mul(self, t: f64) -> P { P { a: self.a * t, b: (self.b * t * t).sin(), w: self.w, k: self.k } } }",
    "impl Mul<P> for f64 { type Output = P; fn mul(self, p: P) -> P { P { a: (self * p.a).sin(), b: self * p.b * 0.5, w: p.w, k: p.k } } }",
    "impl Mul<&P> for f64 { type Output = P; fn mul(self, p: &P) -> P { P { a: (self * p.b).sin(), ..*p } } }",
    "impl Mul for P { type Output = f64; fn mul(self, o: P) -> f64 { (self.a * o.a + self.b * o.w[1]).sin() } }",
    "impl Neg for &P { type Output = P; fn neg(self) -> P { P { a: -self.a, b: -0.5 * self.b, w: self.w, k: self.k } } }",
    "impl AddAssign for P { fn add_assign(&mut self, o: P) { self.a = (self.a + o.a).sin(); self.w[0] += 0.2 * o.w[2]; } }",
    "impl AddAssign<&P> for P { fn add_assign(&mut self, o: &P) { self.b = (self.b + o.a).sin(); self.w[1] -= 0.3 * o.b; } }",
    "impl MulAssign<f64> for P { fn mul_assign(&mut self, t: f64) { self.a *= t.cos(); for w in self.w.iter_mut() { *w *= 0.9; } } }",
];
