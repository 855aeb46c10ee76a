//! Collections that change anywhere: queues, sets and heaps.

use di::prelude::*;
use di_test::scalar;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashSet, VecDeque};

const POINTS: [&[f64]; 3] = [
    &[0.31, 0.72, 0.15, 0.55, 1.2],
    &[0.85, 0.44, 0.52, 0.91, 0.3],
    &[0.05, 0.93, 0.64, 0.27, 0.8],
];

const EDGES: [&[usize]; 5] = [&[1, 2], &[3], &[3, 4], &[4, 0], &[]];

#[differentiable]
fn reached(x: &[f64], #[constant] edges: &[&[usize]]) -> f64 {
    let mut queue = VecDeque::from([0]);
    let mut seen = HashSet::new();
    let (mut total, mut weight) = (0.0, 1.0);
    while let Some(i) = queue.pop_front() {
        if !seen.insert(i) {
            continue;
        }
        total += x[i] * x[i] * weight;
        weight *= 0.9 * x[0].sin();
        for &j in edges[i] {
            queue.push_back(j);
        }
    }
    total + seen.len() as f64 * x[1]
}

#[test]
fn queues_and_sets_of_a_search() {
    scalar!(reached::AD.with(&EDGES), |x: &[f64]| reached(x, &EDGES))
        .row(490)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn shortest(x: &[f64], #[constant] edges: &[&[usize]]) -> f64 {
    let mut heap = BinaryHeap::new();
    let mut dist = vec![u32::MAX; 5];
    dist[0] = 0;
    heap.push(Reverse((0u32, 0usize)));
    let mut cost = 0.0;
    while let Some(Reverse((d, i))) = heap.pop() {
        if d > dist[i] {
            continue;
        }
        cost += x[i].exp() * d as f64 + x[i] * heap.len() as f64;
        for &j in edges[i] {
            let next = d + 1 + (i as u32 % 2);
            if next < dist[j] {
                dist[j] = next;
                heap.push(Reverse((next, j)));
            }
        }
    }
    cost * x[1]
}

#[test]
fn heaps_of_pairs() {
    scalar!(shortest::AD.with(&EDGES), |x: &[f64]| shortest(x, &EDGES))
        .row(491)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn layers(x: &[f64], #[constant] edges: &[&[usize]]) -> f64 {
    let mut frontier: BTreeSet<usize> = BTreeSet::new();
    frontier.insert(0);
    let mut next = BTreeSet::new();
    let mut done: BTreeSet<usize> = BTreeSet::new();
    let mut s = 0.0;
    let mut depth = 0;
    while !frontier.is_empty() && depth < 4 {
        for &i in frontier.iter() {
            if done.contains(&i) {
                continue;
            }
            done.insert(i);
            s += x[i] * (depth as f64 + 1.0);
            for &j in edges[i] {
                next.insert(j);
            }
        }
        frontier = std::mem::take(&mut next);
        depth += 1;
    }
    s * x[1]
}

#[differentiable]
fn by_values(x: &[f64]) -> f64 {
    let mut queue: VecDeque<(usize, bool)> = VecDeque::new();
    let mut s = 1.0;
    for (i, v) in x.iter().enumerate() {
        if *v > 0.5 {
            queue.push_back((i, true));
        } else if i % 2 == 0 {
            queue.push_front((i, false));
        }
        if queue.len() > 2 {
            let (k, up) = queue.pop_front().unwrap();
            s *= if up { x[k].sin() } else { x[k].cos() };
        }
    }
    while let Some((k, up)) = queue.pop_back() {
        if up {
            s += x[k] * x[k];
        } else {
            s -= x[k];
        }
    }
    s
}

#[differentiable]
mod inside {
    use std::collections::*;
    pub struct Grid {
        pub w: Vec<f64>,
        pub width: usize,
    }
    impl Grid {
        pub fn flood(&self, from: (usize, usize), limit: usize) -> f64 {
            let mut open = VecDeque::from([from]);
            let mut seen: HashSet<(usize, usize)> = HashSet::from([from]);
            let mut sum = 0.0;
            'all: while let Some((r, c)) = open.pop_front() {
                sum += self.w[r * self.width + c] * (seen.len() as f64).sqrt();
                for (dr, dc) in [(0, 1), (1, 0)] {
                    let (r, c) = (r + dr, c + dc);
                    if r >= 2 || c >= self.width {
                        continue;
                    }
                    if seen.len() > limit {
                        break 'all;
                    }
                    if seen.insert((r, c)) {
                        open.push_back((r, c));
                    }
                }
            }
            sum
        }
    }
    pub fn flooded(x: &[f64]) -> f64 {
        let g = Grid {
            w: x.to_vec(),
            width: 2,
        };
        g.flood((0, 0), 8) * g.flood((0, 1), 1)
    }
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let mut s = 1.0;
    for i in 0..4 {
        let mut near: BTreeSet<usize> = BTreeSet::new();
        for j in i..5 {
            if x[j] > x[i] || j == i {
                near.insert(j);
            }
        }
        if near.len() == 5 {
            return s * x[2];
        }
        let first = *near.first().unwrap();
        while let Some(j) = near.pop_last() {
            s += x[j] * x[first];
        }
    }
    s
}

#[differentiable]
fn rotated(x: &[f64]) -> f64 {
    let mut queue: VecDeque<usize> = (0..5).collect();
    let mut seen = BTreeSet::new();
    let mut s = 0.0;
    for k in 0..queue.len() {
        let i = queue.pop_front().unwrap();
        s += x[i] * x[queue[0]] * k as f64;
        queue.push_back(i);
        queue[1] = (queue[1] + 1) % 5;
        queue[2] += 1;
        queue[2] %= 5;
        if seen.insert(i) && queue.len() < 9 || seen.remove(&k) {
            s *= x[queue[3]].cos();
        }
        if queue.iter().any(|&q| q == 4) && queue.contains(&3) {
            s += x[0];
        }
        let (a, b) = (queue.pop_front(), queue.pop_front());
        if let (Some(a), Some(b)) = (a, b) {
            queue.push_front(a);
            queue.push_front(b);
            s += x[a] * 2.0 - x[b];
        }
    }
    while let Some(&top) = queue.front() {
        if top == 2 && seen.contains(&2) {
            break;
        }
        queue.pop_front();
        s += x[top];
    }
    let last = queue.back().copied();
    let mut n = last.map_or(0, |l| l + 1);
    n += queue.len();
    s * n as f64
}

#[test]
fn queues_and_sets_in_other_places() {
    scalar!(layers::AD.with(&EDGES), |x: &[f64]| layers(x, &EDGES))
        .row(490)
        .takes_memory()
        .check(&POINTS);
    scalar!(by_values).row(490).takes_memory().check(&POINTS);
    scalar!(inside::flooded::AD, |x: &[f64]| inside::flooded(x))
        .row(490)
        .takes_memory()
        .check(&POINTS);
    scalar!(nested).row(490).takes_memory().check(&POINTS);
    scalar!(rotated).row(490).takes_memory().check(&POINTS);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Event {
    Arrive { who: usize },
    Leave(usize),
}

#[differentiable]
fn events(x: &[f64]) -> f64 {
    let mut heap: BinaryHeap<(Reverse<u32>, Event)> = BinaryHeap::new();
    for i in 0..3 {
        heap.push((Reverse(i as u32 * 2), Event::Arrive { who: i }));
    }
    let mut cost = x[0];
    let mut now = 0;
    while let Some((Reverse(t), event)) = heap.pop() {
        let dt = (t - now) as f64;
        now = t;
        cost += cost * dt * 0.1 * x[4];
        match event {
            Event::Arrive { who } => {
                cost *= 1.0 + x[who];
                heap.push((Reverse(t + 3), Event::Leave(who)));
            }
            Event::Leave(who) => cost -= x[who].sin() * heap.len() as f64,
        }
    }
    cost
}

#[derive(Clone, Copy, PartialEq)]
struct Call {
    time: f64,
    who: usize,
    leaves: bool,
}
impl Eq for Call {}
impl PartialOrd for Call {
    fn partial_cmp(&self, other: &Call) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Call {
    fn cmp(&self, other: &Call) -> Ordering {
        other.time.total_cmp(&self.time)
    }
}

#[differentiable]
fn served(x: &[f64], #[constant] arrivals: &[f64]) -> f64 {
    let mut heap = BinaryHeap::new();
    for (i, &t) in arrivals.iter().enumerate() {
        heap.push(Call {
            time: t,
            who: i,
            leaves: false,
        });
    }
    let mut load = 1.0;
    let mut before = 0.0;
    while let Some(e) = heap.pop() {
        load *= (-(e.time - before) * x[4]).exp();
        before = e.time;
        if e.leaves {
            load -= x[e.who] * 0.1;
        } else {
            load += x[e.who];
            heap.push(Call {
                time: e.time + 1.5,
                who: e.who,
                leaves: true,
            });
        }
    }
    load
}

#[test]
fn heaps_of_events() {
    scalar!(events).row(491).takes_memory().check(&POINTS);
    let arrivals = [0.3, 0.7, 0.2, 0.9];
    scalar!(served::AD.with(&arrivals), |x: &[f64]| served(x, &arrivals))
        .row(491)
        .takes_memory()
        .check(&POINTS);
}

#[differentiable]
fn closures(x: &[f64]) -> f64 {
    let mut seen = HashSet::new();
    let mut visit = |i: usize| {
        if seen.insert(i % 3) {
            x[i] * x[i]
        } else {
            x[i]
        }
    };
    let a: f64 = (0..5).map(|i| visit(i)).sum();
    let mut order: Vec<usize> = Vec::new();
    let mut used = BTreeSet::new();
    for i in 0..5 {
        if used.insert(i / 2) {
            order.push(i);
        }
    }
    a + order.iter().map(|&i| x[i].sin()).sum::<f64>() * used.iter().map(|&u| x[u]).sum::<f64>()
}

#[differentiable]
fn groups(x: &[f64], #[constant] kinds: &[usize]) -> f64 {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    let mut s = 0.0;
    for (i, &k) in kinds.iter().enumerate() {
        groups.entry(k).or_default().push(i % 5);
        if groups[&k].len() > 1 {
            s += x[groups[&k][0]];
        }
    }
    for (k, members) in &groups {
        let mut part = 1.0;
        for &i in members {
            part *= x[i];
        }
        s += part * x[*k];
    }
    if let Some(list) = groups.get(&1) {
        s += list.iter().map(|&i| x[i].sin()).sum::<f64>();
    }
    s + groups[&0].iter().map(|&i| x[i]).sum::<f64>()
}

#[differentiable]
fn pushed(x: &[f64]) -> f64 {
    let mut stack = VecDeque::new();
    let mut push = |i: usize| stack.push_back(i);
    push(2);
    push(1);
    push(0);
    let mut s = 0.0;
    let mut last = None;
    while let Some(i) = stack.pop_back() {
        s = s * x[i] + x[i + 1];
        last = Some(i);
    }
    let mut set = BTreeSet::from([3, 1]);
    if x[0] < 3.0 {
        set.insert(x.len() - 1);
    }
    let order: Vec<usize> = set.into_iter().collect();
    s + last.map_or(0.0, |i| x[i]) + x[order[0]]
}

#[test]
fn what_is_read_in_chains() {
    scalar!(closures).row(495).takes_memory().check(&POINTS);
    let kinds = [0, 1, 1, 2, 3, 1, 0];
    scalar!(groups::AD.with(&kinds), |x: &[f64]| groups(x, &kinds))
        .row(495)
        .takes_memory()
        .check(&POINTS);
    scalar!(pushed).row(495).takes_memory().check(&POINTS);
}

#[differentiable]
fn stepped(x: &[f64]) -> f64 {
    let mut s = [x[0], 0.0];
    #[ad(checkpoint)]
    for i in 0..30 {
        let mut seen = BTreeSet::new();
        for j in 0..4 {
            if seen.insert((i + j) % 3) {
                s[0] = s[0] * 0.5 * x[1] + s[1];
            }
        }
        s[1] += 0.1 * s[0].sin() * seen.len() as f64;
    }
    s[0]
}

#[test]
fn collections_of_one_trip_in_a_loop_that_is_not_recorded() {
    scalar!(stepped).row(490).takes_memory().check(&POINTS);
}
