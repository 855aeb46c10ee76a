//! Structs with lists, options and text that constant code makes: `Default`, `new()`.

use di::prelude::*;
use di_test::scalar;
use dock::Mast;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.4], &[1.2, 0.4, 0.9], &[0.2, 0.37, 0.55]];

#[derive(Clone, Debug, Default, Differentiable)]
struct Sail {
    area: f64,
    lever: f64,
}

#[derive(Clone, Debug, Default, Differentiable)]
struct Boat {
    sails: Vec<Sail>,
    ballast: Vec<(f64, f64)>,
    length: f64,
    tags: Vec<String>,
    crew: Option<u32>,
}

#[differentiable]
impl Boat {
    fn new(length: f64) -> Self {
        Boat {
            length,
            ..Default::default()
        }
    }

    fn with(mut self, area: f64, lever: f64) -> Self {
        self.sails.push(Sail { area, lever });
        self.ballast.push((lever, area * self.length));
        self
    }

    fn moment(&self) -> f64 {
        let of_sails: f64 = self.sails.iter().map(|s| s.area * s.lever).sum();
        let of_ballast: f64 = self.ballast.iter().map(|(m, d)| m * d).sum();
        of_sails - of_ballast * self.length + self.crew.unwrap_or(2) as f64 * self.length
    }
}

#[differentiable]
fn called(x: &[f64]) -> f64 {
    let mut b = Boat::default();
    b.length = x[0];
    b.sails.push(Sail {
        area: x[1],
        lever: x[0],
    });
    b.ballast.push((x[1], x[2]));
    b.moment() * x[2]
}

#[differentiable]
fn with_the_rest(x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for k in 0..3 {
        let mut b = Boat {
            length: x[k],
            crew: Some(3),
            ..Default::default()
        };
        if x[k] > 0.5 {
            b.ballast.push((x[0], x[1]));
        } else {
            b = Boat::default();
        }
        sum += b.moment().sin() + b.tags.len() as f64;
    }
    sum
}

#[differentiable]
fn by_methods(x: &[f64]) -> f64 {
    let b = Boat::new(x[0]).with(x[1], x[2]).with(x[2], x[0]);
    b.moment() * b.ballast[1].1
}

#[test]
fn lists_of_tuples_and_structs() {
    scalar!(called).row(540).takes_memory().check(&POINTS);
    scalar!(with_the_rest)
        .row(540)
        .takes_memory()
        .check(&POINTS);
    scalar!(by_methods).row(540).takes_memory().check(&POINTS);
}

#[differentiable]
mod yard {
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub enum Rig {
        #[default]
        Sloop,
        Ketch,
    }

    #[derive(Clone, Debug)]
    pub struct Spar {
        length: f64,
        weights: Vec<(f64, usize)>,
    }

    #[derive(Clone, Debug)]
    pub struct Hull {
        spars: Vec<Spar>,
        rows: Vec<Vec<f64>>,
        names: Vec<String>,
        nick: Option<String>,
        rigs: Vec<Option<Rig>>,
        beam: f64,
    }

    impl Default for Hull {
        fn default() -> Self {
            let spar = Spar {
                length: 2.0,
                weights: vec![(0.5, 2), (1.5, 1)],
            };
            Hull {
                spars: vec![spar],
                rows: vec![vec![1.0, 0.5], vec![2.0]],
                names: vec!["main".to_string(), "mizzen".to_string()],
                nick: None,
                rigs: vec![Some(Rig::Ketch), None],
                beam: 1.5,
            }
        }
    }

    impl Hull {
        fn empty() -> Self {
            Hull {
                spars: Vec::new(),
                rows: Vec::new(),
                names: vec![],
                nick: Some("none".to_string()),
                rigs: vec![],
                beam: 0.25,
            }
        }

        pub fn weight(&self) -> f64 {
            let mut sum = self.beam * self.names.len() as f64;
            for s in &self.spars {
                for (w, n) in &s.weights {
                    sum += w * s.length * *n as f64;
                }
            }
            for row in &self.rows {
                sum += row.iter().map(|r| r * r * self.beam).sum::<f64>();
            }
            if self.nick.as_deref() == Some("none") {
                sum *= self.beam;
            }
            sum + self.rigs.len() as f64
        }
    }

    pub fn made(x: &[f64]) -> f64 {
        let mut h = Hull {
            beam: x[0],
            nick: Some("swift".to_string()),
            ..Hull::default()
        };
        h.spars[0].length = x[1];
        h.spars[0].weights[1].0 *= x[2];
        h.spars.push(Spar {
            length: x[2],
            weights: vec![(x[0], 3)],
        });
        h.rows[0][1] = x[1];
        h.weight()
    }

    pub fn in_a_list(x: &[f64]) -> f64 {
        let mut all = vec![Hull::default(), Hull::empty()];
        for k in 0..2 {
            all[k].beam *= x[k];
            all[1].rows.push(vec![x[k], x[2]]);
        }
        let own = Hull {
            beam: x[2],
            ..all[0].clone()
        };
        all.push(own);
        all.iter().map(|h| h.weight().sqrt()).sum()
    }
}

#[test]
fn of_modules() {
    scalar!(yard::made::AD, yard::made)
        .rows(&[540, 541])
        .takes_memory()
        .check(&POINTS);
    scalar!(yard::in_a_list::AD, yard::in_a_list)
        .rows(&[540, 541])
        .takes_memory()
        .check(&POINTS);
}

mod dock {
    use di::prelude::*;

    #[derive(Clone, Debug, Default, Differentiable)]
    pub struct Mast {
        height: f64,
        stays: Vec<(f64, f64)>,
    }

    #[derive(Clone, Debug, Differentiable)]
    pub struct Ship {
        masts: Vec<Mast>,
        pub length: f64,
        log: Vec<String>,
    }

    impl Default for Ship {
        fn default() -> Self {
            let mast = Mast {
                height: 2.0,
                stays: vec![(1.0, 0.5)],
            };
            Ship {
                masts: vec![mast, Mast::default()],
                length: 3.0,
                log: vec!["launched".to_string()],
            }
        }
    }

    #[differentiable]
    impl Ship {
        pub fn raise(&mut self, by: f64) {
            for m in self.masts.iter_mut() {
                m.height += by;
            }
        }

        pub fn step(&mut self, mast: Mast) {
            self.masts.push(mast);
        }

        pub fn drag(&self) -> f64 {
            let mut sum = self.length * self.log.len() as f64;
            for m in &self.masts {
                sum += m.height * m.height;
                sum += m.stays.iter().map(|(a, b)| a * b * m.height).sum::<f64>();
            }
            sum
        }
    }
}

// its fields are not seen here
#[differentiable]
fn elsewhere(x: &[f64]) -> f64 {
    let mut ship = dock::Ship::default();
    ship.raise(x[0]);
    ship.length = x[1];
    ship.step(Mast::default());
    let other: dock::Ship = Default::default();
    ship.drag() * other.drag() * x[2]
}

#[test]
fn of_other_modules() {
    scalar!(elsewhere).row(540).takes_memory().check(&POINTS);
}

#[differentiable]
fn copied(x: &[f64], #[constant] table: &[(f64, f64)]) -> f64 {
    let mut all = table.to_vec();
    all.push((x[0], x[1]));
    all[0].1 *= x[2];
    all.iter().map(|(a, b)| (a * b).sin()).sum()
}

#[test]
fn copies_of_lists_of_tuples() {
    let table = [(0.5, 2.0), (1.5, 0.3)];
    scalar!(copied::AD.with(&table[..]), |x| copied(x, &table))
        .row(542)
        .check(&POINTS);
}
