//! A plant of units in a row, put together by a builder.
use di::prelude::*;
use plant::profit;

#[differentiable]
pub mod plant {
    #[derive(Clone, Copy, Debug)]
    pub struct Stream {
        pub flow: f64,
        pub temperature: f64,
        pub fraction: f64,
    }

    pub trait Unit {
        fn process(&self, feed: Stream) -> Stream;
        fn cost(&self) -> f64 {
            0.0
        }
    }

    pub struct Heater {
        pub duty: f64,
    }
    pub struct Reactor {
        pub volume: f64,
        pub k: f64,
    }
    pub struct Splitter {
        pub purge: f64,
    }

    impl Unit for Heater {
        fn process(&self, feed: Stream) -> Stream {
            Stream { temperature: feed.temperature + self.duty / feed.flow, ..feed }
        }
        fn cost(&self) -> f64 {
            0.02 * self.duty.abs()
        }
    }
    impl Unit for Reactor {
        fn process(&self, mut feed: Stream) -> Stream {
            let k = self.k * (-1000.0 / feed.temperature).exp();
            let tau = self.volume / feed.flow;
            feed.fraction = 1.0 - (1.0 - feed.fraction) / (1.0 + k * tau);
            feed
        }
        fn cost(&self) -> f64 {
            self.volume.powf(0.6)
        }
    }
    impl Unit for Splitter {
        fn process(&self, feed: Stream) -> Stream {
            Stream { flow: feed.flow * (1.0 - self.purge), ..feed }
        }
    }

    #[derive(Default)]
    pub struct Flowsheet {
        units: Vec<Box<dyn Unit>>,
    }

    impl Flowsheet {
        pub fn add<U: Unit + 'static>(mut self, unit: U) -> Self {
            self.units.push(Box::new(unit));
            self
        }
        pub fn run(&self, feed: Stream) -> (Stream, f64) {
            let mut s = feed;
            let mut cost = 0.0;
            for u in self.units.iter() {
                s = u.process(s);
                cost += u.cost();
            }
            (s, cost)
        }
    }

    pub fn profit(x: &[f64]) -> f64 {
        let sheet = Flowsheet::default()
            .add(Heater { duty: x[0] })
            .add(Reactor { volume: x[1], k: 2.0 })
            .add(Splitter { purge: x[2] })
            .add(Heater { duty: x[3] });
        let (product, cost) = sheet.run(Stream { flow: 10.0, temperature: 300.0, fraction: 0.1 });
        product.flow * product.fraction * 8.0 - cost - 0.001 * (product.temperature - 320.0).powi(2)
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let x = [500.0, 20.0, 0.1, -300.0];
    let g = gradient(profit::AD, NoPrep, &AutoSource::new(), &x)?;
    super::check_of("flowsheet", &g, &x, |x| profit(x));
    Ok(())
}
