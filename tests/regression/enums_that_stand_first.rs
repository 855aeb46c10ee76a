//! An enum that stood first in a struct without floats was read as its last variant, if what stands behind it was not zero:
//! both are one number in generated code, which was not cut off behind the enum.

use di::prelude::*;
use di_test::scalar;

#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Card {
    Jack,
    Queen,
    King,
}

#[derive(Clone, Copy, PartialEq)]
struct Deal {
    first: Card,
    second: Card,
}

#[derive(Clone, Copy)]
struct Hand {
    deals: [Deal; 2],
    pair: (Card, u32),
    last: Option<Card>,
}

#[differentiable]
fn literal(x: &[f64]) -> f64 {
    let d = Deal {
        first: Card::Jack,
        second: Card::Queen,
    };
    x[d.first as usize] * x[2 - d.second as usize].exp()
}

#[differentiable]
fn in_loops(x: &[f64]) -> f64 {
    let deck = [Card::Jack, Card::Queen, Card::King];
    let mut sum = 0.0;
    for first in deck {
        for second in deck {
            let d = Deal { first, second };
            let weight = match d.first {
                Card::Jack => x[0],
                Card::Queen => x[1] * x[1],
                Card::King => x[2].sin(),
            };
            if d.first != d.second {
                sum += weight * x[d.second as usize];
            }
        }
    }
    sum
}

#[differentiable]
fn chosen(x: &[f64]) -> f64 {
    let (first, second) = (Card::Queen, Card::King);
    let found = if x[0] > 0.0 {
        Some(Deal { first, second })
    } else {
        None
    };
    match found {
        Some(d) if d.first == Card::Queen => x[d.first as usize] * x[d.second as usize],
        Some(_) => 7.0 * x[0],
        None => x[1].cos(),
    }
}

#[differentiable]
fn nested(x: &[f64]) -> f64 {
    let deal = |first, second| Deal { first, second };
    let hand = Hand {
        deals: [deal(Card::Jack, Card::King), deal(Card::Queen, Card::Queen)],
        pair: (Card::Jack, 5),
        last: Some(Card::Queen),
    };
    let mut sum = x[hand.pair.0 as usize] * f64::from(hand.pair.1);
    for d in &hand.deals {
        sum += x[d.first as usize].exp() * x[d.second as usize];
    }
    match hand.last {
        Some(card) => sum * x[card as usize],
        None => sum,
    }
}

const POINTS: [&[f64]; 2] = [&[0.4, 1.3, -0.7], &[-0.6, 0.2, 0.9]];

#[test]
fn what_stands_behind_is_not_read() {
    scalar!(literal).check(&POINTS);
    scalar!(in_loops).check(&POINTS);
    scalar!(chosen).check(&POINTS);
    scalar!(nested).check(&POINTS);
}
