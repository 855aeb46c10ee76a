//! Constants of a call.

use crate::constant;
use di_runtime::overloaded::{Active, Overload};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

type A = Active<f64>;

fn over<T>(value: impl Overload<T>) -> T {
    value.overload()
}

#[test]
fn containers_are_those_of_active_numbers() {
    let one = constant(1.0);
    assert_eq!(over::<A>(1.0), one);
    assert_eq!(over::<f64>(1.0), 1.0);
    assert_eq!(over::<Vec<A>>(vec![1.0]), [one]);
    assert_eq!(over::<Vec<A>>(&[1.0][..]), [one]);
    assert_eq!(over::<Vec<[A; 2]>>(vec![[1.0; 2]]), [[one; 2]]);
    assert_eq!(
        over::<Option<Box<A>>>(Some(Box::new(1.0))),
        Some(Box::new(one))
    );
    assert_eq!(
        over::<Rc<VecDeque<A>>>(Rc::new(VecDeque::from([1.0])))[0],
        one
    );
    let list: Rc<[A]> = over(Rc::from([1.0]));
    assert_eq!(*list, [one]);
    let all: (A, usize, String, &str, ()) = over((1.0, 2, String::from("a"), "b", ()));
    assert_eq!(all, (one, 2, String::from("a"), "b", ()));
    let map: HashMap<u8, Vec<A>> = over(HashMap::from([(1, vec![1.0])]));
    assert_eq!(map[&1], [one]);
    let map: BTreeMap<String, (A, bool)> = over(BTreeMap::from([(String::from("k"), (1.0, true))]));
    assert_eq!(map["k"], (one, true));
    let set: HashSet<i32> = over(HashSet::from([3]));
    assert!(set.contains(&3));
    assert_eq!(
        over::<Result<A, String>>(Err::<f64, _>(String::new())),
        Err(String::new())
    );
    assert!(over::<std::ops::Range<A>>(0.0..2.0).contains(&one));
    assert_eq!(over::<Vec<A>>(&&vec![1.0]), [one]);
}
