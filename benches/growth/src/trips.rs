//! A loop whose trips need each other, in reverse mode: time and memory with and without checkpoints.

use super::picture::{COLORS, Line, Mark, Panel};
use super::{Options, must_agree, pendulum, sizes};
use di::prelude::*;
use di_benches::timing::{measure as time, timed};
use di_test::allocations::count_bytes;
use std::error::Error;
use std::hint::black_box;

/// The most trips.
const LAST: usize = 10_000_000;

const X: &[f64] = &[0.5, 0.25];

/// Times as multiples of the function's own, and peaks of memory of a preparation and the first call.
pub(super) fn measure(options: &Options) -> Result<Vec<Panel>, Box<dyn Error>> {
    let mut ratio = Panel::new("value and gradient / function", "iterations");
    ratio.from_zero = true;
    let mut memory = Panel::new("peak of memory, in bytes", "iterations");
    let names = ["no mark", "checkpoint", "revolve = 100"];
    let mut times = [0, 1, 2].map(|k| Line::new(names[k], COLORS[k], Mark::Line));
    let mut peaks = times.clone();
    let mut by_hand = Line::new("by hand", COLORS[3], Mark::Dots);
    // what docs/checkpoints.md says, of a state of two numbers and trips that record one
    let mut ideals = [
        Line::new("8 n bytes", COLORS[0], Mark::Thin),
        Line::new("24 sqrt(n) bytes", COLORS[1], Mark::Thin),
        Line::new("1608 bytes", COLORS[2], Mark::Thin),
    ];
    for n in sizes(LAST, options) {
        let at = at(n, options)?;
        let x = n as f64;
        println!("pendulum\t{n}\tprimal ns/trip\t{:.3}", at.primal * 1e9 / x);
        println!("pendulum\t{n}\thand/primal\t{:.3}", at.hand / at.primal);
        by_hand.points.push((x, at.hand / at.primal));
        for (k, name) in names.iter().enumerate() {
            let (seconds, bytes) = at.marks[k];
            let relative = seconds / at.primal;
            println!("pendulum, {name}\t{n}\tvalue_and_gradient/primal\t{relative:.3}");
            println!("pendulum, {name}\t{n}\tpeak bytes\t{bytes}");
            times[k].points.push((x, relative));
            peaks[k].points.push((x, bytes as f64));
        }
        let formulas = [8.0 * x, 24.0 * x.sqrt(), 1608.0];
        for (line, bytes) in ideals.iter_mut().zip(formulas) {
            line.points.push((x, bytes));
        }
    }
    ratio.lines.extend(times);
    ratio.lines.push(by_hand);
    memory.lines.extend(peaks);
    memory.lines.extend(ideals);
    Ok(vec![ratio, memory])
}

/// Seconds of the function and of its adjoint by hand; seconds and bytes of generated code, mark by mark.
struct At {
    primal: f64,
    hand: f64,
    marks: [(f64, usize); 3],
}

/// A preparation with its first call, under the eye of the allocator, and then the piece to be timed.
macro_rules! marked {
    ($function:ident, $name:literal, $n:ident, $g:ident, $pieces:ident) => {{
        // for two inputs forward mode would be chosen, which keeps nothing
        let (f, backend) = (
            pendulum::$function::AD.with($n),
            AutoSource::new().reverse(),
        );
        let (prep, allocated) = count_bytes(|| {
            let prep = prepare_gradient(f, &backend, X)?;
            value_and_gradient_into(f, &mut $g[..], &prep, &backend, X)?;
            Ok::<_, di::Error>(prep)
        });
        let prep = prep?;
        let peak = allocated.peak;
        must_agree($name, $g, &by_hand(X, $n))?;
        $pieces.push(timed($name, move || {
            let g = black_box(&mut $g[..]);
            value_and_gradient_into(f, g, &prep, &backend, black_box(X))
        }));
        peak
    }};
}

fn by_hand(x: &[f64], n: usize) -> [f64; 2] {
    let mut g = [0.0; 2];
    pendulum::value_and_gradient(x, n, &mut g, &mut Vec::new());
    g
}

fn at(n: usize, options: &Options) -> Result<At, Box<dyn Error>> {
    let [mut a, mut b, mut c, mut d] = [[0.0; 2]; 4];
    let (a, b, c) = (&mut a, &mut b, &mut c);
    let mut slopes = Vec::new();
    let mut pieces = vec![
        timed("primal", || pendulum::primal(black_box(X), n)),
        timed("hand", move || {
            pendulum::value_and_gradient(black_box(X), n, black_box(&mut d), &mut slopes)
        }),
    ];
    let peaks = [
        marked!(unmarked, "no mark", n, a, pieces),
        marked!(checkpoint, "checkpoint", n, b, pieces),
        marked!(revolve, "revolve", n, c, pieces),
    ];
    let times = time(pieces, options.batches, true);
    let seconds = |piece| times.seconds(piece).ok_or("a piece was not timed");
    Ok(At {
        primal: seconds("primal")?,
        hand: seconds("hand")?,
        marks: [
            (seconds("no mark")?, peaks[0]),
            (seconds("checkpoint")?, peaks[1]),
            (seconds("revolve")?, peaks[2]),
        ],
    })
}
