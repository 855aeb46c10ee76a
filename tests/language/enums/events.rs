//! References to constants that are bound anew, and items of lists of constants: the event that comes next, the last
//! observation, the nearest station.

use di::prelude::*;
use di_test::scalar;

const POINTS: [&[f64]; 2] = [&[0.7, 1.3], &[0.4, -0.6]];

struct Event {
    t: f64,
    dose: f64,
}

fn events() -> Vec<Event> {
    let each = [(0.2, 1.0), (0.5, 0.4), (0.9, 2.5), (0.95, 0.7)];
    each.map(|(t, dose)| Event { t, dose }).into()
}

struct Plan {
    events: Vec<Event>,
    rate: f64,
}

#[differentiable]
fn intervals(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut sum = x[0];
    let mut last = &events[0];
    for e in &events[1..] {
        let dt = e.t - last.t;
        sum += x[1] * sum * dt - (-x[0] * dt).exp() * last.dose;
        last = e;
    }
    let mut largest: Option<&Event> = None;
    for e in events {
        if largest.is_none_or(|l| e.dose > l.dose) {
            largest = Some(e);
        }
    }
    sum * largest.map(|l| l.t).unwrap_or(0.0) + x[0] * largest.unwrap().dose
}

#[differentiable]
fn pairs(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut sum = 0.0;
    let mut held: Option<(usize, &Event)> = None;
    for (k, e) in events.iter().enumerate() {
        if let Some((i, h)) = held {
            sum += (h.dose * x[0]).sin() * (i as f64 + 1.0) * x[1];
        }
        held = Some((k, e));
    }
    let (mut a, mut b) = (&events[0], &events[1]);
    for e in events.iter().skip(1) {
        sum += x[1] * (e.t - a.t) * b.dose * x[0];
        a = b;
        b = e;
    }
    std::mem::swap(&mut a, &mut b);
    let old = std::mem::replace(&mut b, a);
    sum * a.t + old.dose * b.t * x[1] * x[1]
}

/// What a reference is bound to depends on what it was.
#[differentiable]
fn kept(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut last = &events[0];
    let mut sum = x[0];
    for k in 1..4 {
        let now = if k % 2 == 0 { &events[k - 1] } else { last };
        sum += now.t * x[1] * sum;
        last = now;
        let next = if sum > 1.0 { last } else { &events[1] };
        sum += next.dose * x[0];
        last = if k == 2 { &events[2] } else { next };
        sum *= last.t;
    }
    sum
}

#[test]
fn references_to_constants_that_are_bound_anew() {
    let events = events();
    scalar!(intervals::AD.with(&events), |x: &[f64]| intervals(
        x, &events
    ))
    .row(371)
    .check(&POINTS);
    scalar!(pairs::AD.with(&events), |x: &[f64]| pairs(x, &events))
        .row(371)
        .check(&POINTS);
    scalar!(kept::AD.with(&events), |x: &[f64]| kept(x, &events))
        .row(371)
        .check(&POINTS);
}

#[differentiable]
fn dosed(x: &[f64], #[constant] plan: &Plan) -> f64 {
    let mut todo = plan.events.iter();
    let mut next = todo.next();
    let (mut c, mut sum) = (x[0], 0.0);
    for k in 0..12 {
        let t = 0.1 * k as f64;
        while let Some(e) = next {
            if e.t > t {
                break;
            }
            c += e.dose * x[1] * plan.rate;
            next = todo.next();
        }
        c *= 1.0 - 0.1 * x[0];
        sum += c * c;
    }
    sum
}

#[differentiable]
fn peeked(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut todo = events.iter().peekable();
    let mut c = x[0];
    for k in 0..8 {
        let t = 0.1 * k as f64;
        while let Some(e) = todo.peek() {
            if e.t > t {
                break;
            }
            c += e.dose * x[1];
            todo.next();
        }
        c -= 0.1 * x[0] * c;
    }
    while let Some(e) = todo.next_if(|e| e.t < 0.93) {
        c *= e.dose * x[1];
    }
    if let Some(e) = todo.next() {
        c += e.t * x[0] * x[0];
    }
    c
}

#[differentiable]
fn runs(x: &[f64]) -> f64 {
    let mut all = x.iter().peekable();
    let mut sum = 0.0;
    while let Some(v) = all.next() {
        let mut product = *v;
        while let Some(w) = all.next_if(|w| **w > 0.5) {
            product *= w;
        }
        sum += product * product;
    }
    let mut digits = [3, 3, 1, 3].iter().peekable();
    while digits.next_if_eq(&&3).is_some() {
        sum *= x[0];
    }
    sum
}

#[test]
fn items_of_lists_of_constants_that_are_taken_in_steps() {
    let plan = Plan {
        events: events(),
        rate: 0.3,
    };
    scalar!(dosed::AD.with(&plan), |x: &[f64]| dosed(x, &plan))
        .row(372)
        .check(&POINTS);
    let events = events();
    scalar!(peeked::AD.with(&events), |x: &[f64]| peeked(x, &events))
        .rows(&[372, 373])
        .check(&POINTS);
    scalar!(runs).row(373).check(&POINTS);
}

#[differentiable]
fn chosen(x: &[f64], #[constant] events: &[Event]) -> f64 {
    let mut sum = 0.0;
    for k in 0..12 {
        let t = 0.1 * k as f64;
        let segment = if t < 0.4 {
            &events[0]
        } else if t < 0.8 {
            &events[1]
        } else {
            &events[2]
        };
        sum += (x[0] * segment.dose).sin() * x[1] + segment.t * x[0] * x[0];
        let next = events.iter().find(|e| t < e.t).unwrap_or(&events[0]);
        sum += next.t * x[1];
        if let Some(e) = events.iter().filter(|e| e.t <= t).last() {
            sum += e.dose * x[0] * x[1];
        }
        let past = events.iter().filter(|e| e.t <= t);
        if let Some(e) = past.max_by(|a, b| a.dose.total_cmp(&b.dose)) {
            sum += e.t * x[0].exp();
        }
        let away = |e: &Event| (e.t - t).abs();
        let near = events
            .iter()
            .min_by(|a, b| away(a).partial_cmp(&away(b)).unwrap());
        sum += (near.unwrap().dose * x[1]).sin();
        let after = match events.iter().position(|e| e.t > t) {
            Some(i) => &events[i],
            None => events.last().unwrap(),
        };
        sum += after.dose * x[0];
    }
    sum
}

#[test]
fn items_of_lists_of_constants_that_are_chosen() {
    let events = events();
    scalar!(chosen::AD.with(&events), |x: &[f64]| chosen(x, &events))
        .row(374)
        .check(&POINTS);
}

#[derive(Clone, Copy, PartialEq)]
enum Route {
    Oral,
    Bolus,
}

#[derive(Clone, Differentiable)]
struct Dose {
    time: f64,
    route: Route,
}

#[derive(Clone, Differentiable)]
struct Regimen {
    doses: Vec<Dose>,
}

#[differentiable]
fn response(t: f64, route: Route) -> f64 {
    match route {
        Route::Oral => t.sin(),
        Route::Bolus => 2.0 * t * t,
    }
}

#[differentiable]
fn responses(doses: &[Dose]) -> f64 {
    let mut sum = 0.0;
    for d in doses {
        sum += response(d.time, d.route);
    }
    sum * match doses[0].route {
        Route::Oral => doses[0].time,
        Route::Bolus => 0.5,
    }
}

#[differentiable]
fn weighted(r: &Regimen) -> f64 {
    let of = |d: &Dose| match d.route {
        Route::Oral => response(d.time, d.route) * d.time,
        _ => d.time.exp(),
    };
    let last = &r.doses[1];
    let bolus = if let Route::Bolus = last.route {
        last.time
    } else {
        1.0
    };
    r.doses.iter().map(|d| of(d)).sum::<f64>() * bolus
}

#[differentiable]
fn therapy(x: &[f64]) -> f64 {
    let dose = |time, route| Dose { time, route };
    let doses = vec![
        dose(x[0], Route::Oral),
        dose(x[1] * x[0], Route::Bolus),
        dose(x[1], Route::Oral),
    ];
    let r = Regimen {
        doses: doses.clone(),
    };
    let bolus = doses.iter().filter(|d| matches!(d.route, Route::Bolus));
    responses(&doses) + weighted(&r) * bolus.count() as f64
}

#[test]
fn enums_in_elements_of_lists_of_structs() {
    scalar!(therapy).row(375).takes_memory().check(&POINTS);
}
