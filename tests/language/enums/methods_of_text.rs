//! Methods of differentiated types that return text, also by trait objects.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 3] = [&[0.7, 1.1, 0.9], &[0.2, 0.4, 1.5], &[1.2, 0.6, 0.3]];

#[derive(Clone, Differentiable)]
struct Well {
    flow: f64,
    deep: bool,
    depth: usize,
    site: String,
}

#[differentiable]
impl Well {
    fn kind(&self) -> &'static str {
        if self.deep { "deep" } else { "flat" }
    }

    fn site(&self) -> &str {
        &self.site
    }

    fn class(&self) -> &'static str {
        match self.depth {
            0 => "dry",
            1 | 2 => "shallow",
            _ if self.deep => "bore",
            _ => "shaft",
        }
    }

    fn code(&self) -> String {
        if self.deep {
            String::from("D")
        } else {
            "F".to_string()
        }
    }

    /// By what is differentiated.
    fn state(&self) -> &'static str {
        if self.flow > 0.8 { "open" } else { "shut" }
    }

    fn cost(&self) -> f64 {
        self.flow * self.flow
    }
}

#[differentiable]
fn of_wells(x: &[f64]) -> f64 {
    let mut wells = Vec::new();
    for (k, v) in x.iter().enumerate() {
        wells.push(Well {
            flow: v * x[0],
            deep: k == 1,
            depth: 2 * k,
            site: "north".to_string(),
        });
    }
    let mut sum = 0.0;
    for (k, w) in wells.iter().enumerate() {
        sum += match w.kind() {
            "deep" => w.cost(),
            _ => w.flow.sin(),
        };
        if w.code() == "D" && w.site() != "south" {
            sum *= x[1];
        }
        let class = w.class();
        if class == "shallow" || class.starts_with("sh") {
            sum += x[k] * w.cost();
        }
        sum *= if w.state() == "open" { x[2] } else { 1.5 };
    }
    let deep = wells.iter().filter(|w| w.kind() == "deep");
    sum + deep.map(|w| w.flow.exp()).sum::<f64>()
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let w = Well {
        flow: x[0] * x[1],
        deep: x.len() > 2,
        depth: 0,
        site: "south".to_string(),
    };
    let kind: &str = if w.deep { "deep" } else { "flat" };
    let state: String = if w.flow > 0.5 {
        "open".to_string()
    } else {
        "shut".to_string()
    };
    println!("{}: {}", format!("{:.1}", w.flow), w.kind());
    match (kind, state.as_str()) {
        ("deep", "open") => w.cost() * x[2],
        ("deep", _) => w.flow + x[2] * x[2],
        _ => 0.0,
    }
}

#[differentiable]
mod sky {
    pub trait Source {
        fn light(&self, d: f64) -> f64;
        fn name(&self) -> &'static str {
            "other"
        }
        fn tag(&self) -> String;
    }

    pub struct Lamp {
        pub lumen: f64,
        pub led: bool,
    }

    pub struct City(pub f64);

    pub struct Moon {
        pub phase: f64,
    }

    impl Source for Lamp {
        fn light(&self, d: f64) -> f64 {
            self.lumen / (d * d)
        }
        fn name(&self) -> &'static str {
            if self.led { "led" } else { "lamp" }
        }
        fn tag(&self) -> String {
            "l".to_string()
        }
    }

    impl Source for City {
        fn light(&self, d: f64) -> f64 {
            self.0 * (-d).exp()
        }
        fn name(&self) -> &'static str {
            "city"
        }
        fn tag(&self) -> String {
            String::from("c")
        }
    }

    impl Source for Moon {
        fn light(&self, d: f64) -> f64 {
            self.phase.cos() + d
        }
        fn tag(&self) -> String {
            "m".to_string()
        }
    }

    fn short(w: &Lamp) -> &'static str {
        if w.led { "L" } else { "l" }
    }

    pub fn of_boxes(x: &[f64]) -> f64 {
        let sources: Vec<Box<dyn Source>> = vec![
            Box::new(Lamp {
                lumen: x[0],
                led: false,
            }),
            Box::new(City(x[1] * x[0])),
            Box::new(Lamp {
                lumen: x[2],
                led: true,
            }),
            Box::new(Moon { phase: x[2] }),
        ];
        let lamps = sources.iter().filter(|s| s.name() == "lamp").count();
        let cities = sources.iter().filter(|s| s.name() == "city");
        let mut sum = cities.map(|s| s.light(x[1])).sum::<f64>() * lamps as f64;
        for s in &sources {
            sum += match s.name() {
                "led" => 2.0 * s.light(x[0]),
                "other" => s.light(x[1]) * x[0],
                name if name.len() == 4 => s.light(x[2]).sin(),
                _ => 0.0,
            };
            if s.tag() == "m" {
                sum *= x[0];
            }
        }
        sum + of_one(sources[2].as_ref(), x[1])
    }

    fn of_one(s: &dyn Source, d: f64) -> f64 {
        if s.name() == "led" { s.light(d) } else { d }
    }

    pub fn of_lamp(x: &[f64]) -> f64 {
        let lamp = Lamp {
            lumen: x[0] * x[1],
            led: x[2] > 0.5,
        };
        if short(&lamp) == "L" && lamp.name() == "led" {
            lamp.light(x[2])
        } else {
            lamp.lumen * x[2]
        }
    }
}

#[test]
fn methods_return_text() {
    scalar!(of_wells).row(882).takes_memory().check(&POINTS);
    scalar!(chosen).row(882).takes_memory().check(&POINTS);
    scalar!(sky::of_lamp::AD, sky::of_lamp)
        .row(882)
        .check(&POINTS);
}

#[test]
fn methods_of_trait_objects_return_text() {
    scalar!(sky::of_boxes::AD, sky::of_boxes)
        .row(882)
        .takes_memory()
        .check(&POINTS);
}
