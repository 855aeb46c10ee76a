//! Orders by degrees that change as vertices are taken, with a flat bucket queue.
//!
//! Reference: D. Matula, L. Beck: Smallest-last ordering and clustering and graph coloring algorithms
//! (1983); the queue: V. Batagelj, M. Zaversnik: An O(m) algorithm for cores decomposition (2003).

use super::{Neighborhood, degrees};
use crate::graph::NONE;

/// Vertices sorted by key in one array, the first place of each key in another.
struct Buckets {
    sorted: Vec<u32>,
    place: Vec<u32>,
    key: Vec<u32>,
    /// `first[k]`: where key `k` begins; one more than there are keys.
    first: Vec<u32>,
}

impl Buckets {
    /// `most` is the largest key that will occur.
    fn new(key: Vec<u32>, most: usize) -> Self {
        let mut first = vec![0u32; most + 2];
        for k in &key {
            first[*k as usize + 1] += 1;
        }
        crate::pattern::cumulate(&mut first);
        let mut next = first.clone();
        let (mut sorted, mut place) = (vec![0; key.len()], vec![0; key.len()]);
        for (v, k) in key.iter().enumerate() {
            let at = &mut next[*k as usize];
            sorted[*at as usize] = v as u32;
            place[v] = *at;
            *at += 1;
        }
        Buckets {
            sorted,
            place,
            key,
            first,
        }
    }

    /// One key down; places below `head` are taken.
    fn decrease(&mut self, v: u32, head: u32) {
        let k = self.key[v as usize] as usize;
        let front = self.first[k].max(head);
        self.exchange(v, front);
        self.first[k] = front + 1;
        // keys below that are empty end where this one now stands
        self.key[v as usize] = k as u32 - 1;
        if self.first[k - 1] > front {
            self.first[k - 1] = front;
        }
    }

    /// One key up; places from `tail` are taken.
    fn increase(&mut self, v: u32, tail: u32) {
        let k = self.key[v as usize] as usize;
        let back = self.first[k + 1].min(tail) - 1;
        self.exchange(v, back);
        self.first[k + 1] = back;
        self.key[v as usize] = k as u32 + 1;
    }

    fn exchange(&mut self, v: u32, at: u32) {
        let (from, other) = (self.place[v as usize], self.sorted[at as usize]);
        self.sorted.swap(from as usize, at as usize);
        self.place[v as usize] = at;
        self.place[other as usize] = from;
    }
}

pub(super) fn smallest_last(vertices: &impl Neighborhood) -> Vec<u32> {
    let degrees = degrees(vertices);
    let most = degrees.iter().max().map_or(0, |d| *d as usize);
    let mut queue = Buckets::new(degrees, most);
    let mut seen = vec![NONE; vertices.len()];
    for head in 0..vertices.len() as u32 {
        let v = queue.sorted[head as usize];
        let k = queue.key[v as usize] as usize;
        queue.first[k] = queue.first[k].max(head + 1);
        vertices.each(v, &mut seen, |w| {
            if queue.place[w as usize] > head {
                queue.decrease(w, head + 1);
            }
        });
    }
    queue.sorted.reverse();
    queue.sorted
}

pub(super) fn incidence_degree(vertices: &impl Neighborhood) -> Vec<u32> {
    let degrees = degrees(vertices);
    let most = degrees.iter().max().map_or(0, |d| *d as usize);
    let mut queue = Buckets::new(vec![0; vertices.len()], most);
    from_the_back(vertices, &mut queue, Buckets::increase)
}

pub(super) fn dynamic_largest_first(vertices: &impl Neighborhood) -> Vec<u32> {
    let degrees = degrees(vertices);
    let most = degrees.iter().max().map_or(0, |d| *d as usize);
    let mut queue = Buckets::new(degrees, most);
    from_the_back(vertices, &mut queue, |queue, v, _| queue.decrease(v, 0))
}

/// Takes the vertex with the largest key; `change` says what that does to its neighbors.
fn from_the_back(
    vertices: &impl Neighborhood,
    queue: &mut Buckets,
    change: impl Fn(&mut Buckets, u32, u32),
) -> Vec<u32> {
    let mut seen = vec![NONE; vertices.len()];
    for tail in (0..vertices.len() as u32).rev() {
        let v = queue.sorted[tail as usize];
        vertices.each(v, &mut seen, |w| {
            if queue.place[w as usize] < tail {
                change(queue, w, tail);
            }
        });
    }
    let mut order = std::mem::take(&mut queue.sorted);
    order.reverse();
    order
}
