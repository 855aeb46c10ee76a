//! Where the snapshots of a loop are whose trips are not recorded.

/// Trips from one snapshot to the next, so that there are about as many snapshots as trips between
/// two of them: the least memory for one more run of the loop (Griewank 1992).
#[inline]
pub fn period(trips: usize) -> usize {
    let root = trips.isqrt();
    if root * root < trips {
        root + 1
    } else {
        root.max(1)
    }
}

/// How far the loop runs from its first snapshot to the next one, where `trips` are to be reversed
/// and there are `snapshots`, the first one counted: the fewest trips are run again (Griewank,
/// Walther 2000, Algorithm 799, by the binomial coefficients of its section 2).
pub fn split(trips: usize, snapshots: usize) -> usize {
    if trips <= 1 || snapshots <= 1 {
        return trips;
    }
    // the fewest repetitions with which so many trips can be reversed
    let mut repetitions = 1;
    while reach(snapshots, repetitions) < trips {
        repetitions += 1;
    }
    let left = reach(snapshots, repetitions - 1);
    let right = reach(snapshots - 1, repetitions - 1);
    left.min(trips - right).max(1)
}

/// How many trips can be reversed with `s` snapshots and `r` repetitions: `(s + r)! / (s! r!)`.
fn reach(s: usize, r: usize) -> usize {
    let mut n: usize = 1;
    for k in 1..=r.min(s) {
        let next = n.checked_mul(s.max(r) + k);
        match next {
            Some(product) => n = product / k,
            None => return usize::MAX,
        }
    }
    n
}

#[cfg(test)]
mod tests {
    use super::{period, reach, split};

    /// Trips run forward to reverse `l` with `s` snapshots, by this rule.
    fn cost(l: usize, s: usize) -> usize {
        if l <= 1 {
            return 0;
        }
        if s == 1 {
            return l * (l - 1) / 2;
        }
        let m = split(l, s);
        m + cost(l - m, s - 1) + cost(m, s)
    }

    /// The fewest, by trying all.
    fn least(
        l: usize,
        s: usize,
        known: &mut std::collections::HashMap<(usize, usize), usize>,
    ) -> usize {
        if l <= 1 {
            return 0;
        }
        if s == 1 {
            return l * (l - 1) / 2;
        }
        if let Some(cost) = known.get(&(l, s)) {
            return *cost;
        }
        let best = (1..l)
            .map(|m| m + least(l - m, s - 1, known) + least(m, s, known))
            .min()
            .expect("at least one way");
        known.insert((l, s), best);
        best
    }

    #[test]
    fn binomial_snapshots_run_the_fewest_trips_again() {
        let mut known = std::collections::HashMap::new();
        for l in 0..60 {
            for s in 1..7 {
                assert_eq!(
                    cost(l, s),
                    least(l, s, &mut known),
                    "{l} trips, {s} snapshots"
                );
            }
        }
    }

    #[test]
    fn roots_and_binomial_coefficients() {
        assert_eq!([0, 1, 2, 4, 5, 9, 100].map(period), [1, 1, 2, 2, 3, 3, 10]);
        assert_eq!(
            (reach(3, 0), reach(3, 1), reach(3, 2), reach(2, 4)),
            (1, 4, 10, 15)
        );
        assert_eq!(reach(60, 60), usize::MAX);
    }
}
