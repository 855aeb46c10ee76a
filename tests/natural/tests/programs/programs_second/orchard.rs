//! Growth of fruit trees: a struct that returns a struct, with a running report.
use di::prelude::*;
use orchard::{Climate, Season, value};

#[differentiable]
pub mod orchard {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Season {
        Spring,
        Summer,
        Autumn,
        Winter,
    }

    impl Season {
        fn next(self) -> Self {
            match self {
                Season::Spring => Season::Summer,
                Season::Summer => Season::Autumn,
                Season::Autumn => Season::Winter,
                Season::Winter => Season::Spring,
            }
        }
    }

    #[derive(Debug, Clone)]
    pub struct Tree {
        pub height: f64,
        pub leaves: f64,
        pub reserves: f64,
        pub age: u32,
    }

    #[derive(Debug, Clone)]
    pub struct Climate {
        pub sun: [f64; 4],
        pub frosts: Vec<(u32, Season)>,
    }

    #[derive(Debug, Default, Clone)]
    pub struct Report {
        pub harvest: f64,
        pub by_year: Vec<f64>,
        pub best: Option<(u32, f64)>,
    }

    impl Report {
        fn add(&mut self, year: u32, fruit: f64) {
            self.harvest += fruit;
            self.by_year.push(fruit);
            match self.best {
                Some((_, f)) if f >= fruit => {}
                _ => self.best = Some((year, fruit)),
            }
        }
    }

    fn grow(tree: &Tree, season: Season, light: f64, vigour: f64) -> Tree {
        let gain = vigour * light * tree.leaves / (1.0 + tree.leaves);
        match season {
            Season::Spring => Tree { leaves: tree.leaves + 0.5 * tree.reserves, reserves: 0.5 * tree.reserves, ..tree.clone() },
            Season::Summer | Season::Autumn => {
                Tree { height: tree.height + 0.1 * gain, reserves: tree.reserves + gain, ..tree.clone() }
            }
            Season::Winter => Tree { leaves: 0.3 * tree.leaves, age: tree.age + 1, ..tree.clone() },
        }
    }

    pub fn simulate(p: &[f64], climate: &Climate, years: u32) -> Report {
        let mut tree = Tree { height: p[0], leaves: p[1], reserves: p[2], age: 0 };
        let mut season = Season::Spring;
        let mut report = Report::default();
        while tree.age < years {
            let frost = climate.frosts.contains(&(tree.age, season));
            let light = climate.sun[season as usize] * if frost { 0.3 } else { 1.0 };
            if season == Season::Autumn {
                let fruit = 0.4 * tree.reserves * (1.0 - (-tree.height).exp());
                tree.reserves -= fruit;
                report.add(tree.age, fruit);
            }
            tree = grow(&tree, season, light, p[3]);
            season = season.next();
        }
        report
    }

    pub fn value(p: &[f64], #[constant] climate: &Climate, years: u32) -> f64 {
        let Report { harvest, by_year, best } = simulate(p, climate, years);
        let discounted: f64 = by_year.iter().enumerate().map(|(i, f)| f * 0.95f64.powi(i as i32)).sum();
        let bonus = if let Some((year, fruit)) = best { fruit / (1.0 + year as f64) } else { 0.0 };
        harvest + discounted + bonus
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let climate = Climate {
        sun: [0.8, 1.2, 0.9, 0.3],
        frosts: vec![(1, Season::Spring), (2, Season::Autumn)],
    };
    let x = [1.0, 2.0, 1.5, 0.7];
    let f = value::AD.with(&climate, 4);
    let g = gradient(f, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("orchard", &g, &x, |x| value(x, &climate, 4));
    Ok(())
}
