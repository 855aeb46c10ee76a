//! Colorings against their definitions and against known counts.

use super::samples::{Random, arrow, brusselator, grid, rectangular, symmetric};
use crate::color::{acyclic, check, distance2, star};
use crate::graph::Graph;
use crate::order::{Distance2, Order};
use crate::{
    Coloring, ColoringAlgorithm, Error, Given, Greedy, NEUTRAL, OnePerLine, Pattern, Structured,
};

fn orders() -> impl Iterator<Item = Order> {
    Order::ALL.into_iter().chain([Order::Random(5)])
}

fn neighbors(graph: &Graph) -> Vec<Vec<usize>> {
    let all = |v| {
        graph
            .neighbors(v)
            .iter()
            .map(|(w, _)| *w as usize)
            .collect()
    };
    (0..graph.len() as u32).map(all).collect()
}

#[test]
fn distance2_colorings_are_valid_and_do_not_depend_on_what_is_heavy() {
    let mut random = Random::new(21);
    for _ in 0..1000 {
        let pattern = rectangular(&mut random, 20);
        let lines = pattern.transpose();
        for order in orders() {
            let greedy = Greedy::new().orders([order]);
            let columns = greedy.columns(&pattern).unwrap();
            assert!(check::columns_are_orthogonal(
                &pattern,
                columns.column_colors()
            ));
            let rows = greedy.rows(&pattern).unwrap();
            assert!(check::rows_are_orthogonal(&pattern, rows.row_colors()));
            let order = order.of(&Distance2 {
                lines: &lines,
                crossing: &pattern,
            });
            let scanned = distance2::first_fit(&lines, &pattern, &order, 100);
            let remembered = distance2::first_fit(&lines, &pattern, &order, 2);
            assert_eq!(scanned, remembered);
        }
    }
}

/// Slow, for tests: the first color that no line before it has that meets it somewhere.
fn first_fit_by_definition(lines: &Pattern, order: &[u32]) -> Vec<u32> {
    let mut colors = vec![NEUTRAL; lines.shape().0];
    for &v in order {
        let row = lines.row(v as usize);
        let meets = |w: usize| lines.row(w).iter().any(|i| row.contains(i));
        let others = (0..colors.len()).filter(|w| colors[*w] != NEUTRAL && meets(*w));
        let taken: Vec<u32> = others.map(|w| colors[w]).collect();
        colors[v as usize] = (0..).find(|color| !taken.contains(color)).unwrap();
    }
    colors
}

#[test]
fn colors_are_the_first_that_fit_also_where_there_are_many() {
    let mut random = Random::new(23);
    let mut most = 0;
    for round in 0..12 {
        // a few full rows and many short ones
        let (n, m) = (150 + 20 * round, 60);
        let mut entries = Vec::new();
        for i in 0..m {
            let length = if i < 3 {
                60 + random.below(n - 60)
            } else {
                1 + random.below(12)
            };
            entries.extend((0..length).map(|_| (i, random.below(n))));
        }
        let pattern = Pattern::from_entries((m, n), entries).unwrap();
        let lines = pattern.transpose();
        for order in orders() {
            let order = order.of(&Distance2 {
                lines: &lines,
                crossing: &pattern,
            });
            let expected = first_fit_by_definition(&lines, &order);
            most = most.max(expected.iter().copied().max().unwrap());
            for heavy in [2, 20, 80, 1000] {
                let found = distance2::first_fit(&lines, &pattern, &order, heavy);
                assert_eq!(found, expected, "round {round}, heavy above {heavy}");
            }
        }
    }
    assert!(most > 128, "more colors than two words have bits");
}

#[test]
fn star_colorings_are_valid_and_do_not_depend_on_what_is_heavy() {
    let mut random = Random::new(22);
    for _ in 0..1000 {
        let pattern = symmetric(&mut random, 18);
        let graph = Graph::of_symmetric(&pattern).unwrap();
        let neighbors = neighbors(&graph);
        for order in orders() {
            let order = order.of(&graph);
            let stars = star::star(&graph, Some(&order), 100);
            assert!(check::is_star_coloring(&neighbors, &stars.colors));
            let remembered = star::star(&graph, Some(&order), 2);
            assert_eq!(stars.colors, remembered.colors);
            assert_eq!(stars.hubs, remembered.hubs);
        }
    }
}

#[test]
fn acyclic_colorings_are_valid_and_do_not_depend_on_what_is_heavy() {
    let mut random = Random::new(23);
    for _ in 0..1000 {
        let pattern = symmetric(&mut random, 18);
        let graph = Graph::of_symmetric(&pattern).unwrap();
        let neighbors = neighbors(&graph);
        for order in orders() {
            let order = order.of(&graph);
            let trees = acyclic::acyclic(&graph, Some(&order), 100);
            assert!(check::is_acyclic_coloring(&neighbors, &trees.colors));
            let remembered = acyclic::acyclic(&graph, Some(&order), 2);
            assert_eq!(trees.colors, remembered.colors);
        }
    }
}

#[test]
fn entries_of_direct_colorings_stand_alone() {
    let mut random = Random::new(24);
    for _ in 0..500 {
        let pattern = symmetric(&mut random, 18);
        let jacobian = rectangular(&mut random, 18);
        for order in orders() {
            let greedy = Greedy::new().orders([order]);
            let coloring = greedy.symmetric(&pattern).unwrap();
            let colors = coloring.column_colors();
            assert!(check::symmetric_entries_stand_alone(&pattern, colors));
            assert!(Given::columns(colors.to_vec()).symmetric(&pattern).is_ok());
            for greedy in [greedy.clone(), greedy.only_stars()] {
                let coloring = greedy.bidirectional(&jacobian).unwrap();
                check_bidirectional(&jacobian, &coloring);
            }
        }
    }
}

fn check_bidirectional(pattern: &Pattern, coloring: &Coloring) {
    let (m, n) = pattern.shape();
    let filled = |colors: &[u32], length| match colors {
        [] => vec![NEUTRAL; length],
        colors => colors.to_vec(),
    };
    let columns = filled(coloring.column_colors(), n);
    let rows = filled(coloring.row_colors(), m);
    assert!(check::entries_stand_alone(pattern, &columns, &rows));
    assert!(Given::both(columns, rows).bidirectional(pattern).is_ok());
}

#[test]
fn neutral_colors_are_never_more() {
    let mut random = Random::new(25);
    for round in 0..500 {
        let pattern = symmetric(&mut random, 18);
        let jacobian = rectangular(&mut random, 18);
        let greedy = Greedy::new().orders([Order::ALL[round % 5]]).only_stars();
        for greedy in [greedy.clone(), greedy.substitution()] {
            let all = greedy.clone().neutral(false);
            let count = |greedy: &Greedy| greedy.symmetric(&pattern).unwrap().ncolors();
            assert!(count(&greedy) <= count(&all));
            let count = |greedy: &Greedy| greedy.bidirectional(&jacobian).unwrap().ncolors();
            assert!(count(&greedy) <= count(&all));
        }
    }
}

#[test]
fn several_orders_are_never_worse_than_the_first() {
    let mut random = Random::new(26);
    for _ in 0..200 {
        let pattern = symmetric(&mut random, 24);
        let one = Greedy::new().orders([Order::Natural]);
        let all = Greedy::new().orders(Order::ALL);
        let count = |greedy: &Greedy| greedy.symmetric(&pattern).unwrap().ncolors();
        assert!(count(&all) <= count(&one));
        let count = |greedy: &Greedy| greedy.columns(&pattern).unwrap().ncolors();
        assert!(count(&all) <= count(&one));
    }
}

/// Colors in natural order: by columns, star, acyclic, as ColPack 1.0.10 has them.
#[test]
fn natural_order_has_the_colors_of_colpack() {
    let banded = |n| Pattern::banded((n, n), 1, 1).unwrap();
    for (name, pattern, expected) in [
        ("tridiagonal", banded(1000), [3, 3, 2]),
        ("2d, 5 points", grid(&[100, 100], false), [7, 5, 4]),
        ("2d, 9 points", grid(&[333, 333], true), [9, 12, 6]),
        ("3d, 7 points", grid(&[52, 52, 52], false), [13, 11, 7]),
        ("arrow", arrow(1000), [1000, 2, 2]),
        ("brusselator 32", brusselator(32), [12, 9, 6]),
        ("brusselator 128", brusselator(128), [12, 9, 6]),
    ] {
        let natural = Greedy::new().orders([Order::Natural]).neutral(false);
        let stars = natural.clone().only_stars();
        let found = [
            natural.columns(&pattern).unwrap().ncolors(),
            stars.symmetric(&pattern).unwrap().ncolors(),
            stars.substitution().symmetric(&pattern).unwrap().ncolors(),
        ];
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn nine_point_grids_are_colored_by_columns() {
    let pattern = grid(&[60, 60], true);
    assert_eq!(Greedy::new().symmetric(&pattern).unwrap().ncolors(), 9);
}

#[test]
fn arrows_need_few_colors_in_both_directions() {
    for n in [3, 10, 100] {
        let greedy = Greedy::new();
        let coloring = greedy.bidirectional(&arrow(n)).unwrap();
        assert!(coloring.ncolors() <= 3, "{n}: {}", coloring.ncolors());
        let coloring = greedy.substitution().bidirectional(&arrow(n)).unwrap();
        assert!(coloring.ncolors() <= 3, "{n}: {}", coloring.ncolors());
        assert_eq!(Greedy::new().columns(&arrow(n)).unwrap().ncolors(), n);
        assert_eq!(Greedy::new().rows(&arrow(n)).unwrap().ncolors(), n);
    }
}

#[test]
fn given_colors_are_verified() {
    let pattern = Pattern::banded((4, 4), 1, 1).unwrap();
    assert!(Given::columns([0, 1, 2, 0]).columns(&pattern).is_ok());
    let entry = |result: Result<Coloring, Error>| match result {
        Err(Error::Coloring { entry, .. }) => entry,
        other => panic!("{other:?}"),
    };
    assert_eq!(
        entry(Given::columns([0, 1, 0, 1]).columns(&pattern)),
        (1, 0)
    );
    assert_eq!(
        entry(Given::columns([0, 1, NEUTRAL, 2]).columns(&pattern)),
        (1, 2)
    );
    assert_eq!(
        entry(Given::columns([0, 1, 0, 1]).symmetric(&pattern)),
        (1, 2)
    );
    let short = Given::columns([0, 1, 2]).columns(&pattern);
    assert!(matches!(short, Err(Error::Length { .. })));
    let large = Given::columns([0, 1, 2, 4]).columns(&pattern);
    assert!(matches!(large, Err(Error::Length { .. })));
}

#[test]
fn structures_tell_their_colors() {
    for (structure, pattern, expected) in [
        (Structured::Diagonal, Pattern::diagonal(9).unwrap(), 1),
        (
            Structured::Banded { lower: 2, upper: 1 },
            Pattern::banded((9, 9), 2, 1).unwrap(),
            4,
        ),
        (
            Structured::Blocks {
                rows: 3,
                columns: 3,
            },
            Pattern::blocks(&[3, 3, 3]).unwrap(),
            3,
        ),
    ] {
        let columns = structure.columns(&pattern).unwrap();
        assert_eq!(columns.ncolors(), expected);
        assert!(check::columns_are_orthogonal(
            &pattern,
            columns.column_colors()
        ));
        let rows = structure.rows(&pattern).unwrap();
        assert!(check::rows_are_orthogonal(&pattern, rows.row_colors()));
        assert_eq!(
            structure.bidirectional(&pattern).unwrap().ncolors(),
            expected
        );
    }
    let band = Structured::Banded { lower: 1, upper: 1 };
    let symmetric = band.symmetric(&Pattern::banded((9, 9), 1, 1).unwrap());
    assert_eq!(symmetric.unwrap().ncolors(), 3);
    let wider = band.columns(&Pattern::banded((9, 9), 0, 2).unwrap());
    assert!(matches!(wider, Err(Error::Structure { entry: (0, 2), .. })));
}

#[test]
fn one_color_for_each_line_is_no_compression() {
    let pattern = Pattern::banded((5, 7), 0, 2).unwrap();
    assert_eq!(OnePerLine.columns(&pattern).unwrap().ncolors(), 7);
    assert_eq!(OnePerLine.rows(&pattern).unwrap().ncolors(), 5);
    assert_eq!(OnePerLine.bidirectional(&pattern).unwrap().ncolors(), 5);
}

#[test]
fn groups_list_each_line_once() {
    let coloring = Greedy::new().bidirectional(&arrow(20)).unwrap();
    for (groups, colors) in [
        (coloring.column_groups(), coloring.column_colors()),
        (coloring.row_groups(), coloring.row_colors()),
    ] {
        let seeded = colors.iter().filter(|color| **color != NEUTRAL).count();
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), seeded);
        for (color, group) in groups.iter().enumerate() {
            assert!(group.iter().all(|line| colors[*line] as usize == color));
        }
    }
}

#[test]
fn empty_patterns_have_no_colors_that_are_read() {
    for shape in [(0, 0), (0, 4), (4, 0), (3, 3)] {
        let pattern = Pattern::from_entries(shape, []).unwrap();
        let greedy = Greedy::new();
        assert_eq!(greedy.bidirectional(&pattern).unwrap().ncolors(), 0);
        assert!(greedy.columns(&pattern).is_ok() && greedy.rows(&pattern).is_ok());
        if shape.0 == shape.1 {
            assert_eq!(greedy.symmetric(&pattern).unwrap().ncolors(), 0);
        }
    }
}
