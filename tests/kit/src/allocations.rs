//! A global allocator that counts, to test what must not allocate.
//!
//! The only place of the kit with unsafe code: the allocator's trait requires it.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static FREED: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, which counts the allocations of each thread.
///
/// # Examples
/// ```
/// use di_test::allocations::{Counting, count};
///
/// #[global_allocator]
/// static ALLOCATOR: Counting = Counting;
///
/// assert_eq!(count(|| vec![0.0; 8]).1, 1);
/// assert_eq!(count(|| [0.0; 8]).1, 0);
/// ```
pub struct Counting;

/// Runs `work`; returns its result, and how often this thread allocated or grew memory meanwhile.
///
/// Always 0 unless [`Counting`] is the global allocator.
pub fn count<R>(work: impl FnOnce() -> R) -> (R, usize) {
    let (result, allocated) = count_bytes(work);
    (result, allocated.count)
}

thread_local! {
    static ALLOWED: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Runs `work`, which takes no memory unless it is expected to, see [`taking`].
///
/// # Panics
/// If it does, and [`Counting`] is the global allocator.
#[track_caller]
pub fn without<R>(what: impl FnOnce() -> String, work: impl FnOnce() -> R) -> R {
    let (result, times) = count(work);
    match ALLOWED.get() {
        Some(before) => ALLOWED.set(Some(before + times)),
        None if times > 0 => panic!("{} took memory {times} times", what()),
        None => {}
    }
    result
}

/// Whether calls of [`without`] take memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// None does.
    #[default]
    Untouched,
    /// Some do.
    Taken,
    /// It depends: what is printed may be captured.
    Open,
}

/// Runs `work`, in which calls of [`without`] take memory of this thread as `expected`.
///
/// # Panics
/// If memory is expected to be taken and none is, although [`Counting`] is the global allocator.
#[track_caller]
pub fn taking<R>(expected: Memory, work: impl FnOnce() -> R) -> R {
    let before = ALLOWED.replace((expected != Memory::Untouched).then_some(0));
    let result = work();
    let taken = ALLOWED.replace(before);
    assert!(
        expected != Memory::Taken || taken != Some(0) || !counts(),
        "no prepared call takes memory, although it was expected to"
    );
    result
}

/// What was allocated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocated {
    /// How often.
    pub count: usize,
    /// How many bytes, together; memory that grows counts with all of its new size.
    pub bytes: usize,
    /// How many bytes were given back.
    pub freed: usize,
    /// How many bytes more than before were in use at most.
    pub peak: usize,
}

/// The same with bytes.
pub fn count_bytes<R>(work: impl FnOnce() -> R) -> (R, Allocated) {
    let (count, bytes, freed) = (COUNT.get(), BYTES.get(), FREED.get());
    let before = in_use();
    PEAK.set(before);
    let result = work();
    let allocated = Allocated {
        count: COUNT.get() - count,
        bytes: BYTES.get() - bytes,
        freed: FREED.get() - freed,
        peak: PEAK.get().wrapping_sub(before),
    };
    (result, allocated)
}

/// Is [`Counting`] the global allocator?
pub fn counts() -> bool {
    count(|| std::hint::black_box(Box::new(0_u64))).1 > 0
}

/// Bytes that this thread has, less those that it gave back for others.
fn in_use() -> usize {
    let all = BYTES.try_with(Cell::get).unwrap_or(0);
    all.wrapping_sub(FREED.try_with(Cell::get).unwrap_or(0))
}

fn note_peak() {
    let now = in_use();
    let _ = PEAK.try_with(|peak| {
        if now.wrapping_sub(peak.get()) as isize > 0 {
            peak.set(now);
        }
    });
}

fn add_one(bytes: usize) {
    // A thread that is being torn down has no counter any more; nobody asks for it either.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = BYTES.try_with(|all| all.set(all.get() + bytes));
}

fn give_back(bytes: usize) {
    let _ = FREED.try_with(|all| all.set(all.get() + bytes));
}

// SAFETY: every method hands its arguments on to the system's allocator, which keeps the contract.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add_one(layout.size());
        note_peak();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add_one(layout.size());
        note_peak();
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add_one(size);
        note_peak();
        give_back(layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        give_back(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(memory, layout) }
    }
}
