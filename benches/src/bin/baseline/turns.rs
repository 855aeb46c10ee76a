//! Times of two programs that run in turns, and which differences are more than noise.

use super::Effort;
use super::program::Program;
use std::error::Error;

/// Smaller differences come from where code happens to be placed, not from what it does.
const FLOOR: f64 = 0.03;

/// Pieces that do not depend on the library: if they differ, it is noise.
const SAME: [&str; 5] = [
    "primal",
    "hand",
    "hand gradient",
    "hand hvp",
    "primal and zeros",
];

/// The fastest times of one piece in each round, with this library and with the other one.
struct Piece {
    name: String,
    rounds: [Vec<f64>; 2],
}

/// Prints how the two compare; returns how many pieces are slower with the first.
pub(super) fn compare(
    programs: &[Program; 2],
    part: &str,
    effort: Effort,
) -> Result<usize, Box<dyn Error>> {
    println!("case\tpiece\tthis/other\tnoise\tverdict");
    let (mut slower, mut faster, mut even) = (0, 0, 0);
    for case in programs[0].cases(part)? {
        let pieces = alternate(programs, &case, effort)?;
        let of_case = noise_of_case(&pieces);
        for piece in &pieces {
            let (ratio, noise) = (piece.ratio(), of_case.max(2.0 * piece.noise()));
            let verdict = if piece.is_same() {
                "same code"
            } else if ratio > 1.0 + noise {
                slower += 1;
                "slower"
            } else if 1.0 / ratio > 1.0 + noise {
                faster += 1;
                "faster"
            } else {
                even += 1;
                "even"
            };
            println!("{case}\t{}\t{ratio:.3}\t{noise:.3}\t{verdict}", piece.name);
        }
    }
    eprintln!("{slower} slower, {faster} faster, {even} within noise");
    Ok(slower)
}

/// Runs a case with both libraries in each round, each of them first in every other round.
fn alternate(
    programs: &[Program; 2],
    case: &str,
    effort: Effort,
) -> Result<Vec<Piece>, Box<dyn Error>> {
    let mut pieces: Vec<Piece> = Vec::new();
    for round in 0..effort.rounds {
        for turn in 0..2 {
            let side = (round + turn) % 2;
            for (name, seconds) in programs[side].seconds(case, effort.batches)? {
                let at = pieces.iter().position(|piece| piece.name == name);
                let at = at.unwrap_or_else(|| {
                    let rounds = [Vec::new(), Vec::new()];
                    pieces.push(Piece { name, rounds });
                    pieces.len() - 1
                });
                pieces[at].rounds[side].push(seconds);
            }
        }
    }
    Ok(pieces)
}

/// How much pieces differ that are the same with both libraries, and what is always allowed.
fn noise_of_case(pieces: &[Piece]) -> f64 {
    let same = pieces.iter().filter(|piece| piece.is_same());
    same.map(|piece| apart(piece.ratio())).fold(FLOOR, f64::max)
}

impl Piece {
    fn is_same(&self) -> bool {
        SAME.contains(&self.name.as_str())
    }

    /// Time with this library divided by that with the other one.
    fn ratio(&self) -> f64 {
        let [this, other] = &self.rounds;
        least(this) / least(other)
    }

    /// How much the first half of the rounds differs from the second, with the library where it differs more.
    fn noise(&self) -> f64 {
        let halves = self.rounds.iter().map(|rounds| {
            let (first, second) = rounds.split_at(rounds.len() / 2);
            apart(least(first) / least(second))
        });
        halves.fold(0.0, f64::max)
    }
}

/// By how much a ratio, or its inverse, is above one.
fn apart(ratio: f64) -> f64 {
    ratio.max(1.0 / ratio) - 1.0
}

fn least(seconds: &[f64]) -> f64 {
    seconds.iter().copied().fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::{FLOOR, Piece, noise_of_case};

    fn piece(name: &str, this: &[f64], other: &[f64]) -> Piece {
        Piece {
            name: name.to_owned(),
            rounds: [this.to_vec(), other.to_vec()],
        }
    }

    #[test]
    fn minima_are_compared_and_halves_show_the_noise() {
        let quiet = piece("gradient", &[2.0, 2.4, 2.0, 9.0], &[1.0, 1.0, 1.0, 1.5]);
        assert_eq!((quiet.ratio(), quiet.noise()), (2.0, 0.0));
        let busy = piece("gradient", &[2.0, 2.4, 3.0, 9.0], &[1.0, 1.0, 1.0, 1.5]);
        assert_eq!((busy.ratio(), busy.noise()), (2.0, 0.5));
    }

    #[test]
    fn the_same_code_shows_the_noise_of_its_case() {
        let gradient = || piece("gradient", &[2.0, 2.0], &[1.0, 1.0]);
        assert_eq!(noise_of_case(&[gradient()]), FLOOR);
        let primal = piece("primal", &[1.0, 1.0], &[1.25, 1.25]);
        assert_eq!(noise_of_case(&[gradient(), primal]), 0.25);
    }
}
