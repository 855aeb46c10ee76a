//! Texts as numbers, for tapes and for values without floats that are numbers: those of their places in tables.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All texts of the program that had a number once.
static FIXED: Mutex<(BTreeMap<&'static str, u32>, Vec<&'static str>)> =
    Mutex::new((BTreeMap::new(), Vec::new()));

/// How many texts that a program has made are kept.
const KEPT: u32 = 1 << 16;

/// The latest of these, each with its number.
static OWNED: Mutex<(u32, Vec<(u32, String)>)> = Mutex::new((0, Vec::new()));

fn lock<T>(table: &'static Mutex<T>) -> MutexGuard<'static, T> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The number of a text of the program, or of one that lives elsewhere; equal texts have one number.
pub fn fixed(text: &str) -> u32 {
    let (numbers, all) = &mut *lock(&FIXED);
    if let Some(number) = numbers.get(text) {
        return *number;
    }
    // once for each text, as long as the program runs
    let text: &'static str = Box::leak(text.into());
    let number = u32::try_from(all.len()).expect("fewer than 2^32 texts");
    all.push(text);
    numbers.insert(text, number);
    number
}

/// The text with this number; before there is one, an empty text.
pub fn fixed_at(number: u32) -> &'static str {
    lock(&FIXED)
        .1
        .get(number as usize)
        .copied()
        .unwrap_or_default()
}

/// The number of a text that was made.
pub fn owned(text: &str) -> u32 {
    let (last, all) = &mut *lock(&OWNED);
    *last = last.wrapping_add(1).max(1);
    let new = (*last, text.to_owned());
    match all.get_mut((*last % KEPT) as usize) {
        Some(oldest) => *oldest = new,
        None => {
            all.resize((*last % KEPT) as usize, (0, String::new()));
            all.push(new);
        }
    }
    *last
}

/// The text with this number; of zero an empty text.
pub fn owned_at(number: u32) -> String {
    if number == 0 {
        return String::new();
    }
    let all = lock(&OWNED);
    let found = all.1.get((number % KEPT) as usize);
    match found.filter(|(own, _)| *own == number) {
        Some((_, text)) => text.clone(),
        None => {
            panic!("a derivative keeps the last {KEPT} texts that values of enums and structs hold")
        }
    }
}
