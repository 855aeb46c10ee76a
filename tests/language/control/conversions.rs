//! `x.into()` and `text.parse()` where the type of the place is known: fields, arguments, results, branches, elements.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.3], &[1.2, 0.4], &[0.5, 0.8]];

#[derive(Clone, Copy, Debug, Differentiable)]
struct Metres(f64);

#[differentiable]
impl From<f64> for Metres {
    fn from(v: f64) -> Self {
        Metres(v * 0.5)
    }
}

#[derive(Clone, Debug, Differentiable)]
struct Coil {
    radius: Metres,
    #[constant]
    turns: usize,
}

#[differentiable]
impl Coil {
    fn new(radius: Metres, turns: usize) -> Self {
        Self { radius, turns }
    }

    fn thin(radius: f64) -> Self {
        Self {
            radius: radius.into(),
            turns: "3".parse().unwrap(),
        }
    }

    fn area(&self, beside: Metres) -> f64 {
        self.radius.0 * beside.0.exp() * self.turns as f64
    }
}

#[differentiable]
fn square(m: Metres) -> f64 {
    m.0 * m.0
}

#[differentiable]
fn product(a: &Metres, b: Metres) -> f64 {
    a.0 * b.0
}

#[differentiable]
fn chosen(x: &[f64]) -> Metres {
    if x[0] > 1.0 {
        return (x[0] * x[1]).into();
    }
    match x.len() {
        2 => x[1].into(),
        _ => Metres(0.0),
    }
}

#[differentiable]
fn reached(x: &[f64], limit: f64) -> Result<(Metres, f64), String> {
    if x[0] > limit {
        Err("too far".into())
    } else {
        Ok(((x[0] * x[1]).into(), x[1]))
    }
}

#[differentiable]
fn in_calls(x: &[f64]) -> f64 {
    let coil = Coil::new((x[0] * 2.0).into(), 3);
    let near = product(&x[1].into(), (x[0] + 1.0).into());
    square(x[0].into()) + coil.area(x[1].into()) * near + chosen(x).0
}

#[differentiable]
fn in_places(x: &[f64]) -> f64 {
    let mut coil = Coil {
        radius: x[0].into(),
        turns: 2,
    };
    let pair: [Metres; 2] = [x[0].into(), x[1].sin().into()];
    let (first, rate): (Metres, f64) = (x[1].into(), x[0]);
    let mut sum = pair[0].0 * pair[1].0 + first.0 * rate;
    for i in 0..3 {
        coil.radius = if i % 2 == 0 {
            (coil.radius.0 * x[1]).into()
        } else {
            let next = coil.radius.0 + x[0];
            next.into()
        };
        sum += coil.area(Coil::thin(x[1]).radius);
    }
    let far = reached(x, 1.0).map_or(x[1], |(m, v)| m.0 * v);
    sum + far
}

#[differentiable]
mod beams {
    pub struct Stress {
        pub value: f64,
    }

    impl From<f64> for Stress {
        fn from(value: f64) -> Stress {
            Stress { value }
        }
    }

    pub struct Beam {
        pub top: Stress,
        pub count: u32,
    }

    fn both(a: f64) -> (Stress, Stress) {
        (a.into(), (a * a).into())
    }

    fn weakest(beam: Beam, other: Stress) -> f64 {
        beam.top.value * other.value * beam.count as f64
    }

    pub fn cost(x: &[f64], text: &str) -> f64 {
        let (low, high) = both(x[0]);
        let beam = Beam {
            top: (x[1] * low.value).into(),
            count: if x[0] > 0.6 { text.parse().unwrap() } else { 2 },
        };
        weakest(beam, high)
            + weakest(
                Beam {
                    top: x[0].into(),
                    count: 1,
                },
                x[1].into(),
            )
    }
}

#[differentiable]
fn in_module(x: &[f64]) -> f64 {
    beams::cost(x, "4")
}

/// Collected and summed into results wherever a function ends.
#[differentiable]
fn logs(x: &[f64], whole: bool) -> Result<Vec<f64>, String> {
    match whole {
        true => x
            .iter()
            .map(|v| {
                if *v > 0.0 {
                    Ok(v.ln())
                } else {
                    Err("negative".into())
                }
            })
            .collect(),
        false => Err("none".into()),
    }
}

#[differentiable]
fn roots(x: &[f64], limit: f64) -> Option<f64> {
    if limit > x[0] {
        x.iter()
            .map(|v| if *v > 0.0 { Some(v.sqrt()) } else { None })
            .sum()
    } else {
        return x
            .iter()
            .map(|v| if *v < 9.0 { Some(v * v) } else { None })
            .product();
    }
}

#[differentiable]
fn in_results(x: &[f64]) -> f64 {
    let logs = logs(x, true).unwrap_or_else(|_| vec![0.0; 2]);
    let root = roots(x, 1.0).unwrap_or(x[0]);
    logs[0] * logs[1] + root * roots(x, 0.1).unwrap_or(1.0)
}

#[test]
fn conversions_know_where_they_go() {
    scalar!(in_calls).row(680).check(&POINTS);
    scalar!(in_places).row(680).check(&POINTS);
    scalar!(in_module).row(680).check(&POINTS);
    scalar!(in_results).row(681).check(&POINTS);
}

#[differentiable]
mod lengths {
    #[derive(Clone, Copy)]
    pub struct Len {
        pub m: f64,
    }

    #[derive(Clone)]
    pub struct Rod {
        pub parts: Vec<f64>,
    }

    impl From<Len> for f64 {
        fn from(l: Len) -> Self {
            l.m * l.m
        }
    }

    impl From<&Rod> for f64 {
        fn from(Rod { parts }: &Rod) -> f64 {
            parts.iter().map(|p| p.sin()).sum::<f64>()
        }
    }

    impl From<f64> for Len {
        fn from(m: f64) -> Len {
            Len { m }
        }
    }

    fn of(l: Len) -> f64 {
        l.into()
    }

    pub fn total(x: &[f64]) -> f64 {
        let l = Len { m: x[0] };
        let rod = Rod { parts: x.to_vec() };
        let y: f64 = l.into();
        let mut sum = f64::from(l) * f64::from(&rod) + of(Len::from(x[1])) * y;
        for k in 0..3u8 {
            sum += f64::from(k) * f64::from(Len { m: x[1] * x[0] });
        }
        let each = [l, Len { m: x[1] }];
        sum * each.iter().map(|l| f64::from(*l)).sum::<f64>()
    }
}

#[differentiable]
fn from_outside(x: &[f64]) -> f64 {
    let l = lengths::Len { m: x[0] * x[1] };
    lengths::total(x) * l.m
}

#[test]
fn structs_as_numbers() {
    let points: [&[f64]; 2] = [&[0.4, 1.2], &[1.1, 0.7]];
    scalar!(lengths::total::AD, lengths::total)
        .row(810)
        .takes_memory()
        .check(&points);
    scalar!(from_outside).row(810).takes_memory().check(&points);
}

#[differentiable]
fn flagged(x: &[f64]) -> f64 {
    let flag = x[0] > 0.2;
    let a: f64 = flag.into();
    let n: usize = flag.into();
    let b = f64::from(x[1] > 1.0) + f64::from(flag) * x[1];
    let s: f64 = x.iter().map(|v| f64::from(*v > 0.5) * v * v).sum();
    let k = usize::from(x[0] < 0.2) + i32::from(flag) as usize;
    a * x[0] + b * x[0] + s + x[k.min(1)] * x[0] + n as f64 * x[1]
}
#[test]
fn flags_as_numbers() {
    scalar!(flagged)
        .row(859)
        .check(&[&[0.3, 0.7], &[0.1, 1.7], &[0.6, 0.2]]);
}
