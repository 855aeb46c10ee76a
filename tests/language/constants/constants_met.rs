//! Constant structs and values of the function's own where they meet: in the arms of branches, in lists and fields, and as
//! results. And values without floats that are made of lengths, or by a constructor that stands for a function.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 4] = [
    &[0.7, 1.1, 0.4, 1.3],
    &[1.2, 0.4, 0.9, 0.8],
    &[2.3, 0.6, 1.4, 0.5],
    &[3.4, 0.8, 0.3, 1.7],
];

#[derive(Clone, Copy, Differentiable)]
struct Point {
    x: f64,
    y: f64,
}

#[derive(Clone, Differentiable)]
struct Body {
    at: Point,
    weights: Vec<f64>,
    id: usize,
}

#[derive(Clone, Copy, Differentiable)]
struct Bar {
    from: Point,
    to: Point,
}

struct World {
    anchors: Vec<Point>,
    home: Option<Point>,
    body: Body,
    near: usize,
}

impl World {
    fn anchor(&self, k: usize) -> Point {
        self.anchors[k]
    }
}

fn worlds() -> Vec<World> {
    let at = |x, y| Point { x, y };
    let of = |home, near| World {
        anchors: vec![at(3.0, 0.5), at(-1.0, 1.5)],
        home,
        body: Body {
            at: at(0.4, -0.7),
            weights: vec![0.5, 1.5],
            id: 1,
        },
        near,
    };
    vec![
        of(None, 0),
        of(Some(at(0.3, 0.9)), 1),
        of(None, 2),
        of(Some(at(0.3, 0.9)), 3),
    ]
}

#[differentiable]
fn node(i: usize, free: &[Point], #[constant] world: &World) -> Point {
    if i == 9 {
        return world.anchors[0];
    }
    let n = world.anchors.len();
    if i < n { world.anchors[i] } else { free[i - n] }
}

#[differentiable]
fn points(x: &[f64]) -> Vec<Point> {
    x.chunks(2).map(|c| Point { x: c[0], y: c[1] }).collect()
}

#[differentiable]
fn chosen(x: &[f64], #[constant] world: &World) -> f64 {
    let free = points(x);
    let mut sum = node(9, &free, world).x * x[0];
    for i in 0..4 {
        let p = node(i, &free, world);
        let q = match i {
            0 => world.anchors[0],
            1 => free[0],
            2 => world.anchor(1),
            _ => free[1],
        };
        sum += p.x * p.x * p.y * q.y + q.x * q.x;
    }
    let near = if world.near < 2 {
        &world.anchors[world.near]
    } else {
        &free[0]
    };
    sum * near.x * near.x + near.y
}

#[differentiable]
fn held(x: &[f64], #[constant] world: &World) -> f64 {
    let free = points(x);
    let near = free.get(world.near).copied().unwrap_or(world.anchors[0]);
    let home = world.home.unwrap_or(free[0]);
    let other = world.home.unwrap_or_else(|| free[1]);
    let third = match world.home {
        Some(home) => home,
        None => free[1],
    };
    let (p, k) = if world.near < 2 {
        (world.anchors[world.near], 2.0)
    } else {
        (free[0], free[1].x)
    };
    let maybe = if world.near < 1 {
        Some(world.anchors[1])
    } else if world.near == 1 {
        None
    } else {
        Some(free[1])
    };
    let last = maybe.map_or(free[0].x, |p| p.x * p.y);
    near.x * home.y * home.y * other.x * third.y * x[0] + p.x * p.x * k * x[1] * last
}

#[differentiable]
fn stored(x: &[f64], #[constant] world: &World) -> f64 {
    let free = points(x);
    let bar = Bar {
        from: world.anchors[0],
        to: free[0],
    };
    let list = [world.anchors[1], free[1]];
    let mut p = free[0];
    for k in 0..3 {
        p = if k == 1 && x[0] > 2.0 {
            world.anchors[1]
        } else {
            Point {
                x: p.x * free[1].x,
                y: p.y,
            }
        };
    }
    let first = loop {
        if world.near > 1 {
            break free[0];
        }
        break world.anchors[0];
    };
    let pick = |i: usize| {
        if i == 0 {
            world.anchors[0]
        } else {
            free[i - 1]
        }
    };
    let mut all: Vec<Point> = Vec::new();
    for i in 0..3 {
        all.push(pick(i));
    }
    all.push(world.anchors[1]);
    let body = if world.near < 2 {
        world.body.clone()
    } else {
        Body {
            at: free[1],
            weights: x.to_vec(),
            id: 0,
        }
    };
    let weight = body.weights.iter().map(|w| w * w).sum::<f64>() * body.at.x * x[body.id];
    let bars = bar.from.x * bar.to.x * list[0].y * list[1].y * p.x * first.y;
    bars + weight * all.iter().map(|p| p.x * p.x * p.y).sum::<f64>()
}

#[differentiable]
mod springs {
    #[derive(Clone, Copy)]
    pub(super) struct Place {
        pub(super) x: f64,
    }

    pub(super) enum Law {
        Hooke { k: f64 },
    }

    pub(super) struct Frame {
        pub(super) law: Law,
        pub(super) anchor: Place,
    }

    impl Frame {
        fn at(&self, i: usize, free: &[Place]) -> Place {
            if i < 1 { self.anchor } else { free[i - 1] }
        }
    }

    pub(super) fn energy(x: &[f64], #[constant] frame: &Frame) -> f64 {
        let free: Vec<Place> = x.iter().map(|x| Place { x: x * x }).collect();
        let Law::Hooke { k } = frame.law;
        let mut sum = 0.0;
        for i in 0..x.len() {
            let stretch = frame.at(i + 1, &free).x - frame.at(i, &free).x;
            sum += k * stretch * stretch;
        }
        sum
    }
}

#[test]
fn constants_that_branches_choose() {
    for world in &worlds() {
        scalar!(chosen::AD.with(world), |x: &[f64]| chosen(x, world))
            .row(410)
            .check(&POINTS);
    }
    let frame = springs::Frame {
        law: springs::Law::Hooke { k: 1.5 },
        anchor: springs::Place { x: 0.4 },
    };
    scalar!(springs::energy::AD.with(&frame), |x: &[f64]| {
        springs::energy(x, &frame)
    })
    .row(410)
    .check(&POINTS);
}

#[test]
fn constants_in_options_lists_and_fields() {
    for world in &worlds() {
        scalar!(held::AD.with(world), |x: &[f64]| held(x, world))
            .row(411)
            .check(&POINTS);
        scalar!(stored::AD.with(world), |x: &[f64]| stored(x, world))
            .row(411)
            .takes_memory()
            .check(&POINTS);
    }
}

#[derive(Clone, Copy)]
enum Event {
    Burnout { stage: usize },
    Done,
}

#[derive(Clone, Copy)]
struct At {
    k: usize,
    last: bool,
}

#[derive(Clone, Copy, Debug)]
enum Failure {
    Big(usize),
    Shape { rows: usize, columns: u16 },
    Empty,
}

#[derive(Differentiable)]
struct Rocket {
    stages: Vec<f64>,
    n: usize,
}

#[differentiable]
fn staged(rocket: &Rocket, x: &[f64]) -> Result<f64, Failure> {
    let at = At {
        k: rocket.stages.len() - 1,
        last: rocket.n > 1,
    };
    let before = At {
        k: rocket.n - 1,
        ..at
    };
    if x[0] > 3.0 {
        return Err(Failure::Empty);
    }
    if x[0] > 2.0 {
        return Err(Failure::Shape {
            rows: rocket.stages.len() + rocket.n,
            columns: 2,
        });
    }
    if x[0] > 1.0 {
        return Err(Failure::Big(x.len()));
    }
    let mut event = Event::Burnout {
        stage: rocket.stages.len(),
    };
    let mut height = match at.last {
        true => rocket.stages[at.k] * rocket.stages[before.k],
        false => 0.0,
    };
    while let Event::Burnout { stage } = event {
        height += rocket.stages[stage - 1].sin() * x[0];
        event = match stage > 1 {
            true => Event::Burnout { stage: stage - 1 },
            false => Event::Done,
        };
    }
    Ok(height)
}

#[differentiable]
fn launched(x: &[f64]) -> f64 {
    let rocket = Rocket {
        stages: x.iter().map(|v| v * v).collect(),
        n: 2,
    };
    match staged(&rocket, x) {
        Ok(height) => height,
        Err(Failure::Big(n)) => n as f64 * x[1] * x[2],
        Err(Failure::Shape { rows, columns }) => (rows + columns as usize) as f64 * x[0] * x[0],
        Err(Failure::Empty) => x[3].exp(),
    }
}

#[test]
fn values_made_of_lengths() {
    scalar!(launched).row(412).takes_memory().check(&POINTS);
}

#[derive(Clone, Copy)]
struct Month(u32);

#[derive(Clone, Copy)]
enum First {
    At(usize),
    Never,
}

#[derive(Clone, Copy, Differentiable)]
struct Twice(f64);

#[differentiable]
fn monthly(x: &[f64]) -> f64 {
    let mut start = Month(0);
    let mut sum = 0.0;
    for month in (1..=3).map(Month) {
        sum += f64::from(month.0 - start.0) * x[month.0 as usize].sin();
        start = month;
    }
    let months: Vec<Month> = (0..3).map(Month).collect();
    for month in &months {
        sum *= x[month.0 as usize];
    }
    if let Some(month) = Some(2).map(Month) {
        sum += x[month.0 as usize];
    }
    let first = x
        .iter()
        .position(|v| *v > 1.0)
        .map_or(First::Never, First::At);
    match first {
        First::At(k) => sum * x[k],
        First::Never => sum,
    }
}

#[differentiable]
fn wrapped(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for v in x.iter().copied().map(Some).flatten() {
        sum += v * v;
    }
    for k in (0..2usize).map(Some) {
        sum *= k.map_or(1.0, |k| x[k]);
    }
    let twice: Vec<Twice> = x.iter().map(|v| v * 2.0).map(Twice).collect();
    sum + twice.iter().map(|t| t.0.powi(3)).sum::<f64>()
}

#[test]
fn constructors_in_the_place_of_functions() {
    scalar!(monthly).row(413).check(&POINTS);
    scalar!(wrapped).row(413).check(&POINTS);
}

#[differentiable]
fn rests(x: &[f64], #[constant] world: &World) -> f64 {
    let free = [Point { x: x[0], y: x[1] }];
    let p = Point {
        x: x[2],
        ..world.anchors[0]
    };
    let (mut q, mut r, mut n) = (free[0], free[0], 0);
    for k in 0..3 {
        (q, (r, n)) = (Point { y: x[3], ..q }, (world.anchors[1], k));
        if x[0] > 1.0 {
            (q, r) = (world.body.at, free[0]);
        }
    }
    p.x * p.y * x[1] + q.x * q.y * r.x + r.y * n as f64
}

#[test]
fn rests_and_tuples() {
    for world in &worlds() {
        scalar!(rests::AD.with(world), |x| rests(x, world))
            .row(432)
            .check(&POINTS);
    }
}
