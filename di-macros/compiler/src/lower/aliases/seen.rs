//! What the modules of a file see. Each annotated item of a module asks for it, so it is kept as long as the file is not
//! written anew.

use super::scan::{self, Found};
use super::{imports, innermost_of, modules};
use crate::lower::resized::Resized;
use proc_macro2::{LineColumn, Span};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// What a file says.
struct File {
    written: SystemTime,
    /// With the aliases that its modules import.
    items: Vec<Found>,
    /// What each of its modules sees, by where that begins.
    seen: Mutex<HashMap<LineColumn, Arc<Seen>>>,
}

/// What a module sees. All that stands in it sees the same, so it is found once.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) items: Vec<Found>,
    pub(super) resized: OnceLock<Resized>,
}

/// What stands in the file of a token.
fn file_of(at: Span) -> Option<Arc<File>> {
    static FILES: LazyLock<Mutex<HashMap<PathBuf, Arc<File>>>> = LazyLock::new(Mutex::default);
    let path = at.local_file()?;
    let written = std::fs::metadata(&path).and_then(|m| m.modified()).ok()?;
    let mut files = FILES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(file) = files.get(&path)
        && file.written == written
    {
        return Some(file.clone());
    }
    let mut items = modules::read(&path)?.to_vec();
    items.extend(imports::imported(&path, &items));
    let seen = Mutex::default();
    let file = Arc::new(File {
        written,
        items,
        seen,
    });
    files.insert(path, file.clone());
    Some(file)
}

/// What stands in the modules around a token, and the aliases that these import; of annotated functions those that
/// cannot answer for themselves.
pub(super) fn seen_at(at: Span) -> Arc<Seen> {
    let Some(file) = file_of(at) else {
        return Arc::default();
    };
    let place = at.start();
    let around = file.items.iter().filter(|f| f.lines.contains(&place));
    let begin = *innermost_of(around).start();
    let mut seen = file.seen.lock().unwrap_or_else(PoisonError::into_inner);
    let of_module = seen.entry(begin).or_insert_with(|| {
        Arc::new(Seen {
            items: scan::seen_from(&file.items, place),
            resized: OnceLock::new(),
        })
    });
    of_module.clone()
}
