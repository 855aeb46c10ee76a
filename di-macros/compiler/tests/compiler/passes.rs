//! The passes over adjoint sweeps: where they fire, and where they must not.

use crate::programs::lower;
use di_compiler::ir::print;
use proc_macro2::TokenStream;

/// The text of both sweeps.
fn sweeps(source: &str) -> (String, String) {
    let sweeps = di_compiler::sweeps(&lower(source));
    (print::body(&sweeps.augmented), print::body(&sweeps.reverse))
}

fn reverse(source: &str) -> String {
    sweeps(source).1
}

#[test]
fn running_index_is_computed_from_the_trip() {
    let source = "fn f(x: &[f64], l0: &[f64]) -> f64 {
        let mut s = 0.0; let mut l = 0;
        for i in 0..3 { for j in 0..x.len() { s += l0[l] * x[j] * x[i]; l += 1; } }
        s
    }";
    let (augmented, _) = sweeps(source);
    assert!(!augmented.contains("ints 2"), "{augmented}");
    // a step that is not taken in each trip leaves the index to be recorded
    let source = "fn f(x: &[f64], l0: &[f64], n: usize) -> f64 {
        let mut s = 0.0; let mut l = 0;
        for j in 0..x.len() { s += l0[l] * x[j]; if j < n { l += 1; } }
        s
    }";
    assert!(sweeps(source).0.contains("ints 1"));
    // so does a second write
    let source = "fn f(x: &[f64], l0: &[f64], n: usize) -> f64 {
        let mut s = 0.0; let mut l = 0;
        for j in 0..x.len() { s += l0[l] * x[j]; l += 1; if j == n { l = 0; } }
        s
    }";
    assert!(sweeps(source).0.contains("ints 1"));
}

#[test]
fn running_index_of_a_packed_triangle_is_computed_from_the_trip() {
    let program = |rows: &str, columns: &str| {
        let source = format!(
            "fn f(x: &[f64], a: &[f64]) -> f64 {{
            let mut s = 0.0; let mut l = 0; let n = x.len();
            for i in {rows} {{ for j in {columns} {{ s += a[l] * x[j] * x[i]; l += 1; }} }}
            s
        }}"
        );
        sweeps(&source).0
    };
    for (rows, columns) in [
        ("0..n", "0..i"),
        ("0..n", "0..i + 1"),
        ("0..n", "0..=i"),
        ("0..n", "i..n"),
        ("0..n", "i + 1..n"),
        ("1..n", "0..i"),
        ("2..n", "i..n"),
        ("2..n", "1 + i..n"),
    ] {
        let augmented = program(rows, columns);
        assert!(
            !augmented.contains("ints 1"),
            "{rows} {columns}: {augmented}"
        );
    }
    // a loop that may end before it begins, or whose ends move apart by more or less than one
    for (rows, columns) in [
        ("0..n", "i + 2..n"),
        ("0..n", "i..n + 1"),
        ("0..n", "1..i"),
        ("0..n", "0..2 * i"),
        ("0..n - 1", "i..n"),
        ("(0..n).rev()", "0..i"),
    ] {
        let augmented = program(rows, columns);
        assert!(
            augmented.contains("ints 1"),
            "{rows} {columns}: {augmented}"
        );
    }
}

#[test]
fn running_index_of_a_triangle_is_a_variable_where_the_loop_runs_upwards() {
    let program = |rows: &str, columns: &str, body: &str| {
        let source = format!(
            "fn f(x: &[f64], a: &[f64]) -> f64 {{
            let mut s = 0.0; let mut l = 0; let n = x.len();
            for i in {rows} {{ for j in {columns} {{ {body} l += 1; }} }}
            s
        }}"
        );
        let (augmented, reverse) = sweeps(&source);
        (
            augmented.contains(".next: usize"),
            reverse.contains(".next: usize"),
        )
    };
    let sum = "s += a[l] * x[j];";
    for (rows, columns) in [
        ("0..n", "0..i"),
        ("0..n", "0..=i"),
        ("0..n", "i..n"),
        ("0..n", "i + 1..n"),
        ("2..n", "i..n"),
    ] {
        assert_eq!(
            program(rows, columns, sum),
            (true, true),
            "{rows} {columns}"
        );
    }
    // a product is all that an index of a rectangle needs
    assert_eq!(program("0..n", "0..n", sum), (false, false));
    // trips that depend on each other run downwards
    let product = "s = s * a[l] + x[j];";
    assert_eq!(program("0..n", "0..i", product), (true, false));
}

#[test]
fn rows_are_cut_where_all_trips_go_through_them() {
    let row = reverse(
        "fn f(x: &[f64], y: &[f64]) -> f64 {
        let mut s = 0.0; for i in 0..x.len() { s += x[i] * y[i]; } s
    }",
    );
    assert!(row.contains("view"), "{row}");
    // an element that only some trips touch may lie outside
    let some = reverse(
        "fn f(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0; for i in 0..10 { if i < n { s += x[i].sin(); } } s
    }",
    );
    assert!(!some.contains("view"), "{some}");
    // rows of a matrix, in the forward sweep too
    let rows = |index: &str| {
        let source = format!(
            "fn f(x: &[f64], y: &[f64]) -> f64 {{
            let n = y.len(); let mut s = 0.0;
            for i in 0..3 {{ for j in 0..n {{ s += (x[{index}] * y[j]).sin(); }} }}
            s
        }}"
        );
        sweeps(&source).0.matches("view").count()
    };
    assert_eq!(rows("i * n + j"), 2);
    assert_eq!(rows("(i + 1) * n - n + j"), 2);
    assert_eq!(rows("i * j"), 1);
    // two ways into an adjoint that is written to: only if they are the loop's length apart
    let mutable = |second: &str| {
        let source = format!(
            "fn f(x: &[f64], n: usize, m: usize) -> f64 {{
            let mut s = 0.0; for i in 0..n {{ s += x[i] * x[{second}]; }} s
        }}"
        );
        reverse(&source).matches("&mut @").count()
    };
    assert_eq!(mutable("n + i"), 2);
    assert_eq!(mutable("2 * n + i"), 2);
    assert_eq!(mutable("3 * n + i + 1"), 0);
    assert_eq!(mutable("m + i"), 0);
    assert_eq!(mutable("2 * i"), 0);
    let short = |distance: usize| {
        let source = format!(
            "fn f(x: &[f64]) -> f64 {{
            let mut s = 0.0; for i in 0..8 {{ s += x[i] * x[i + {distance}]; }} s
        }}"
        );
        reverse(&source).matches("&mut @").count()
    };
    assert_eq!(short(8), 2);
    assert_eq!(short(7), 0);
}

#[test]
fn sums_are_kept_in_a_variable_where_nothing_else_touches_the_element() {
    let sum = reverse(
        "fn f(x: &[f64], y: &[f64], k: usize) -> f64 {
        let mut s = 0.0; for i in 0..y.len() { s += x[k] * y[i]; } s
    }",
    );
    assert!(sum.contains(".sum: lane"), "{sum}");
    let other = reverse(
        "fn f(x: &[f64], k: usize) -> f64 {
        let mut s = 0.0; for i in 0..x.len() { s += x[k] * x[i]; } s
    }",
    );
    assert!(!other.contains(".sum: lane"), "{other}");
}

#[test]
fn neighbours_are_carried_only_where_they_are_added_to() {
    let stencil = reverse(
        "fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() - 1 { let d = x[i + 1] - x[i]; s += d * d; }
        s
    }",
    );
    assert!(stencil.contains("carried"), "{stencil}");
    let far = reverse(
        "fn f(x: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() - 9 { let d = x[i + 9] - x[i]; s += d * d; }
        s
    }",
    );
    assert!(!far.contains("carried"), "{far}");
    let guarded = reverse(
        "fn f(x: &[f64], n: usize) -> f64 {
        let mut s = 0.0;
        for i in 0..x.len() - 1 { if i < n { s += x[i + 1] * x[i]; } }
        s
    }",
    );
    assert!(!guarded.contains("carried"), "{guarded}");
}

#[test]
fn first_loops_write_to_fresh_slots_only_if_they_come_first() {
    let first = reverse(
        "fn f(x: &[f64]) -> f64 {
        let mut s = 0.0; for i in 0..x.len() { s += x[i] * x[i]; } s
    }",
    );
    assert!(first.contains("first @"), "{first}");
    let later = reverse(
        "fn f(x: &[f64]) -> f64 {
        let mut s = 0.0; for i in 0..x.len() { s += x[i] * x[i]; } s * x[0]
    }",
    );
    assert!(!later.contains(".trip] ="), "{later}");
    // each slot by itself
    let both = reverse(
        "fn f(x: &[f64], y: &[f64], #[constant] n: usize) -> f64 {
        let mut s = 0.0; for i in 0..n { s += x[i] * y[i]; } s
    }",
    );
    assert_eq!(both.matches("first @").count(), 2, "{both}");
}

#[test]
fn first_additions_outside_of_loops_are_stores() {
    let additions = |source: &str| {
        let swept = reverse(source);
        (
            swept.matches("first @").count(),
            swept.matches("acc @").count(),
        )
    };
    assert_eq!(additions("fn f(x: &[f64]) -> f64 { x[0] * x[1] }"), (2, 0));
    // what comes after other uses adds
    let called = "fn f(x: &[f64]) -> f64 { let y = x[0]; y * g(x) }";
    assert_eq!(additions(called), (0, 1));
    // nothing is known to be zero after an addition to an element that is not known
    assert_eq!(
        additions("fn f(x: &[f64], k: usize) -> f64 { let y = x[0]; y * x[k] }"),
        (0, 2)
    );
    // and in a branch it is not known what was before
    assert_eq!(
        additions("fn f(x: &[f64], k: usize) -> f64 { if k > 1 { x[0] * x[1] } else { 0.0 } }"),
        (0, 2)
    );
    // adjoints of variables begin with zero as well
    assert_eq!(
        additions("fn f(x: &[f64]) -> f64 { let mut a = [0.0; 2]; g(x, &mut a); a[0] * a[1] }"),
        (0, 0)
    );
}

#[test]
fn few_numbers_are_kept_in_the_record_and_not_on_the_tape() {
    let turned = |trips: &str, around: &str| {
        sweeps(&format!(
            "fn f(x: &[f64; 3], n: usize) -> f64 {{
                let mut y = 0.0;
                {around} {{
                    let mut a = [x[0] * x[1], x[1].sin(), x[2]];
                    g(&a, &mut y);
                    for i in 0..{trips} {{ a[i % 3] *= a[0] * a[i % 3]; }}
                    y += a[1];
                }}
                y
            }}"
        ))
        .0
    };
    let few = turned("3", "if n > 1");
    assert!(few.contains("keep [Fixed(3), Fixed(1)]"), "{few}");
    assert!(few.contains("frame fixed words 2"), "{few}");
    // many trips, or a number that is not known
    let many = turned("100", "if n > 1");
    assert!(many.contains("frame lanes words 2"), "{many}");
    let some = turned("n", "if n > 1");
    assert!(some.contains("frame lanes words 2"), "{some}");
    // in a loop the array is part of the record of the trip
    let trips = turned("3", "for _ in 0..n");
    assert!(trips.contains("keep [Fixed(3), Fixed(1)]"), "{trips}");
    assert!(trips.contains("frame lanes words 2"), "{trips}");
}

#[test]
fn loops_over_rows_write_to_fresh_matrices() {
    let matrix = |row: &str, after: &str| {
        let swept = reverse(&format!(
            "fn f(a: &[f64], #[constant] u: &[f64], #[constant] m: usize, #[constant] w: usize) -> f64 {{
                let n = u.len(); let mut s = 0.0;
                for i in 0..m {{
                    let mut z = 0.0;
                    for j in 0..n {{ z += a[{row} + j] * u[j]; }}
                    s += z.tanh(); {after}
                }}
                s
            }}"
        ));
        swept.contains("first @")
    };
    assert!(matrix("i * n", ""));
    assert!(matrix("n * i", ""));
    // rows that lie apart or overlap, or that something else is added to
    assert!(!matrix("i * w", ""));
    assert!(!matrix("i", ""));
    assert!(!matrix("i * n + 1", ""));
    assert!(!matrix("i * n", "s += a[i] * a[i];"));
}

#[test]
fn vectors_are_kept_once_after_their_last_write() {
    let call = |again: &str| {
        format!(
            "fn f(x: &[f64], n: usize) -> f64 {{
            let mut v = x.to_vec(); let mut s = 0.0;
            for i in 0..n {{ let d: f64 = dot(&v, x); s += d; {again} }}
            s
        }}"
        )
    };
    let (augmented, _) = sweeps(&call(""));
    assert!(augmented.contains("= keep @"), "{augmented}");
    let (augmented, _) = sweeps(&call("v[0] = d;"));
    assert!(!augmented.contains("= keep @"), "{augmented}");
}

/// Whether a loop with both sweeps runs in strips.
fn is_in_strips(source: &str) -> bool {
    let item = source.parse().expect("tokens");
    let code = di_compiler::differentiable(TokenStream::new(), item);
    code.to_string().contains("__terms0")
}

#[test]
fn loops_that_wait_for_a_sum_alone_run_in_strips() {
    let sum = |body: &str| {
        is_in_strips(&format!(
            "fn f(x: &[f64], #[constant] t: &[f64]) -> f64 {{
                let mut s = 0.0;
                for i in 0..t.len() {{ {body} }}
                s
            }}"
        ))
    };
    assert!(sum(
        "let d = x[i + 1] - x[i] - 1.0; s += 0.5 * t[i] * d.powi(2);"
    ));
    assert!(sum("let d = x[i] - t[i]; s -= (d * d + 0.01).sqrt();"));
    // an element that all trips read is read before them
    assert!(sum("let d = x[i] - t[7]; s += 0.5 * t[i] * d * d;"));
    let zipped = "fn f(x: &[f64], #[constant] t: &[f64]) -> f64 {
        x.iter().zip(t).map(|(x, t)| ((x - t).powi(2) + 0.01).sqrt()).sum()
    }";
    assert!(is_in_strips(zipped));
    // there is nothing else to do while an addition waits
    assert!(!sum("s += x[i] * x[i];"));
    // no vectors: a function without them, sums of adjoints, indices from elsewhere, a branch
    assert!(!sum("let d = x[i] - t[i]; s += (d * d * t[i] + d).exp();"));
    assert!(!sum(
        "let d = x[0] * t[i] + x[1] - 1.0; s += 0.5 * t[i] * d * d;"
    ));
    assert!(!sum(
        "let d = x[(3 * i) % 5] - t[i]; s += 0.5 * t[i] * d * d + d;"
    ));
    assert!(!sum(
        "let d = x[i] - t[i]; if d > 0.0 { s += 0.5 * t[i] * d * d + d; }"
    ));
    // two terms of one trip stay between those of its neighbours
    assert!(!sum(
        "let d = x[i] - t[i]; s += 0.5 * t[i] * d * d; s += 2.0 * d * d * d;"
    ));
}

#[test]
fn sums_of_adjoints_run_in_fours() {
    let fours = |trips: &str, body: &str, result: &str| {
        let source = format!(
            "fn f(x: &[f64], a: &[f64], #[constant] t: &[f64]) -> f64 {{
                let n = t.len();
                let mut y = vec![0.0; n];
                for j in 0..x.len() {{ for i in {trips} {{ {body} }} }}
                {result}
            }}"
        );
        let code = di_compiler::differentiable(TokenStream::new(), source.parse().expect("tokens"));
        code.to_string().contains("__fours")
    };
    let result = "y[0] * y[1]";
    assert!(fours("0..n", "y[i] += t[i] * x[j];", result));
    assert!(fours("j..n", "y[i] -= a[i] * x[j];", result));
    // few trips, a function without vectors, a branch, an element of another trip, no sum
    assert!(!fours("0..4", "y[i] += t[i] * x[j];", result));
    assert!(!fours("0..n", "y[i] += (t[i] * x[j]).exp();", result));
    assert!(!fours("0..n", "if i > 3 { y[i] += t[i] * x[j]; }", result));
    assert!(!fours("0..n", "y[i] += a[(3 * i) % n] * x[j];", result));
    assert!(!fours("0..n", "y[i] += a[i] * t[j];", result));
    // the code of both sweeps goes through it trip by trip, and gives the same bits
    let both = "let mut s = 0.0; for i in 0..n { s += a[0] * t[i]; } s";
    assert!(!fours("0..n", "y[i] += a[i] * t[j];", both));
}

#[test]
fn adjoints_of_results_do_not_vary_until_they_meet_a_number() {
    let products = |body: &str| {
        let source = format!("fn f(x: &[f64]) -> f64 {{ {body} }}");
        let code = di_compiler::differentiable(TokenStream::new(), source.parse().expect("tokens"));
        let code = code.to_string().replace(' ', "");
        let reverse = &code[code.find("fn__reverse").expect("a reverse sweep")..];
        let reverse = &reverse[..reverse.find("fn__fused").unwrap_or(reverse.len())];
        (
            reverse.matches("::scale_by::<").count(),
            reverse.matches(".scale(").count(),
        )
    };
    // by both factors
    assert_eq!(products("3.0 * x[0] * x[1]"), (2, 0));
    // what is multiplied once more varies
    assert_eq!(products("x[0] * x[1] * x[2]"), (2, 2));
    // a variable that nothing else is added to, and one that has something else in it
    assert_eq!(
        products("let mut s = 0.0; for v in x { s += v * v; } s"),
        (1, 0)
    );
    let mixed = "let mut s = 0.0; for v in x { s += v * v; } let r = s * x[0]; r + s";
    assert_eq!(products(mixed), (2, 1));
}

#[test]
fn differences_negate_nothing() {
    let negations = |body: &str| {
        let swept = reverse(&format!("fn f(x: &[f64]) -> f64 {{ {body} }}"));
        swept.matches(": lane = -").count()
    };
    assert_eq!(negations("let d = x[1] - x[0] * x[0]; d * d"), 0);
    assert_eq!(
        negations("let d = x[1] - (x[0] - x[2]).sin(); d * d + x[0]"),
        0
    );
    // neither do sums of such adjoints, on the way through a product
    let twice = "let y = x[0] * x[2]; let (a, b) = (x[1] - y * y, 1.0 - y); a * a + b * b";
    assert_eq!(negations(twice), 0);
    // a sum that is written to an element has the sign of its zero
    let carried = "let mut s = 0.0;
        for i in 1..x.len() { let a = x[i] - x[i - 1].powi(2); let b = 1.0 - x[i - 1]; s += a * a + b * b; }
        s";
    assert_eq!(negations(carried), 0);
    // a call takes it
    let called = "let d = x[1] - g(x[0]); d * d";
    assert_eq!(negations(called), 1);
}

#[test]
fn elements_that_all_trips_add_to_are_summed_in_variables() {
    let source = "fn f(p: &[f64], t: &[f64]) -> f64 {
        let mut s = 0.0;
        for i in 0..t.len() { s += p[0] * t[i] * t[i] + p[1] * t[i] + p[2]; }
        s
    }";
    let swept = reverse(source);
    assert_eq!(swept.matches(".sum: lane").count(), 3, "{swept}");
    // of an element that is not always added to it is not known that there is one
    let source = source
        .replace("+ p[2]", "")
        .replace("s +=", "if t[i] > 0.0 { s += p[2]; } s +=");
    let swept = reverse(&source);
    assert_eq!(swept.matches(".sum: lane").count(), 0, "{swept}");
}

/// Statements of an adjoint sweep that set an adjoint to zero.
fn clears(reverse: &str) -> usize {
    let zeros: Vec<&str> = reverse
        .lines()
        .filter_map(|line| line.trim().strip_suffix(": lane = lane zero"))
        .collect();
    let store = |line: &&str| {
        let value = line
            .trim()
            .strip_prefix("store ")
            .and_then(|line| line.split_once(" = "));
        value.is_some_and(|(_, value)| zeros.contains(&value))
    };
    reverse.lines().filter(store).count()
}

#[test]
fn adjoint_of_a_local_vector_is_written_first_and_left_as_it_is() {
    let program = |read: &str| {
        reverse(&format!(
            "fn f(x: &[f64], k: usize) -> f64 {{
            let n = x.len();
            let mut v = vec![0.0; n];
            for i in 0..n {{ v[i] = x[i] * x[i]; }}
            let mut s = 0.0;
            {read}
            s
        }}"
        ))
    };
    for read in [
        "for i in 0..n { s += v[i] * x[i]; }",
        "for i in 0..n { s -= v[i] * v[i]; }",
        "for i in 0..n { s += v[i].sin(); }",
    ] {
        let found = program(read);
        assert!(found.contains("any times"), "{read}: {found}");
        assert_eq!(clears(&found), 0, "{read}: {found}");
    }
    // elements that the first loop does not reach, reaches in some trips, twice or in another order of loops
    for read in [
        "for i in 1..n { s += v[i] * x[i]; }",
        "for i in 0..k { s += v[i] * x[i]; }",
        "for i in 0..n { if i < k { s += v[i] * x[i]; } }",
        "for i in 0..n - 1 { s += v[i] * v[i + 1]; }",
        "for i in 0..n { s += v[(i * k) % n] * x[i]; }",
        "for j in 0..k { for i in 0..n { s += v[i] * x[j]; } }",
    ] {
        let found = program(read);
        assert!(!found.contains("any times"), "{read}: {found}");
    }
    // here an element's adjoint is taken twice
    let twice = "for i in 0..n { v[i] = v[i].sin(); } for i in 0..n { s += v[i]; }";
    assert!(program(twice).contains("any times"));
    let stays = "fn f(x: &[f64], k: usize) -> f64 {
        let n = x.len();
        let mut v = vec![0.0; n];
        for i in 0..n { v[(i * k) % n] = x[i] * x[i]; }
        let mut s = 0.0;
        for i in 0..n { s += v[i]; }
        s
    }";
    assert_eq!(clears(&reverse(stays)), 1);
}

#[test]
fn vector_whose_elements_a_loop_stores_begins_with_anything() {
    let begins = |write: &str| {
        let source = format!(
            "fn f(x: &[f64], k: usize) -> f64 {{
            let n = x.len();
            let mut v = vec![0.0; n];
            {write}
            let mut s = 0.0;
            for i in 0..n {{ s += v[i].sin(); }}
            s
        }}"
        );
        sweeps(&source).0.contains("any times")
    };
    assert!(begins("for i in 0..n { v[i] = x[i] * x[i]; }"));
    assert!(begins("for i in 0..n { v[i] = x[i]; v[i] *= v[i]; }"));
    for write in [
        "for i in 1..n { v[i] = x[i]; }",
        "for i in 0..n { if i < k { v[i] = x[i]; } }",
        "for i in 0..n { if i == k { break; } v[i] = x[i]; }",
        "for i in 0..n { v[i] += x[i]; }",
        "for i in 0..n { v[i] = x[i] + v[(i * k) % n]; }",
        "for i in 0..n { v[(i * k) % n] = x[i]; }",
        "let t = v[0]; for i in 0..n { v[i] = x[i] + t; }",
    ] {
        assert!(!begins(write), "{write}");
    }
}

#[test]
fn what_is_set_to_zero_and_added_to_is_written() {
    let found = reverse("fn f(v: &mut [f64]) { for i in 0..v.len() { v[i] = v[i] * v[i]; } }");
    assert_eq!(clears(&found), 0, "{found}");
    assert!(!found.contains("acc "), "{found}");
    // what is added to another element may be added to this one
    let other = "fn f(v: &mut [f64], k: usize) {
        for i in 0..v.len() { v[i] = v[i] * v[(i * k) % v.len()]; }
    }";
    let found = reverse(other);
    assert!(
        clears(&found) + found.matches("acc ").count() >= 2,
        "{found}"
    );
}
