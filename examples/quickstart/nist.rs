//! Reads the files of the NIST StRD collection for nonlinear regression, and measures accuracy as it does.
//!
//! <https://www.itl.nist.gov/div898/strd/nls/nls_main.shtml>

use crate::models::Model;
use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};

/// The collection's names, each with its model; a file is called `<name>.dat`.
pub(crate) const DATASETS: [(&str, Model); 13] = [
    ("BoxBOD", Model::BoxBod),
    ("Chwirut2", Model::Chwirut2),
    ("ENSO", Model::Enso),
    ("Gauss1", Model::Gauss1),
    ("Hahn1", Model::Hahn1),
    ("Kirby2", Model::Kirby2),
    ("Lanczos1", Model::Lanczos1),
    ("MGH09", Model::Mgh09),
    ("MGH17", Model::Mgh17),
    ("Misra1a", Model::Misra1a),
    ("Nelson", Model::Nelson),
    ("Rat43", Model::Rat43),
    ("Thurber", Model::Thurber),
];

/// One file of the collection.
#[derive(Debug)]
pub(crate) struct Dataset {
    pub(crate) name: &'static str,
    pub(crate) model: Model,
    /// The two points that a fit starts from, the far one first.
    pub(crate) starts: [Vec<f64>; 2],
    /// The certified parameters: 11 digits.
    pub(crate) certified: Vec<f64>,
    /// The certified residual sum of squares.
    pub(crate) sum_of_squares: f64,
    /// One row of predictors for each observation.
    pub(crate) x: Vec<[f64; 2]>,
    /// The responses, one for each observation.
    pub(crate) y: Vec<f64>,
}

/// A file that does not have the collection's format.
#[derive(Debug)]
pub(crate) struct FormatError {
    path: PathBuf,
    line: usize,
    what: String,
}

impl fmt::Display for FormatError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FormatError { path, line, what } = self;
        write!(out, "{}, line {line}: {what}", path.display())
    }
}

impl Error for FormatError {}

/// Reads `<dir>/<name>.dat`.
pub(crate) fn read(
    dir: &Path,
    name: &'static str,
    model: Model,
) -> Result<Dataset, Box<dyn Error>> {
    let path = dir.join(format!("{name}.dat"));
    let text =
        std::fs::read_to_string(&path).map_err(|cause| format!("{}: {cause}", path.display()))?;
    let fail = |line: usize, what: String| FormatError {
        path: path.clone(),
        line,
        what,
    };
    let mut set = Dataset {
        name,
        model,
        starts: [Vec::new(), Vec::new()],
        certified: Vec::new(),
        sum_of_squares: f64::NAN,
        x: Vec::new(),
        y: Vec::new(),
    };
    let mut observations = None;
    // "Data:" stands twice: in the description, and at the head of the last section.
    let mut headings = 0;
    let mut last = 0;
    for (number, line) in text.lines().enumerate() {
        last = number + 1;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            [] => {}
            ["Data:", ..] => headings += 1,
            row if headings == 2 => {
                let row = numbers(row).map_err(|what| fail(last, what))?;
                let [y, x @ ..] = row.as_slice() else {
                    continue;
                };
                set.y.push(if model == Model::Nelson { y.ln() } else { *y });
                set.x.push(match x {
                    [x] => [*x, 0.0],
                    [x0, x1] => [*x0, *x1],
                    _ => {
                        let what = format!("expected 1 or 2 predictors, found {}", x.len());
                        return Err(fail(last, what).into());
                    }
                });
            }
            [parameter, "=", rest @ ..] if parameter.starts_with('b') && rest.len() == 4 => {
                let row = numbers(rest).map_err(|what| fail(last, what))?;
                set.starts[0].push(row[0]);
                set.starts[1].push(row[1]);
                set.certified.push(row[2]);
            }
            ["Residual", "Sum", "of", "Squares:", sum] => {
                set.sum_of_squares = numbers(&[sum]).map_err(|what| fail(last, what))?[0];
            }
            ["Number", "of", "Observations:", count] => {
                let count: usize = count
                    .parse()
                    .map_err(|cause| fail(last, format!("`{count}`: {cause}")))?;
                observations = Some(count);
            }
            _ => {}
        }
    }
    if set.certified.is_empty() {
        return Err(fail(last, "no certified parameters found".into()).into());
    }
    match observations {
        Some(count) if count == set.y.len() => Ok(set),
        Some(count) => {
            let what = format!("expected {count} observations, found {}", set.y.len());
            Err(fail(last, what).into())
        }
        None => Err(fail(last, "no line `Number of Observations:`".into()).into()),
    }
}

/// The logarithmic relative error: how many digits of the worst parameter agree with the certified ones.
///
/// At most 11, since no more digits are certified.
pub(crate) fn worst_lre(fitted: &[f64], certified: &[f64]) -> f64 {
    let lre = |(b, c): (&f64, &f64)| -((b - c).abs() / c.abs()).log10();
    let all = fitted.iter().zip(certified).map(lre);
    // NaN (a fit that got lost) must not look like a good one.
    all.fold(11.0, |worst, lre| if lre >= worst { worst } else { lre })
}

fn numbers(words: &[&str]) -> Result<Vec<f64>, String> {
    let number = |word: &&str| {
        word.parse()
            .map_err(|_| format!("expected a number, found `{word}`"))
    };
    words.iter().map(number).collect()
}
