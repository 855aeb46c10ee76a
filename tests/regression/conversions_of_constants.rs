//! `into` of an integer took the integer itself for a value without floats, and `take` left the first variant: `From` and
//! `Default` of such types were not asked.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy)]
struct Mark(u32);

impl From<u32> for Mark {
    fn from(k: u32) -> Mark {
        Mark(2 * k + 1)
    }
}

impl From<Mark> for u32 {
    fn from(mark: Mark) -> u32 {
        mark.0 + 10
    }
}

#[derive(Clone, Copy, Default)]
enum Mode {
    Off,
    #[default]
    Idle,
    Run(u8),
}

impl From<i8> for Mode {
    fn from(k: i8) -> Mode {
        match k {
            0 => Mode::Off,
            k => Mode::Run(k.unsigned_abs() + 1),
        }
    }
}

#[derive(Clone, Copy)]
struct Count {
    of: i16,
}

impl Default for Count {
    fn default() -> Count {
        Count { of: 5 }
    }
}

#[differentiable]
fn converted(x: &[f64]) -> f64 {
    let mut mark: Mark = 3u32.into();
    let mut sum = 0.0;
    for k in 0..3u32 {
        let number: u32 = mark.into();
        sum += x[0] * f64::from(number) * x[1] + f64::from(mark.0) * x[1].sin();
        mark = (k + 4).into();
    }
    sum * f64::from(mark.0)
}

#[differentiable]
fn modes(x: &[f64]) -> f64 {
    let mut mode: Mode = 4i8.into();
    let mut sum = x[0];
    for k in 0..3i8 {
        sum = sum * x[1]
            + match mode {
                Mode::Off => x[0],
                Mode::Idle => x[1] * x[1],
                Mode::Run(by) => x[0] * f64::from(by),
            };
        mode = (k - 1).into();
    }
    sum
}

#[differentiable]
fn taken(x: &[f64]) -> f64 {
    let (mut mode, mut count) = (Mode::Run(3), Count { of: 2 });
    let mut sum = x[0];
    for k in 0..3u8 {
        let (was, of) = (std::mem::take(&mut mode), std::mem::take(&mut count));
        for mode in [was, mode] {
            sum = sum * x[1]
                + match mode {
                    Mode::Off => x[0],
                    Mode::Idle => x[1] * x[1],
                    Mode::Run(by) => x[0] * f64::from(by),
                };
        }
        sum += f64::from(of.of) * x[0] + f64::from(count.of) * x[1].exp();
        if k == 1 {
            mode = Mode::Run(7);
            count.of = 9;
        }
    }
    sum
}

#[test]
fn conversions_and_defaults_are_those_of_the_types() {
    let points: [&[f64]; 2] = [&[0.4, 1.3], &[1.7, 0.6]];
    scalar!(converted).check(&points);
    scalar!(modes).check(&points);
    scalar!(taken).check(&points);
}
