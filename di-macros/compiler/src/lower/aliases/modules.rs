//! Where the modules of a crate are: inline, or in the files that `mod name;` names.

use super::imports;
use super::scan::{self, Found, What};
use crate::lower::numeric;
use crate::sorted::Set;
use proc_macro2::Span;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

/// How many imports lead from one to the next.
const DEEP: usize = 4;

/// A module.
#[derive(Clone, Debug)]
pub(super) struct Place {
    file: PathBuf,
    /// The path of inline modules: `a::b`; empty for the file's own.
    inside: String,
}

impl PartialEq for Place {
    // there may be several paths to a file
    fn eq(&self, other: &Place) -> bool {
        let real = |place: &Place| place.file.canonicalize().ok();
        self.inside == other.inside && (self.file == other.file || real(self) == real(other))
    }
}

impl Place {
    pub(super) fn new(file: &Path, inside: &str) -> Place {
        Place {
            file: file.to_owned(),
            inside: inside.to_owned(),
        }
    }

    /// The module that a token stands in.
    pub(super) fn around(at: Span) -> Option<Place> {
        let file = at.local_file()?;
        let (all, at) = (read(&file)?, at.start());
        let modules = all.iter().filter(|f| f.what == What::Module);
        let around = modules.filter(|f| f.lines.contains(&at));
        let innermost = around.max_by_key(|f| *f.lines.start())?;
        Some(Place::new(&file, &innermost.module))
    }

    /// The root of its crate, and its path from there.
    pub(super) fn path(&self) -> (Place, Vec<String>) {
        let mut all: Vec<Place> = self.above().collect();
        let root = all.pop().unwrap_or_else(|| self.clone());
        (root, all.iter().rev().filter_map(Place::name).collect())
    }

    /// Whether it stands in the other module.
    pub(super) fn is_within(&self, other: &Place) -> bool {
        self.above().any(|place| place == *other)
    }

    /// Whether the other module sees it, as far as the modules around it say.
    pub(super) fn is_seen_from(&self, other: &Place) -> bool {
        let pairs = self.above().zip(self.above().skip(1));
        pairs.into_iter().all(|(place, parent)| {
            let (what, name) = match place.inside.is_empty() {
                true => (What::File, place.name()),
                false => (What::Module, None),
            };
            let all = read(if name.is_some() {
                &parent.file
            } else {
                &place.file
            });
            let is_it = |f: &&Found| {
                f.what == what
                    && match &name {
                        Some(name) => f.name == *name && f.module == parent.inside,
                        None => f.module == place.inside,
                    }
            };
            let vis = all.as_ref().and_then(|all| all.iter().find(is_it));
            vis.is_some_and(|f| is_public(&f.vis)) || other.is_within(&parent)
        })
    }

    /// It, and the modules that it stands in.
    fn above(&self) -> impl Iterator<Item = Place> {
        std::iter::successors(Some(self.clone()), Place::parent).take(16)
    }

    /// Whether it is the root of a library.
    pub(super) fn is_library(&self) -> bool {
        self.inside.is_empty() && self.file.file_stem().is_some_and(|stem| stem == "lib")
    }

    /// What it is called.
    fn name(&self) -> Option<String> {
        if !self.inside.is_empty() {
            return self.inside.rsplit("::").next().map(str::to_owned);
        }
        let stem = self.file.file_stem()?.to_str()?;
        let folder = || self.file.parent()?.file_name()?.to_str();
        let name = if stem == "mod" { folder()? } else { stem };
        Some(name.to_owned())
    }

    /// Whether it declares or imports the name.
    pub(super) fn knows(&self, name: &str) -> bool {
        let items = self.items();
        let uses = items.iter().filter(|f| f.what == What::Use);
        let mut imports = uses.flat_map(|f| imports::of(&f.text));
        imports.any(|import| import.name == name) || items.iter().any(|f| f.name == name)
    }

    /// The names by which it knows traits of `num_traits`, and traits with one of these above them.
    pub(super) fn numeric_traits(&self) -> Set<String> {
        let all = self.items().into_iter();
        let all = all.filter(|f| matches!(f.what, What::Use | What::Trait));
        let items: Vec<syn::Item> = all.filter_map(|f| syn::parse_str(&f.text).ok()).collect();
        numeric::traits_among(&items)
    }

    /// What it declares.
    pub(super) fn items(&self) -> Vec<Found> {
        let all = read(&self.file).unwrap_or_default();
        let here = all.iter().filter(|f| f.module == self.inside);
        here.cloned().collect()
    }

    /// Its items, if it is annotated as a whole, or a module around it in its file.
    pub(super) fn annotated(&self) -> Option<Vec<syn::Item>> {
        let all = read(&self.file)?;
        let around = |f: &&Found| f.what == What::Module && !f.text.is_empty();
        let (inner, module) = all.iter().filter(around).find_map(|f| {
            let inner = self.inside.strip_prefix(&f.module)?;
            (inner.is_empty() || inner.starts_with("::")).then_some((inner, f))
        })?;
        let module = syn::parse_str::<syn::ItemMod>(&module.text).ok()?;
        let mut names = inner.split("::").filter(|name| !name.is_empty());
        names.try_fold(module.content?.1, |items, name| {
            items.into_iter().find_map(|item| match item {
                syn::Item::Mod(m) if m.ident == name => Some(m.content?.1),
                _ => None,
            })
        })
    }

    /// Whether it stands in a module that is annotated as a whole, or is one.
    pub(super) fn is_annotated(&self) -> bool {
        self.above().any(|place| place.annotated().is_some())
    }

    /// The module that a path in it leads to.
    pub(super) fn at(&self, path: &[&str]) -> Option<Place> {
        self.within(path, DEEP)
    }

    /// The item that a path in it leads to, and where that is declared.
    pub(super) fn item(&self, module: &[&str], name: &str) -> Option<(Place, Found)> {
        self.item_within(module, name, DEEP)
    }

    fn within(&self, path: &[&str], depth: usize) -> Option<Place> {
        let mut place = self.clone();
        for (k, name) in path.iter().enumerate() {
            place = match *name {
                "self" => place,
                "super" => place.parent()?,
                "crate" => place.path().0,
                _ => match place.child(name, depth) {
                    None if k == 0 => library(name)?,
                    found => found?,
                },
            };
        }
        Some(place)
    }

    fn item_within(&self, module: &[&str], name: &str, depth: usize) -> Option<(Place, Found)> {
        let place = self.within(module, depth)?;
        let items = place.items();
        if let Some(found) = items
            .iter()
            .find(|f| f.name == name && f.what != What::File)
        {
            return Some((place, found.clone()));
        }
        place.through_imports(&items, name, depth, |place, module, name, depth| {
            place.item_within(module, name, depth)
        })
    }

    fn child(&self, name: &str, depth: usize) -> Option<Place> {
        let inner = match self.inside.is_empty() {
            true => name.to_owned(),
            false => format!("{}::{name}", self.inside),
        };
        let all = read(&self.file)?;
        if all
            .iter()
            .any(|f| f.what == What::Module && f.module == inner)
        {
            return Some(Place::new(&self.file, &inner));
        }
        let items = self.items();
        let mut files = items
            .iter()
            .filter(|f| f.what == What::File && f.name == name);
        // not one of several, each for a target
        if let (Some(declared), None) = (files.next(), files.next()) {
            return self
                .file_of(name, &declared.text)
                .map(|file| Place::new(&file, ""));
        }
        self.through_imports(&items, name, depth, |place, module, name, depth| {
            place.within(&[module, &[name]].concat(), depth)
        })
    }

    /// What is found behind the imports of a name.
    fn through_imports<T>(
        &self,
        items: &[Found],
        name: &str,
        depth: usize,
        find: impl Fn(&Place, &[&str], &str, usize) -> Option<T>,
    ) -> Option<T> {
        let depth = depth.checked_sub(1)?;
        let uses = items.iter().filter(|f| f.what == What::Use);
        let imported = uses.flat_map(|f| imports::of(&f.text));
        let mut imported = imported.filter(|import| !import.is_of_std());
        imported.find_map(|import| match import.name {
            "*" => find(self, &import.module, name, depth),
            own if own == name => find(self, &import.module, import.original, depth),
            _ => None,
        })
    }

    /// The file of `mod name;`, where an attribute may say which.
    fn file_of(&self, name: &str, path: &str) -> Option<PathBuf> {
        let folder = self.file.parent()?;
        if !path.is_empty() {
            return Some(folder.join(path));
        }
        let inside: PathBuf = self.inside.split("::").collect();
        let beside = folder.join(self.file.file_stem()?);
        let folders = [folder.join(&inside), beside.join(&inside)];
        let files = folders.iter().flat_map(|folder| {
            [
                folder.join(name).with_extension("rs"),
                folder.join(name).join("mod.rs"),
            ]
        });
        files.into_iter().find(|file| file.is_file())
    }

    fn parent(&self) -> Option<Place> {
        if !self.inside.is_empty() {
            let outer = self.inside.rsplit_once("::").map_or("", |(outer, _)| outer);
            return Some(Place::new(&self.file, outer));
        }
        let folder = self.file.parent()?;
        let stem = self.file.file_stem()?.to_str()?;
        let (name, folder) = match stem {
            "mod" => (folder.file_name()?.to_str()?, folder.parent()?),
            _ => (stem, folder),
        };
        let around = folder.with_extension("rs");
        let mut files = ["mod.rs", "lib.rs", "main.rs"]
            .map(|file| folder.join(file))
            .to_vec();
        files.push(around);
        let declares = |file: &PathBuf| {
            let all = read(file).unwrap_or_default();
            let mut names = all
                .iter()
                .filter(|f| f.what == What::File && f.module.is_empty());
            names.any(|f| f.name == name)
        };
        let file = files
            .into_iter()
            .find(|file| *file != self.file && declares(file))?;
        Some(Place::new(&file, ""))
    }
}

/// Whether all that see a module see what is declared like this.
pub(super) fn is_public(vis: &str) -> bool {
    vis.starts_with("pub") && vis != "pub(self)"
}

/// The root of the package's own library, which its binaries, examples and tests name.
fn library(name: &str) -> Option<Place> {
    let folder = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").ok()?);
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).ok()?;
    let section = |of: &str| {
        let inner = manifest
            .split(&format!("[{of}]"))
            .nth(1)
            .unwrap_or_default();
        inner.split("\n[").next().unwrap_or_default()
    };
    let value = |of: &str, key: &str| {
        let mut lines = section(of).lines().filter_map(|line| line.split_once('='));
        let found = lines.find(|(name, _)| name.trim() == key)?.1;
        Some(found.trim().trim_matches('"').to_owned())
    };
    let own = value("lib", "name").or_else(|| value("package", "name"))?;
    let path = value("lib", "path").unwrap_or_else(|| "src/lib.rs".to_owned());
    let file = folder.join(path);
    (own.replace('-', "_") == name && file.is_file()).then(|| Place::new(&file, ""))
}

type Read = (SystemTime, Arc<Vec<Found>>);

/// The items of a file.
pub(super) fn read(file: &Path) -> Option<Arc<Vec<Found>>> {
    static FILES: LazyLock<Mutex<HashMap<PathBuf, Read>>> = LazyLock::new(Mutex::default);
    let written = std::fs::metadata(file).and_then(|m| m.modified()).ok()?;
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((then, all)) = files.get(file)
        && *then == written
    {
        return Some(all.clone());
    }
    let text = std::fs::read_to_string(file).ok()?;
    let all = Arc::new(scan::items(&text));
    files.insert(file.to_owned(), (written, all.clone()));
    Some(all)
}
