//! Bundle adjustment of 50 cameras and 10,000 points, with noise, outliers and a robust loss.
//!
//! ```text
//! cargo run --release --manifest-path adapters/bundle/Cargo.toml
//! cargo run --release --manifest-path adapters/bundle/Cargo.toml -- 100 20000
//! ```
//! Residual blocks and their 2 by 12 Jacobians come from one annotated function, `camera::error`. Points are eliminated,
//! and the Schur complement is factorized by faer's sparse Cholesky. The scene is seeded: the program is right if the
//! errors that are left are those of the noise, and if cameras and points are where they are. Prints the cost of each
//! iteration, and writes a picture of the residuals before and after to `target/bundle.svg`. A few seconds.
//!
//! The arguments are numbers of cameras and of points. What is checked holds from 40 and 5000 on: with fewer cameras, three
//! neighbours see a point, too few for its distance.

mod alignment;
mod blocks;
mod camera;
mod picture;
mod scene;
mod schur;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use blocks::Problem;
use indicatif::{ProgressBar, ProgressStyle};
use scene::{NOISE, Scene};
use schur::Schur;

/// Iterations at most.
const MOST: u64 = 50;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("FAILED");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, Box<dyn Error>> {
    let sizes: Vec<usize> = std::env::args()
        .skip(1)
        .map(|a| a.parse())
        .collect::<Result<_, _>>()?;
    let (cameras, points) = match sizes[..] {
        [] => (50, 10_000),
        [cameras, points] => (cameras, points),
        _ => return Err("the arguments are numbers of cameras and of points".into()),
    };
    let (truth, observations, guess) = scene::make(cameras, points);
    let problem = Problem::new(&observations, &guess)?;
    let schur = Schur::new(&observations, &guess)?;
    let (entries, n) = schur.size();
    println!(
        "{cameras} cameras, {points} points, {} observations; {n} unknowns after elimination, {entries} entries",
        observations.len()
    );

    let found = minimize(&problem, &schur, guess.clone())?;

    let lengths = |scene: &Scene| problem.squares(scene).map(f64::sqrt).collect::<Vec<_>>();
    let path = Path::new("target/bundle.svg");
    std::fs::create_dir_all("target")?;
    picture::draw(path, &lengths(&guess), &lengths(&found))?;
    println!("residuals before and after: {}", path.display());
    check(&problem, &found, &guess, &truth)
}

/// Levenberg-Marquardt.
fn minimize(
    problem: &Problem<'_>,
    schur: &Schur,
    mut scene: Scene,
) -> Result<Scene, Box<dyn Error>> {
    let bar = ProgressBar::new(MOST);
    bar.set_style(ProgressStyle::with_template(
        "{bar:30} {pos} of at most {len}, cost {msg}",
    )?);
    let say = |text: String| bar.suspend(|| println!("{text}"));
    say(format!(
        "{:>3} {:>14} {:>10} {:>9} {:>9}",
        "", "cost", "damping", "blocks", "step"
    ));
    let (mut cost, mut damping, mut growth) = (problem.cost(&scene), 1e-4, 2.0);
    say(format!("{:>3} {cost:>14.2}", 0));
    let mut blocks = None;
    for k in 1..=MOST {
        let start = Instant::now();
        let at = match blocks.take() {
            Some(blocks) => blocks,
            None => problem.blocks(&scene)?,
        };
        let first = start.elapsed().as_secs_f64();
        let step = schur.solve(problem.observations(), &at, damping)?;
        let next = step.from(&scene);
        let second = start.elapsed().as_secs_f64() - first;
        let reached = problem.cost(&next);
        let ratio = (cost - reached) / step.promised;
        bar.set_position(k);
        bar.set_message(format!("{reached:.2}"));
        say(format!(
            "{k:>3} {reached:>14.2} {damping:>10.1e} {:>6.0} ms {:>6.0} ms{}",
            1e3 * first,
            1e3 * second,
            if ratio > 0.0 { "" } else { "  rejected" }
        ));
        if ratio > 0.0 {
            let gain = (cost - reached) / cost;
            (scene, cost) = (next, reached);
            damping *= (1.0 - (2.0 * ratio - 1.0).powi(3)).max(1.0 / 3.0);
            growth = 2.0;
            if gain < 1e-9 {
                break;
            }
        } else {
            blocks = Some(at);
            damping *= growth;
            growth *= 2.0;
            if damping > 1e12 {
                break;
            }
        }
    }
    bar.finish_and_clear();
    Ok(scene)
}

/// Is what is left the noise, and is everything where it is?
fn check(
    problem: &Problem<'_>,
    found: &Scene,
    guess: &Scene,
    truth: &Scene,
) -> Result<bool, Box<dyn Error>> {
    // of right observations, squares of as many normal numbers as there are coordinates more than parameters; seven
    // parameters are free
    let right = problem.observations().iter().map(|o| !o.is_outlier);
    let squares: Vec<f64> = problem
        .squares(found)
        .zip(right)
        .filter_map(|(square, right)| right.then_some(square))
        .collect();
    let parameters = 9 * truth.cameras.len() + 3 * truth.points.len() - 7;
    let freedom = (2 * squares.len() - parameters) as f64;
    let noise = (squares.iter().sum::<f64>() / freedom).sqrt();
    let before = alignment::errors(guess, truth)?;
    let after = alignment::errors(found, truth)?;
    println!("{:<44} {:>10} {:>10}", "", "before", "after");
    println!(
        "{:<44} {:>10.0} {:>10.0}",
        "robust cost",
        problem.cost(guess),
        problem.cost(found)
    );
    println!(
        "{:<44} {:>10} {:>10.0}",
        "robust cost of the true scene",
        "",
        problem.cost(truth)
    );
    println!(
        "{:<44} {:>10} {noise:>10.4}",
        format!("noise in pixels, {NOISE} is true"),
        ""
    );
    println!(
        "{:<44} {:>10.5} {:>10.5}",
        "cameras off by, on a ring of radius 10", before.centres, after.centres
    );
    println!(
        "{:<44} {:>10.4} {:>10.4}",
        "and turned by, in degrees", before.angle, after.angle
    );
    println!(
        "{:<44} {:>10.5} {:>10.5}",
        "points off by", before.points, after.points
    );
    Ok((noise / NOISE - 1.0).abs() < 0.02
        && problem.cost(found) < problem.cost(truth)
        && after.centres < 0.02
        && after.angle < 0.1
        && after.points < 0.01)
}
