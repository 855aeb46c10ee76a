//! Value and gradient of sums: over the inputs, over neighbours, and over data.

use super::picture::{COLORS, Line, Mark, Panel};
use super::{Options, must_agree, sizes};
use di::prelude::*;
use di_benches::cases::{fit, input, rosenbrock, sumsq};
use di_benches::timing::{Timed, Times, measure as time, timed};
use std::error::Error;
use std::hint::black_box;

/// The most inputs, or points.
const LAST: usize = 1_000_000;

/// Time for each input, and as a multiple of the function's own; what is written by hand is the ideal.
pub(super) fn measure(options: &Options) -> Result<Vec<Panel>, Box<dyn Error>> {
    let mut each = Panel::new("time for each input or point, in ns", "inputs or points");
    let mut ratio = Panel::new("value and gradient / function", "inputs or points");
    ratio.from_zero = true;
    let cases: [(&str, Case); 3] = [
        ("sumsq", of_sumsq),
        ("rosenbrock", of_rosenbrock),
        ("fit", of_fit),
    ];
    for ((name, case), color) in cases.into_iter().zip(COLORS) {
        let mut lines = [Mark::Line, Mark::Dots, Mark::Line, Mark::Dots].map(|mark| {
            let label = match mark {
                Mark::Dots => "by hand",
                _ => "generated",
            };
            Line::new(format!("{name}, {label}"), color, mark)
        });
        for n in sizes(LAST, options) {
            let times = case(n, options)?;
            let seconds = |piece| times.seconds(piece).ok_or("a piece was not timed");
            let (primal, hand, found) = (
                seconds("primal")?,
                seconds("hand")?,
                seconds("value_and_gradient")?,
            );
            let ns = |seconds: f64| seconds * 1e9 / n as f64;
            let values = [ns(found), ns(hand), found / primal, hand / primal];
            let metrics = [
                "value_and_gradient ns/input",
                "hand ns/input",
                "value_and_gradient/primal",
                "hand/primal",
            ];
            for ((line, metric), value) in lines.iter_mut().zip(metrics).zip(values) {
                println!("{name}\t{n}\t{metric}\t{value:.3}");
                line.points.push((n as f64, value));
            }
        }
        let [a, b, c, d] = lines;
        each.lines.extend([a, b]);
        ratio.lines.extend([c, d]);
    }
    Ok(vec![each, ratio])
}

/// Times one case at one size.
type Case = fn(usize, &Options) -> Result<Times, Box<dyn Error>>;

/// With more batches than long loops get: those of half a millisecond are interrupted or not, by luck.
fn all(pieces: Vec<Timed<'_>>, options: &Options) -> Times {
    time(pieces, 9 * options.batches, true)
}

fn of_sumsq(n: usize, options: &Options) -> Result<Times, Box<dyn Error>> {
    let (f, x, backend) = (sumsq::sumsq::AD, &input(n)[..], AutoSource::new());
    let [mut a, mut b] = [(); 2].map(|()| vec![0.0; n]);
    let prep = prepare_gradient(f, &backend, x)?;
    sumsq::gradient(x, &mut a);
    must_agree("sumsq", &gradient(f, &prep, &backend, x)?, &a)?;
    let pieces = vec![
        timed("primal", || sumsq::primal(black_box(x))),
        timed("hand", || {
            sumsq::value_and_gradient(black_box(x), black_box(&mut a))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut b), &prep, &backend, black_box(x))
        }),
    ];
    Ok(all(pieces, options))
}

fn of_rosenbrock(n: usize, options: &Options) -> Result<Times, Box<dyn Error>> {
    let (f, x, backend) = (rosenbrock::rosenbrock::AD, &input(n)[..], AutoSource::new());
    let [mut a, mut b] = [(); 2].map(|()| vec![0.0; n]);
    let prep = prepare_gradient(f, &backend, x)?;
    rosenbrock::gradient(x, &mut a);
    must_agree("rosenbrock", &gradient(f, &prep, &backend, x)?, &a)?;
    let pieces = vec![
        timed("primal", || rosenbrock::primal(black_box(x))),
        timed("hand", || {
            rosenbrock::value_and_gradient(black_box(x), black_box(&mut a))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut b), &prep, &backend, black_box(x))
        }),
    ];
    Ok(all(pieces, options))
}

/// Three parameters, `n` points.
fn of_fit(n: usize, options: &Options) -> Result<Times, Box<dyn Error>> {
    let (t, y, ..) = fit::data(n);
    let (t, y) = (&t[..], &y[..]);
    let p: &[f64] = &[1.5, 0.5, 0.2];
    let (f, backend) = (fit::cost::AD.with(t, y), AutoSource::new());
    let [mut a, mut b] = [[0.0; 3]; 2];
    let prep = prepare_gradient(f, &backend, p)?;
    fit::value_and_gradient(p, t, y, &mut a);
    must_agree("fit", &gradient(f, &prep, &backend, p)?, &a)?;
    let pieces = vec![
        timed("primal", || fit::primal(black_box(p), t, y)),
        timed("hand", || {
            fit::value_and_gradient(black_box(p), t, y, black_box(&mut a))
        }),
        timed("value_and_gradient", || {
            value_and_gradient_into(f, black_box(&mut b[..]), &prep, &backend, black_box(p))
        }),
    ];
    Ok(all(pieces, options))
}
