//! Tapes and pools: growth, reuse without allocation, many sweeps over one tape.

use di_runtime::generated::{Cursor, Pool, Stack, Tape};

#[test]
fn blocks_are_stacked_and_kept_through_growth() {
    let mut stack = Stack::<f64>::new();
    let base = stack.mark();
    stack.block(3).copy_from_slice(&[1.0, 2.0, 3.0]);
    for i in 0..1000 {
        stack.push(f64::from(i));
    }
    stack.push_slice(&[7.0, 8.0]);
    stack.block_at(base, 3)[1] = 20.0;
    assert_eq!(stack.read(base, 3), [1.0, 20.0, 3.0]);
    assert_eq!(stack.read(1002, 3), [999.0, 7.0, 8.0]);
    assert_eq!(stack.mark(), 1005);
    stack.truncate(3);
    assert_eq!(stack.block(0), []);
    assert_eq!(stack.mark(), 3);
}

#[test]
fn a_reset_tape_is_reused_where_it_is() {
    let mut stack = Stack::<usize>::new();
    stack.block(100).fill(1);
    let place = stack.block_at(0, 1).as_ptr();
    for _ in 0..3 {
        stack.reset();
        assert_eq!(stack.block(60).as_ptr(), place);
        stack.block(40);
    }
    let mut reserved = Stack::<f64>::new();
    reserved.reserve(10);
    let place = reserved.block(1).as_ptr();
    assert_eq!(reserved.block(9).as_ptr(), place.wrapping_add(1));
}

#[test]
#[should_panic(expected = "a mark of 4 on a tape of 3")]
fn marks_are_checked() {
    let mut stack = Stack::<f64>::new();
    stack.block(3);
    stack.truncate(4);
}

#[test]
fn cursors_go_down_independently() {
    let mut tape = Tape::<f64>::new();
    tape.words.push_slice(&[1.0, 2.0]);
    tape.ints.push(5);
    tape.words.push_slice(&[3.0]);
    let sweep = |mut cursor: Cursor| {
        assert_eq!(cursor.words(&tape, 1), [3.0]);
        assert_eq!(cursor.ints(&tape, 1), [5]);
        assert_eq!(cursor.words(&tape, 2), [1.0, 2.0]);
        assert_eq!(cursor, Cursor { words: 0, ints: 0 });
    };
    sweep(tape.cursor());
    sweep(tape.cursor());
    tape.reset();
    assert_eq!(tape.cursor(), Cursor { words: 0, ints: 0 });
}

#[test]
fn vectors_come_filled_from_the_pool() {
    let mut pool = Pool::new();
    let mut v = pool.take(4, 2.0);
    assert_eq!(v, [2.0; 4]);
    v.push(9.0);
    pool.give(v);
    assert_eq!(pool.take(5, 0.5), [0.5; 5]);
    assert_eq!(pool.take_copy(&[1.0, 2.0]), [1.0, 2.0]);
    assert_eq!(pool.take_map(&[1, 2], |k| k * k), [1, 4]);
    assert_eq!(pool.take(0, 1.0), []);
    assert!(pool.take_empty::<usize>(3).is_empty());
}

/// One run of a program with two vectors, given back in the order they were taken.
fn run(pool: &mut Pool) -> [*const [f64; 2]; 2] {
    let (mut large, small) = (pool.take(1000, [0.0; 2]), pool.take(10, [0.0; 2]));
    assert!(large.iter().chain(&small).all(|a| *a == [0.0; 2]));
    large[500] = [1.0, 2.0];
    let places = [large.as_ptr(), small.as_ptr()];
    pool.give(large);
    pool.give(small);
    places
}

#[test]
fn the_second_run_takes_the_buffers_of_the_first() {
    let mut pool = Pool::new();
    let first = run(&mut pool);
    assert_eq!(run(&mut pool), first);
    assert_eq!(run(&mut pool), first);
}

#[test]
fn a_dirty_vector_has_the_length_asked_for() {
    let mut pool = Pool::new();
    for (n, m) in [(10, 4), (4, 10), (0, 3)] {
        let v = pool.take(n, 0.0);
        pool.give(v);
        let dirty = pool.take_dirty(m, 0.0);
        assert_eq!(dirty.len(), m);
        pool.give(dirty);
    }
    let mut v = pool.take_dirty(10, 0.0);
    v.fill(1.0);
    pool.give(v);
    assert_eq!(pool.take(10, 0.0), [0.0; 10]);
}

#[test]
fn each_type_has_its_buffers() {
    let mut pool = Pool::new();
    for _ in 0..3 {
        let (a, b) = (pool.take(3, 1.0_f64), pool.take(3, 7_usize));
        let c = pool.take(2, [0.5_f64; 2]);
        assert_eq!(
            (&a[..], &b[..], &c[..]),
            (&[1.0; 3][..], &[7; 3][..], &[[0.5; 2]; 2][..])
        );
        pool.give(c);
        pool.give(b);
        pool.give(a);
    }
}

#[test]
fn what_was_not_taken_does_not_fill_the_pool() {
    let mut pool = Pool::new();
    let mine = pool.take(3, 1.0);
    pool.give(mine);
    pool.give(vec![1.0; 1000]);
    let (mine, other) = (pool.take(3, 0.0), pool.take(3, 0.0));
    assert!(mine.capacity() < 1000 && other.capacity() < 1000);
}

#[test]
fn vectors_that_grow_find_the_room_they_had() {
    let mut pool = Pool::new();
    let mut places = Vec::new();
    for _ in 0..3 {
        let (mut few, mut many) = (pool.take_growing::<f64>(), pool.take_growing::<f64>());
        few.push(1.0);
        (0..100).for_each(|_| many.push(2.0));
        places.push((few.as_ptr(), many.as_ptr()));
        pool.give_growing(many);
        pool.give_growing(few);
    }
    assert_eq!(places[1], places[2]);
    assert_eq!(places[0], places[1]);
}
