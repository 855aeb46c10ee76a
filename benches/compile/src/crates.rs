//! Crates with the functions, and how long cargo takes for them.

use super::median;
use super::source::{Module, by_hand, root};
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

type Outcome = Result<(), Box<dyn Error>>;

/// How a crate is built.
const PROFILES: [(&str, &[&str]); 3] = [
    ("check", &["check"]),
    ("debug", &["build"]),
    ("release", &["build", "--release"]),
];

/// All derivatives of second order of a program, in three parameters.
const USE: &str = "
pub fn derivatives(
    data: &[f64], d: usize, gamma: f64, m: i32, offset: f64, x: (&[f64], &[f64], &[f64]),
) -> Result<(), di::Error> {
    use di::prelude::*;
    let (f, backend) = (gmm::gmm::AD.with(data, d, gamma, m, offset), AutoSource::new());
    let g = gradient(f, NoPrep, &backend, &x)?;
    let p = hvp(f, NoPrep, &backend, &x, &(&g.0[..], &g.1[..], &g.2[..]))?;
    let h = hessian(f, NoPrep, &backend, &x)?;
    std::hint::black_box((g, p, h));
    Ok(())
}
";

/// `gmm`: that program alone.
pub(super) fn measure(modules: &[Module], runs: usize, gmm: bool) -> Outcome {
    if !gmm {
        all(modules, runs)?;
    }
    program(modules, runs)
}

fn all(modules: &[Module], runs: usize) -> Outcome {
    let functions = modules.iter().flat_map(Module::annotated).count();
    let annotated = text(modules, false)?;
    let plain = text(modules, true)?;
    let all = Crate::new("annotated", &annotated)?;
    let without = Crate::new("plain", &plain)?;
    for (name, command) in PROFILES {
        let [a, b] = times([&all, &without], command, runs)?;
        println!("{name}\tannotated s\t{a:.2}");
        println!("{name}\tplain s\t{b:.2}");
        println!("{name}\tannotated/plain\t{:.1}", a / b);
        println!(
            "{name}\tms for each function\t{:.1}",
            (a - b) * 1e3 / functions as f64
        );
    }
    Ok(())
}

fn program(modules: &[Module], runs: usize) -> Outcome {
    let gmm: Vec<&Module> = modules.iter().filter(|m| m.name == "gmm").collect();
    let annotated = text(gmm.iter().copied(), false)? + USE;
    let plain = text(gmm, true)? + &by_hand()?;
    let used = Crate::new("used", &annotated)?;
    let without = Crate::new("unused", &plain)?;
    for (name, command) in &PROFILES[1..] {
        let [a, b] = times([&used, &without], command, runs)?;
        println!("gmm {name}\tannotated and used s\t{a:.2}");
        println!("gmm {name}\tby hand s\t{b:.2}");
        println!("gmm {name}\tannotated/by hand\t{:.1}", a / b);
    }
    for (what, of) in [("annotated", &used), ("by hand", &without)] {
        let names = of.functions()?;
        let generated = names
            .iter()
            .filter(|n| GENERATED.iter().any(|g| n.contains(g)));
        println!("gmm {what}\tfunctions in the object\t{}", names.len());
        println!("gmm {what}\tof these generated\t{}", generated.count());
    }
    Ok(())
}

/// What generated functions are called.
const GENERATED: [&str; 6] = [
    "__primal",
    "__pattern",
    "__tangent",
    "__augmented",
    "__reverse",
    "__fused",
];

/// The modules as one crate.
fn text<'m>(
    modules: impl IntoIterator<Item = &'m Module>,
    plain: bool,
) -> Result<String, std::fmt::Error> {
    let mut text = String::from("#![allow(warnings)]\n");
    for module in modules {
        let inside = module.text(plain);
        let name = &module.name;
        write!(text, "pub mod {name} {{ use di::prelude::*;\n{inside}}}\n")?;
    }
    Ok(text)
}

/// A package with one library.
struct Crate<'t> {
    dir: PathBuf,
    text: &'t str,
}

impl Crate<'_> {
    fn new<'t>(name: &str, text: &'t str) -> Result<Crate<'t>, Box<dyn Error>> {
        let dir = root().join("target/compile-bench").join(name);
        fs::create_dir_all(dir.join("src"))?;
        let facade = root().display();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ndifferentiation-interface = {{ path = {:?} }}\n\n\
             [profile.dev]\ndebug = false\nincremental = false\n\
             [profile.dev.build-override]\nopt-level = 1\n\n[workspace]\n",
            facade.to_string(),
        );
        fs::write(dir.join("Cargo.toml"), manifest)?;
        fs::copy(root().join("Cargo.lock"), dir.join("Cargo.lock"))?;
        Ok(Crate { dir, text })
    }

    /// Seconds of one build of this crate alone. `run` makes the source new.
    fn build(&self, command: &[&str], run: usize) -> Result<f64, Box<dyn Error>> {
        let source = format!("{}\npub const RUN: usize = {run};\n", self.text);
        fs::write(self.dir.join("src/lib.rs"), source)?;
        let target: &Path = &root().join("target/compile-bench/target");
        let start = Instant::now();
        let output = Command::new(env!("CARGO"))
            .args(command)
            .args(["--quiet", "--offline"])
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", target)
            .output()?;
        let seconds = start.elapsed().as_secs_f64();
        if output.status.success() {
            Ok(seconds)
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
        }
    }
}

impl Crate<'_> {
    /// Names of the functions that rustc instantiates in a debug build.
    fn functions(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let target: &Path = &root().join("target/compile-bench/target");
        let file = target.join("functions.ll");
        let emit = format!("--emit=llvm-ir={}", file.display());
        let output = Command::new(env!("CARGO"))
            .args(["rustc", "--lib", "--quiet", "--offline", "--"])
            .args([&emit, "-Ccodegen-units=1"])
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", target)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        let text = fs::read_to_string(&file)?;
        let names = text.lines().filter(|line| line.starts_with("define "));
        Ok(names.map(str::to_owned).collect())
    }
}

/// Medians for two crates that are built in turn.
fn times(
    crates: [&Crate<'_>; 2],
    command: &[&str],
    runs: usize,
) -> Result<[f64; 2], Box<dyn Error>> {
    let mut found = [Vec::new(), Vec::new()];
    for run in 0..=runs {
        for (one, times) in crates.iter().zip(&mut found) {
            let seconds = one.build(command, run)?;
            // the first builds what they depend on
            if run > 0 {
                times.push(seconds);
            }
        }
    }
    Ok(found.map(median))
}
