//! Two posteriors by the No-U-Turn sampler of nuts-rs with generated gradients, beside the same by quadrature.
//!
//! ```text
//! cargo run --release --manifest-path adapters/Cargo.toml -p differentiation-interface-nuts-rs --example posteriors
//! ```
//! Eight schools, non-centred, 10 parameters; and the variances of a local level model for the Nile data. Prints posterior
//! means and standard deviations with their Monte Carlo errors, and nanoseconds a gradient; fails if a mean is further
//! from quadrature than five Monte Carlo errors, or a standard deviation further than a tenth. A few seconds.

mod eight_schools;
mod local_level;
mod summary;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut good = true;
    for posterior in [eight_schools::run, local_level::run] {
        match posterior() {
            Ok(right) => good &= right,
            Err(error) => {
                eprintln!("error: {error}");
                good = false;
            }
        }
    }
    if good {
        println!("all within Monte Carlo error");
        return ExitCode::SUCCESS;
    }
    println!("FAILED");
    ExitCode::FAILURE
}
