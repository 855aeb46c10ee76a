//! Numbers in any container of std, behind any pointer.

use di::prelude::*;

use crate::agrees;

#[overloaded]
mod model {
    use std::cell::{Cell, RefCell};
    use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
    use std::hash::{Hash, Hasher};
    use std::rc::Rc;
    use std::sync::{Arc, Mutex};

    /// The mean of the last three numbers, squared and summed.
    pub fn smoothed(x: &[f64]) -> f64 {
        let mut window: VecDeque<f64> = VecDeque::with_capacity(3);
        let mut total = 0.0;
        for &v in x {
            if window.len() == 3 {
                window.pop_front();
            }
            window.push_back(v.exp());
            let mean = window.iter().sum::<f64>() / window.len() as f64;
            total += mean * mean;
        }
        total
    }

    pub fn by_names(x: &[f64]) -> f64 {
        let mut rates: BTreeMap<String, f64> = BTreeMap::new();
        for (k, v) in x.iter().enumerate() {
            *rates.entry(format!("rate {}", k % 2)).or_insert(0.5) *= v;
        }
        let mut seen = HashSet::new();
        rates
            .iter()
            .map(|(name, v)| {
                if seen.insert(name.len()) {
                    v.sin()
                } else {
                    v.powi(3)
                }
            })
            .sum()
    }

    pub fn hashed(x: &[f64]) -> f64 {
        let mut counts: HashMap<(i32, bool), Vec<f64>> = HashMap::new();
        for v in x {
            counts
                .entry((v.floor() as i32, *v > 0.0))
                .or_default()
                .push(*v);
        }
        let mut keys: Vec<_> = counts.keys().copied().collect();
        keys.sort_unstable();
        keys.iter()
            .enumerate()
            .map(|(k, key)| (k + 1) as f64 * counts[key].iter().product::<f64>())
            .sum()
    }

    #[derive(Clone, Copy)]
    struct Key(f64, f32);

    impl PartialEq for Key {
        fn eq(&self, other: &Self) -> bool {
            self.0.to_bits() == other.0.to_bits() && self.1 == other.1
        }
    }

    impl Eq for Key {}

    impl Hash for Key {
        fn hash<H: Hasher>(&self, state: &mut H) {
            self.0.to_bits().hash(state);
            self.1.to_bits().hash(state);
        }
    }

    pub fn remembered(x: &[f64]) -> f64 {
        let mut known: HashMap<Key, f64> = HashMap::new();
        let mut misses = 0;
        let mut sum = 0.0;
        for v in [x[0], x[1], x[0], x[0] + 0.0, x[2], x[1]] {
            sum += *known.entry(Key(v, 0.5_f32)).or_insert_with(|| {
                misses += 1;
                v.sin() * misses as f64
            });
        }
        sum * misses as f64
    }

    #[derive(Debug)]
    struct Account {
        balance: RefCell<f64>,
        bonus: Cell<f64>,
        partner: RefCell<Option<Rc<Account>>>,
    }

    impl Account {
        fn new(balance: f64) -> Rc<Account> {
            Rc::new(Account {
                balance: RefCell::new(balance),
                bonus: Cell::new(balance * 0.1),
                partner: RefCell::default(),
            })
        }

        fn pay(&self, share: f64) {
            let amount = *self.balance.borrow() * share;
            *self.balance.borrow_mut() -= amount;
            self.bonus.set(self.bonus.get() + 0.5 * amount);
            if let Some(partner) = &*self.partner.borrow() {
                *partner.balance.borrow_mut() += amount;
            }
        }
    }

    pub fn shared(x: &[f64]) -> f64 {
        let (a, b) = (Account::new(x[0]), Account::new(x[1]));
        *a.partner.borrow_mut() = Some(Rc::clone(&b));
        a.pay(x[2]);
        b.pay(0.25);
        a.pay(x[2] * x[2]);
        let total = *a.balance.borrow() * *b.balance.borrow();
        total + a.bonus.get() * b.bonus.get()
    }

    /// A search tree.
    struct Node {
        key: f64,
        weight: f64,
        left: Option<Box<Node>>,
        right: Option<Box<Node>>,
    }

    fn insert(tree: Option<Box<Node>>, key: f64, weight: f64) -> Option<Box<Node>> {
        let Some(mut node) = tree else {
            return Some(Box::new(Node {
                key,
                weight,
                left: None,
                right: None,
            }));
        };
        if key < node.key {
            node.left = insert(node.left.take(), key, weight * node.weight);
        } else {
            node.right = insert(node.right.take(), key, weight + node.weight);
        }
        Some(node)
    }

    fn depth_first(tree: &Option<Box<Node>>, level: i32) -> f64 {
        tree.as_deref().map_or(0.0, |node| {
            node.weight * node.key.powi(level)
                + depth_first(&node.left, level + 1)
                + depth_first(&node.right, level + 1)
        })
    }

    pub fn tree(x: &[f64]) -> f64 {
        let tree = x.iter().fold(None, |tree, &v| insert(tree, v, v * v));
        depth_first(&tree, 1)
    }

    /// A linked list, reversed in place.
    pub fn linked(x: &[f64]) -> f64 {
        struct Cons(f64, Option<Box<Cons>>);
        let mut list = None;
        for v in x {
            list = Some(Box::new(Cons(*v, list)));
        }
        let mut reversed = None;
        while let Some(mut cons) = list {
            list = std::mem::replace(&mut cons.1, reversed);
            reversed = Some(cons);
        }
        let (mut sum, mut at, mut power) = (0.0, &reversed, 1);
        while let Some(cons) = at {
            sum += cons.0.powi(power);
            (at, power) = (&cons.1, power + 1);
        }
        let all: LinkedList<f64> = x.iter().map(|v| v * sum).collect();
        all.iter().sum()
    }

    #[derive(PartialEq)]
    struct Event {
        time: f64,
        size: f64,
    }

    impl Eq for Event {}

    impl PartialOrd for Event {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }

    impl Ord for Event {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            other.time.total_cmp(&self.time)
        }
    }

    pub fn queue(x: &[f64]) -> f64 {
        let mut heap: BinaryHeap<Event> = x
            .iter()
            .map(|&time| Event {
                time,
                size: time * time,
            })
            .collect();
        let (mut energy, mut left) = (1.0, 4);
        while let Some(Event { time, size }) = heap.pop() {
            energy += size * (time - energy).exp();
            if left > 0 {
                heap.push(Event {
                    time: time + 1.5,
                    size: size * energy,
                });
                left -= 1;
            }
        }
        energy
    }

    pub fn locked(x: &[f64]) -> f64 {
        let total = Arc::new(Mutex::new(vec![0.0; 2]));
        for (k, v) in x.iter().enumerate() {
            let mut total = total.lock().unwrap();
            total[k % 2] += v * v;
        }
        let total = total.lock().unwrap();
        total[0].sqrt() * total[1]
    }
}

#[test]
fn queues_and_maps_hold_numbers() {
    let points = [[0.3, -0.2, 0.9, 0.1, -1.3], [1.2, 0.4, -0.7, 0.8, 0.6]];
    agrees!(model::smoothed::AD, model::smoothed, points);
    agrees!(model::by_names::AD, model::by_names, points);
    agrees!(model::hashed::AD, model::hashed, points);
    agrees!(model::remembered::AD, model::remembered, points);
    agrees!(model::locked::AD, model::locked, points);
}

#[test]
fn pointers_share_numbers() {
    agrees!(
        model::shared::AD,
        model::shared,
        [[2.0, 3.0, 0.4], [-1.0, 0.5, 0.9]]
    );
}

#[test]
fn structures_are_recursive() {
    let points = [[0.5, 0.2, 0.9, 0.7], [0.9, 1.4, -0.3, 1.1]];
    agrees!(model::tree::AD, model::tree, points);
    agrees!(model::linked::AD, model::linked, points);
    agrees!(
        model::queue::AD,
        model::queue,
        [[0.3, 0.9, 0.5], [1.1, -0.2, 0.4]]
    );
}

/// A tape that was recorded at one order of keys is of no use at another.
#[test]
fn tapes_follow_what_containers_look_at() {
    let (tape, dual) = (AutoTape::new(), AutoDual::new());
    let prep = prepare_gradient(model::tree::AD, &tape, &[0.1, 0.2, 0.3][..]).unwrap();
    for x in [
        [0.1, 0.2, 0.3],
        [0.3, 0.2, 0.1],
        [0.2, 0.3, 0.1],
        [0.2, 0.1, 0.3],
    ] {
        let found = gradient(model::tree::AD, &prep, &tape, &x[..]).unwrap();
        let expected = gradient(model::tree::AD, NoPrep, &dual, &x[..]).unwrap();
        crate::close("gradient", &found, &expected);
    }
}
