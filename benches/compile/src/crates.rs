//! Crates with the functions, and how long cargo takes for them.

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

/// What is measured of whole crates.
pub(super) struct Options {
    /// How often each crate is built.
    pub(super) runs: usize,
    /// Only the program that takes derivatives.
    pub(super) gmm: bool,
    /// The level at which macros are optimised in debug builds.
    pub(super) macros: u8,
    /// Another checkout, which is measured in turn with this one.
    pub(super) against: Option<PathBuf>,
}

impl Options {
    fn checkouts(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let other = self.against.iter().map(|dir| ("other-", dir.as_path()));
        std::iter::once(("", root())).chain(other)
    }
}

pub(super) fn measure(modules: &[Module], options: &Options) -> Outcome {
    if !options.gmm {
        all(modules, options)?;
        first(options)?;
    }
    program(modules, options)
}

fn all(modules: &[Module], options: &Options) -> Outcome {
    let functions = modules.iter().flat_map(Module::annotated).count();
    let annotated = text(modules, false)?;
    let plain = text(modules, true)?;
    let mut crates = vec![Crate::new("plain", &plain, root(), options)?];
    for (of, checkout) in options.checkouts() {
        crates.push(Crate::new(
            &format!("{of}annotated"),
            &annotated,
            checkout,
            options,
        )?);
    }
    for (name, command) in PROFILES {
        let times = times(&crates, command, options.runs)?;
        let each = |seconds: f64| (seconds - times[0]) * 1e3 / functions as f64;
        println!("{name}\tannotated s\t{:.2}", times[1]);
        println!("{name}\tplain s\t{:.2}", times[0]);
        println!("{name}\tannotated/plain\t{:.1}", times[1] / times[0]);
        println!("{name}\tms for each function\t{:.1}", each(times[1]));
        if let Some(other) = times.get(2) {
            let ratio = each(times[1]) / each(*other);
            println!("{name}\tfor each function, to the other\t{ratio:.2}");
        }
    }
    Ok(())
}

/// The first build of a program with one small function, by one core.
fn first(options: &Options) -> Outcome {
    let mut times = Vec::new();
    for (of, checkout) in options.checkouts() {
        let program = Crate::new(&format!("{of}first"), FIRST, checkout, options)?;
        let target = program.dir.join("target");
        let mut least = f64::INFINITY;
        for run in 0..options.runs.min(3) {
            if target.exists() {
                fs::remove_dir_all(&target)?;
            }
            least = least.min(program.build(&["build", "-j1"], run, &target)?);
        }
        fs::remove_dir_all(&target)?;
        times.push(least);
        let tree = program.cargo(&["tree", "-e", "normal"], &target)?;
        println!(
            "first build\t{of}lines of the tree\t{}",
            tree.lines().count()
        );
    }
    println!("first build\ts\t{:.1}", times[0]);
    if let Some(other) = times.get(1) {
        println!("first build\tto the other\t{:.2}", times[0] / other);
    }
    Ok(())
}

fn program(modules: &[Module], options: &Options) -> Outcome {
    let gmm: Vec<&Module> = modules.iter().filter(|m| m.name == "gmm").collect();
    let annotated = text(gmm.iter().copied(), false)? + USE;
    let plain = text(gmm, true)? + &by_hand()?;
    let mut crates = vec![Crate::new("unused", &plain, root(), options)?];
    for (of, checkout) in options.checkouts() {
        crates.push(Crate::new(
            &format!("{of}used"),
            &annotated,
            checkout,
            options,
        )?);
    }
    for (name, command) in &PROFILES[1..] {
        let times = times(&crates, command, options.runs)?;
        println!("gmm {name}\tannotated and used s\t{:.2}", times[1]);
        println!("gmm {name}\tby hand s\t{:.2}", times[0]);
        println!("gmm {name}\tannotated/by hand\t{:.1}", times[1] / times[0]);
        if let Some(other) = times.get(2) {
            println!("gmm {name}\tto the other\t{:.2}", times[1] / other);
        }
    }
    for (what, of) in ["by hand", "annotated", "other annotated"]
        .iter()
        .zip(&crates)
    {
        let names = of.functions()?;
        let generated = names
            .iter()
            .filter(|n| GENERATED.iter().any(|g| n.contains(g)));
        println!("gmm {what}\tfunctions in the object\t{}", names.len());
        println!("gmm {what}\tof these generated\t{}", generated.count());
    }
    Ok(())
}

/// A first program.
const FIRST: &str = "
use di::prelude::*;

#[differentiable]
pub fn rosenbrock(x: &[f64]) -> f64 {
    (0..x.len() - 1)
        .map(|i| 100.0 * (x[i + 1] - x[i] * x[i]).powi(2) + (1.0 - x[i]).powi(2))
        .sum()
}

pub fn slope(x: &[f64]) -> Result<Vec<f64>, di::Error> {
    gradient(rosenbrock::AD, NoPrep, &AutoSource::new(), x)
}
";

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
    fn new<'t>(
        name: &str,
        text: &'t str,
        checkout: &Path,
        options: &Options,
    ) -> Result<Crate<'t>, Box<dyn Error>> {
        let dir = root().join("target/compile-bench").join(name);
        fs::create_dir_all(dir.join("src"))?;
        let (facade, macros) = (checkout.display(), options.macros);
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [dependencies]\ndifferentiation-interface = {{ path = {:?} }}\n\n\
             [profile.dev]\ndebug = false\nincremental = false\n\
             [profile.dev.build-override]\nopt-level = {macros}\n\n[workspace]\n",
            facade.to_string(),
        );
        fs::write(dir.join("Cargo.toml"), manifest)?;
        fs::copy(checkout.join("Cargo.lock"), dir.join("Cargo.lock"))?;
        Ok(Crate { dir, text })
    }

    /// Seconds of one build of this crate, as [`spent`] counts them. `run` makes the source new.
    fn build(&self, command: &[&str], run: usize, target: &Path) -> Result<f64, Box<dyn Error>> {
        let source = format!("{}\npub const RUN: usize = {run};\n", self.text);
        fs::write(self.dir.join("src/lib.rs"), source)?;
        let (start, before) = (Instant::now(), spent());
        self.cargo(command, target)?;
        let elapsed = || start.elapsed().as_secs_f64();
        Ok(spent()
            .zip(before)
            .map_or_else(elapsed, |(after, before)| after - before))
    }

    /// What cargo prints.
    fn cargo(&self, command: &[&str], target: &Path) -> Result<String, Box<dyn Error>> {
        let (name, options) = command.split_first().ok_or("no command")?;
        let output = Command::new(env!("CARGO"))
            .args([name, "--quiet", "--offline"])
            .args(options)
            .current_dir(&self.dir)
            .env("CARGO_TARGET_DIR", target)
            .output()?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
        }
    }
}

/// Seconds of processor time of the processes that this one has started and waited for, and of those that they have; Linux
/// alone says. On a busy machine, the time that they wait for a processor is not in it.
fn spent() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: f64 = ticks.map(|t| t.parse::<f64>().ok()).sum::<Option<f64>>()?;
    // the kernel counts a hundred in a second, whatever its own clock
    Some(ticks / 100.0)
}

/// Where what the crates depend on is built once.
fn shared_target() -> PathBuf {
    root().join("target/compile-bench/target")
}

impl Crate<'_> {
    /// Names of the functions that rustc instantiates in a debug build.
    fn functions(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let target = shared_target();
        let file = target.join("functions.ll");
        let emit = format!("--emit=llvm-ir={}", file.display());
        let command = ["rustc", "--lib", "--", &emit, "-Ccodegen-units=1"];
        self.cargo(&command, &target)?;
        let text = fs::read_to_string(&file)?;
        let names = text.lines().filter(|line| line.starts_with("define "));
        Ok(names.map(str::to_owned).collect())
    }
}

/// The least time of crates that are built in turn.
fn times(crates: &[Crate<'_>], command: &[&str], runs: usize) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut found = vec![f64::INFINITY; crates.len()];
    for run in 0..=runs {
        for (one, least) in crates.iter().zip(&mut found) {
            let seconds = one.build(command, run, &shared_target())?;
            // the first builds what they depend on
            if run > 0 {
                *least = least.min(seconds);
            }
        }
    }
    Ok(found)
}
