//! `ratios`, built with the library of one checkout or another, and what it prints.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the workspace.
pub(super) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A build of `ratios`.
pub(super) struct Program {
    file: PathBuf,
}

impl Program {
    /// The sources are those of this checkout, the library is that of `checkout`.
    pub(super) fn build(name: &str, checkout: &Path) -> Result<Program, Box<dyn Error>> {
        let target = root().join("target/baseline");
        let dir = target.join(name);
        fs::create_dir_all(&dir)?;
        let source = root().join("benches/src");
        let manifest = format!(
            "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
             [lib]\nname = \"di_benches\"\npath = {:?}\n\n\
             [[bin]]\nname = \"{name}\"\npath = {:?}\n\n\
             [dependencies]\nlexopt = \"0.3\"\n\
             ndarray = {{ version = \"0.17\", default-features = false, features = [\"std\"] }}\n\
             differentiation-interface = {{ path = {:?}, features = [\"ndarray\", \"sparse\"] }}\n\n[workspace]\n",
            source.join("lib.rs"),
            source.join("bin/ratios/main.rs"),
            checkout,
        );
        fs::write(dir.join("Cargo.toml"), manifest)?;
        fs::copy(checkout.join("Cargo.lock"), dir.join("Cargo.lock"))?;
        eprintln!("building `ratios` with {name} library");
        let cargo = Command::new(env!("CARGO"))
            .args(["build", "--release", "--quiet", "--offline"])
            .current_dir(&dir)
            .env("CARGO_TARGET_DIR", &target)
            .output()?;
        printed(cargo)?;
        let file = target.join("release").join(name);
        Ok(Program {
            file: file.with_extension(std::env::consts::EXE_EXTENSION),
        })
    }

    /// Names of the cases that contain `part`.
    pub(super) fn cases(&self, part: &str) -> Result<Vec<String>, Box<dyn Error>> {
        let text = self.print(&["--list", "--case", part])?;
        Ok(text.lines().skip(1).map(str::to_owned).collect())
    }

    /// The pieces of a case, with seconds of one call in the fastest batch.
    pub(super) fn seconds(
        &self,
        case: &str,
        batches: usize,
    ) -> Result<Vec<(String, f64)>, Box<dyn Error>> {
        let batches = batches.to_string();
        let options = [
            "--only",
            case,
            "--seconds",
            "--minimum",
            "--batches",
            &batches,
        ];
        let text = self.print(&options)?;
        text.lines().skip(1).map(last_two).collect()
    }

    /// The pieces of a case.
    pub(super) fn pieces(&self, case: &str) -> Result<Vec<String>, Box<dyn Error>> {
        let text = self.print(&["--only", case, "--calls", "1"])?;
        let pieces = text.lines().skip(1).map(last_two::<u64>);
        pieces.map(|piece| Ok(piece?.0)).collect()
    }

    /// Below another program, which takes this one and its options.
    pub(super) fn below(&self, outer: &mut Command, options: &[&str]) -> std::io::Result<Output> {
        outer.arg(&self.file).args(options).output()
    }

    fn print(&self, options: &[&str]) -> Result<String, Box<dyn Error>> {
        printed(Command::new(&self.file).args(options).output()?)
    }
}

/// What a program printed, if it succeeded.
fn printed(output: Output) -> Result<String, Box<dyn Error>> {
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}

/// The second and the third column.
fn last_two<T: std::str::FromStr>(line: &str) -> Result<(String, T), Box<dyn Error>> {
    let mut columns = line.split('\t').skip(1);
    let (piece, value) = (columns.next(), columns.next());
    let value = value.and_then(|value| value.parse().ok());
    let both = piece.map(str::to_owned).zip(value);
    both.ok_or_else(|| format!("`ratios` printed `{line}`").into())
}
