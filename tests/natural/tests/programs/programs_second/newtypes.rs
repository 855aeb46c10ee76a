//! Greenhouse: newtypes with From, AddAssign, Deref and Sum impls.
use di::prelude::*;

#[differentiable]
mod greenhouse {
    use std::iter::Sum;
    use std::ops::{Add, AddAssign, Deref, Mul};

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Default)]
    pub struct Watts(f64);

    #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
    pub struct Celsius(f64);

    impl Deref for Celsius {
        type Target = f64;
        fn deref(&self) -> &f64 {
            &self.0
        }
    }
    impl From<f64> for Celsius {
        fn from(v: f64) -> Self {
            Celsius(v)
        }
    }
    impl From<Watts> for f64 {
        fn from(w: Watts) -> f64 {
            w.0
        }
    }
    impl Add for Watts {
        type Output = Watts;
        fn add(self, o: Watts) -> Watts {
            Watts(self.0 + o.0)
        }
    }
    impl AddAssign for Watts {
        fn add_assign(&mut self, o: Watts) {
            self.0 += o.0;
        }
    }
    impl Mul<Watts> for f64 {
        type Output = Watts;
        fn mul(self, w: Watts) -> Watts {
            Watts(self * w.0)
        }
    }
    impl Sum for Watts {
        fn sum<I: Iterator<Item = Watts>>(iter: I) -> Watts {
            iter.fold(Watts(0.0), |a, b| a + b)
        }
    }

    fn conduction(inside: Celsius, outside: Celsius, u: f64, area: f64) -> Watts {
        Watts(u * area * (*inside - *outside))
    }

    pub fn heating(setpoint: f64, u: f64, shade: f64) -> f64 {
        let inside: Celsius = setpoint.into();
        let areas = [120.0, 40.0, 40.0];
        let mut need = Watts::default();
        for (hour, out) in [2.0, 1.0, 4.0, 9.0, 12.0, 6.0].into_iter().map(Celsius::from).enumerate() {
            let loss: Watts = areas.iter().map(|&a| conduction(inside, out, u, a)).sum();
            let sun = (1.0 - shade) * Watts(3000.0 * (hour as f64 * 0.6).sin().max(0.0));
            if loss > sun {
                need += loss + -1.0 * sun;
            }
        }
        f64::from(need) / 1000.0
    }
}

pub(super) fn main() -> Result<(), di::Error> {
    let g = gradient(greenhouse::heating::AD, NoPrep, &AutoSource::new(), &(18.0, 4.5, 0.3))?;
    super::check_of("greenhouse", &[g.0, g.1, g.2], &[18.0, 4.5, 0.3], |x| greenhouse::heating(x[0], x[1], x[2]));
    Ok(())
}
