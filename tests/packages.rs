//! What stands in the way of publishing: names, metadata, licences, and the minimum version of Rust. Asks cargo, and
//! reads manifests as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What each package is called, or begins with.
const PREFIX: &str = "differentiation-interface";

/// A manifest: its path from the root, and its text.
struct Manifest {
    path: String,
    text: String,
}

impl Manifest {
    /// The lines of a section.
    fn section(&self, name: &str) -> impl Iterator<Item = &str> {
        let title = format!("[{name}]");
        let lines = self.text.lines().skip_while(move |line| *line != title);
        lines.skip(1).take_while(|line| !line.starts_with('['))
    }

    /// What a key of a section is set to.
    fn get(&self, section: &str, key: &str) -> Option<&str> {
        self.section(section).find_map(|line| {
            let (name, value) = line.split_once('=')?;
            (name.trim() == key).then(|| value.trim())
        })
    }

    fn name(&self) -> &str {
        self.get("package", "name").unwrap_or("").trim_matches('"')
    }

    fn is_published(&self) -> bool {
        self.get("package", "publish") != Some("false")
    }

    /// The names of the dependencies in a section, as the registry knows them.
    fn dependencies(&self, section: &str) -> Vec<&str> {
        let lines = self.section(section).filter(|line| !line.starts_with('#'));
        let entries = lines.filter_map(|line| line.split_once('='));
        entries
            .map(|(name, value)| match value.split_once("package = \"") {
                Some((_, package)) => package.split('"').next().unwrap_or(package),
                None => name.trim().trim_end_matches(".workspace"),
            })
            .collect()
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn manifest(path: &str) -> Manifest {
    let text = fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
    Manifest {
        path: path.to_owned(),
        text,
    }
}

/// The manifests of both workspaces.
fn manifests() -> Vec<Manifest> {
    let mut all = vec![manifest("Cargo.toml")];
    for (workspace, folder) in [("Cargo.toml", ""), ("adapters/Cargo.toml", "adapters/")] {
        let text = manifest(workspace).text;
        let members = text.split_once("members = [").expect("a workspace").1;
        let members = members.split(']').next().unwrap_or(members);
        let names = members.split('"').skip(1).step_by(2);
        all.extend(names.map(|member| manifest(&format!("{folder}{member}/Cargo.toml"))));
    }
    assert!(all.len() > 15, "{} manifests", all.len());
    all
}

fn published() -> Vec<Manifest> {
    let mut manifests = manifests();
    manifests.retain(Manifest::is_published);
    manifests
}

/// Fails with all of them at once.
fn none(wrong: Vec<String>, rule: &str) {
    assert!(wrong.is_empty(), "{rule}\n  {}\n", wrong.join("\n  "));
}

/// Runs cargo in a folder, and returns what it prints. It may download what a new machine lacks: the adapters have a lock
/// file of their own.
fn cargo(folder: PathBuf, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(arguments).arg("--locked").current_dir(folder);
    let output = output.output().expect("cargo runs");
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn packages_have_one_prefix() {
    let manifests = manifests();
    let others = manifests.iter().filter(|m| !m.name().starts_with(PREFIX));
    none(
        others
            .map(|m| format!("{}: {}", m.path, m.name()))
            .collect(),
        "packages are named `differentiation-interface-..`, and libraries `di_..`",
    );
}

#[test]
fn what_is_published_says_what_it_is() {
    let mut wrong = Vec::new();
    for manifest in published() {
        for key in [
            "description",
            "license",
            "repository",
            "rust-version",
            "readme",
            "keywords",
            "categories",
        ] {
            let inherited = format!("{key}.workspace");
            let set = manifest
                .get("package", key)
                .or(manifest.get("package", &inherited));
            wrong.extend(
                set.is_none()
                    .then(|| format!("{}: no {key}", manifest.path)),
            );
        }
        let hosted = manifest.get("package.metadata.docs.rs", "all-features");
        wrong.extend((hosted != Some("true")).then(|| format!("{}: no docs.rs", manifest.path)));
    }
    none(wrong, "registries show this");
}

/// A dependency by path alone is left out of what is published, which only tests can do without.
#[test]
fn dependencies_within_the_repository_have_versions() {
    let workspaces = ["Cargo.toml", "adapters/Cargo.toml"].map(manifest);
    let mut by_path = BTreeSet::new();
    for workspace in &workspaces {
        let lines = workspace.section("workspace.dependencies");
        let local = lines.filter(|line| line.contains("path = ") && !line.contains("version = "));
        by_path.extend(local.filter_map(|line| line.split_once(' ').map(|(name, _)| name)));
    }
    let mut wrong = Vec::new();
    for manifest in published() {
        for line in manifest.section("dependencies") {
            let name = line.split(['.', ' ']).next().unwrap_or(line);
            let alone = line.contains("path = ") && !line.contains("version = ");
            if alone || by_path.contains(name) {
                wrong.push(format!("{}: {name}", manifest.path));
            }
        }
    }
    none(wrong, "a package that others depend on has a version");
    assert!(by_path.len() > 2, "{by_path:?}");
}

/// Also that nothing that a package includes is outside of it: a list of its files is made.
#[test]
fn packages_can_be_listed() {
    for manifest in published() {
        let folder = root().join(&manifest.path);
        let folder = folder
            .parent()
            .expect("a manifest is in a folder")
            .to_owned();
        let list = cargo(folder, &["package", "--list", "--allow-dirty"]);
        let files: BTreeSet<&str> = list.lines().collect();
        for file in ["Cargo.toml", "README.md", "src/lib.rs"] {
            assert!(
                files.contains(file),
                "{}: no {file} in {list}",
                manifest.path
            );
        }
        let tests = ["ui-tests/", "adapters/", "benches/", "tests/kit/"];
        let strays = files
            .iter()
            .filter(|file| tests.iter().any(|t| file.starts_with(t)));
        assert_eq!(strays.count(), 0, "{}: {list}", manifest.path);
    }
}

/// The names in a table of CONTRIBUTING, each with the length of what stands beside it.
fn table(heading: &str) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).expect("there are rules");
    let heading = format!("\n## {heading}\n");
    let table = text.split_once(&heading).expect("a table").1;
    let table = table.split("\n## ").next().unwrap_or(table);
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    let mut names = BTreeMap::new();
    for row in rows {
        let (cell, reason) = row[2..].split_once(" | ").expect("a name and a reason");
        for name in cell.split('`').skip(1).step_by(2) {
            names.insert(name.to_owned(), reason.len());
        }
    }
    names
}

/// What the default build compiles is in one of two tables: with its reason, or with what brings it along.
#[test]
fn the_default_build_is_accounted_for() {
    let arguments = ["tree", "--package", PREFIX, "--edges", "normal"];
    let format = ["--prefix", "none", "--format", "{p}"];
    let tree = cargo(root().to_owned(), &[&arguments[..], &format].concat());
    let names = tree.lines().filter_map(|line| line.split(' ').next());
    let built: BTreeSet<&str> = names.filter(|name| !name.starts_with(PREFIX)).collect();
    let (direct, along) = (
        table("Dependencies"),
        table("What the default build compiles"),
    );
    let of_others: BTreeSet<&str> = (built.iter().copied())
        .filter(|name| !direct.contains_key(*name))
        .collect();
    let listed: BTreeSet<&str> = along.keys().map(String::as_str).collect();
    assert_eq!(of_others, listed, "the second table in CONTRIBUTING.md");
    assert!(built.len() > of_others.len() + 3, "{built:?}");
    let all: BTreeSet<&str> = tree.lines().filter_map(|l| l.split(' ').next()).collect();
    let (count, ours) = (all.len(), all.len() - built.len());
    let text = fs::read_to_string(root().join("CONTRIBUTING.md")).expect("there are rules");
    let counted = format!("These are {count} packages, {ours} of them ours.");
    assert!(text.contains(&counted), "CONTRIBUTING.md: {counted}");
}

/// A row of the table of dependencies in CONTRIBUTING for each, and no other.
#[test]
fn each_dependency_has_a_reason() {
    let reasons = table("Dependencies");
    let workspaces = ["Cargo.toml", "adapters/Cargo.toml"].map(manifest);
    let aliases: BTreeMap<&str, &str> = workspaces
        .iter()
        .flat_map(|workspace| workspace.section("workspace.dependencies"))
        .filter_map(|line| {
            let (alias, value) = line.split_once(" = ")?;
            let (_, package) = value.split_once("package = \"")?;
            Some((alias, package.split('"').next()?))
        })
        .collect();
    let mut used = BTreeSet::new();
    for manifest in published() {
        for name in manifest.dependencies("dependencies") {
            let name = *aliases.get(name).unwrap_or(&name);
            if !name.starts_with(PREFIX) {
                used.insert(name.to_owned());
            }
        }
    }
    let listed: BTreeSet<String> = reasons.keys().cloned().collect();
    assert_eq!(used, listed, "the table of dependencies in CONTRIBUTING.md");
    assert!(reasons.values().all(|length| *length > 10), "{reasons:?}");
}

/// The same for what is not published: tests, benches, and programs with lock files of their own.
#[test]
fn each_dependency_of_tests_and_programs_has_a_reason() {
    let (direct, reasons) = (
        table("Dependencies"),
        table("Dependencies of tests and programs"),
    );
    let alone = ["adapters/mpi", "benches/peers"];
    let mut all = manifests();
    all.extend(alone.map(|folder| manifest(&format!("{folder}/Cargo.toml"))));
    let mut used = BTreeSet::new();
    for manifest in &all {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for name in manifest.dependencies(section) {
                let is_known = direct.contains_key(name) || name.starts_with(PREFIX);
                let is_alias = ["di", "di_benches"].contains(&name)
                    || name.starts_with("di-")
                    || name.contains("_v0_");
                if !is_known && !is_alias {
                    used.insert(name.to_owned());
                }
            }
        }
    }
    let listed: BTreeSet<String> = reasons.keys().cloned().collect();
    assert_eq!(
        used, listed,
        "the second table of dependencies in CONTRIBUTING.md"
    );
}

/// The licences that `deny.toml` allows are enough for every dependency, with every feature.
#[test]
fn licences_are_allowed() {
    let rules = manifest("deny.toml");
    let allowed = rules.get("licenses", "allow").expect("a list of licences");
    let allowed: BTreeSet<&str> = allowed.split('"').skip(1).step_by(2).collect();
    // `(MIT OR Apache-2.0) AND Unicode-3.0`, and the older `MIT/Apache-2.0`
    let is_free = |licence: &str| {
        let licence = licence.replace(['(', ')'], "").replace('/', " OR ");
        let parts: Vec<&str> = licence.split(" AND ").collect();
        parts
            .iter()
            .all(|part| part.split(" OR ").any(|name| allowed.contains(name.trim())))
    };
    assert!(is_free("(MIT OR GPL-3.0) AND Zlib") && !is_free("MIT AND GPL-3.0") && !is_free(""));
    let (mut wrong, mut seen) = (Vec::new(), 0);
    // Programs with solvers under other licences, which are not published.
    let others = [
        "--exclude",
        "differentiation-interface-bundle",
        "--exclude",
        "differentiation-interface-nlp",
    ];
    let published: [(&str, &[&str]); 2] = [("", &[]), ("adapters", &others)];
    for (folder, others) in published {
        let arguments = [
            "tree",
            "--workspace",
            "--edges",
            "normal,build",
            "--all-features",
        ];
        let format = ["--prefix", "none", "--format", "{p}\t{l}"];
        let tree = cargo(
            root().join(folder),
            &[&arguments[..], others, &format].concat(),
        );
        let packages: BTreeSet<&str> = tree.lines().map(|l| l.trim_end_matches(" (*)")).collect();
        for (package, licence) in packages.iter().filter_map(|line| line.split_once('\t')) {
            // packages of this repository that are not published
            let is_own = package.contains("(/") || package.contains(":\\");
            seen += 1;
            if !is_free(licence) && !is_own {
                wrong.push(format!("{package}: {licence}"));
            }
        }
    }
    none(wrong, "licences are those of deny.toml");
    assert!(seen > 100, "{seen} packages");
}

/// With the default features there is one version of each.
#[test]
fn nothing_is_there_twice() {
    let arguments = [
        "tree",
        "--package",
        PREFIX,
        "--edges",
        "normal",
        "--duplicates",
        "--depth",
        "0",
    ];
    let tree = cargo(
        root().to_owned(),
        &[&arguments[..], &["--prefix", "none"]].concat(),
    );
    let others = tree
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with(PREFIX));
    none(
        others.map(str::to_owned).collect(),
        "one version of each dependency is built",
    );
}

/// The README, the manifests of both workspaces and that of a foreign crate name one version of Rust.
#[test]
fn one_minimum_version_of_rust() {
    let version = manifest("Cargo.toml");
    let version = version
        .get("workspace.package", "rust-version")
        .expect("a version")
        .to_owned();
    let adapters = manifest("adapters/Cargo.toml");
    assert_eq!(
        adapters.get("workspace.package", "rust-version"),
        Some(version.as_str())
    );
    let readme = fs::read_to_string(root().join("README.md")).expect("there is a README");
    let promise = format!("needs Rust {}", version.trim_matches('"'));
    assert!(readme.contains(&promise), "README: {promise}");
}

#[test]
fn libraries_that_cargo_does_not_test_have_no_unit_tests() {
    let mut hidden = Vec::new();
    let untested = |m: &Manifest| m.get("lib", "test") == Some("false");
    for manifest in manifests().into_iter().filter(untested) {
        let folder = root().join(&manifest.path).with_file_name("src");
        let mut open = vec![folder];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(&path).expect("a folder that was found");
                open.extend(entries.map(|entry| entry.expect("an entry that was found").path()));
            } else if let Ok(text) = fs::read_to_string(&path)
                && text.lines().any(|line| line.trim() == "#[test]")
            {
                hidden.push(path.display().to_string());
            }
        }
    }
    none(
        hidden,
        "a library without a test harness has no tests inside",
    );
}
