//! Whatever is written with arrays of `ndarray`: the compiler answers with code or with messages, it never panics.

use std::panic::{AssertUnwindSafe, catch_unwind};

/// An array of each rank and kind.
const ARRAYS: [&str; 14] = [
    "v",
    "a",
    "(&v + &a)",
    "a.t()",
    "a.row(0)",
    "a.slice(s![1, 2])",
    "v.slice(s![2])",
    "v.slice(s![NewAxis, .., NewAxis])",
    "a.slice(s![1, NewAxis, 2, NewAxis])",
    "v.view().insert_axis(Axis(0)).insert_axis(Axis(0))",
    "v.index_axis(Axis(0), 1)",
    "v.sum_axis(Axis(0))",
    "Array2::zeros((2, 3))",
    "unknown",
];

/// What may be done with it: `{}` is the array.
const USES: [&str; 74] = [
    "{}.sum()",
    "{}.len() as f64",
    "{}.mean().unwrap()",
    "{}[0]",
    "{}[[0]]",
    "{}[[0, 1]]",
    "{}[[0, 1, 2]]",
    "{}[()]",
    "{}[[]]",
    "{}[(0, 1)]",
    "{}[at]",
    "{}[pair]",
    "{}[s![0, 1]]",
    "*{}.into_scalar()",
    "{}.dot(&v)",
    "{}.dot(&a).sum()",
    "v.dot(&{}).sum()",
    "a.dot(&{}).sum()",
    "({} + &v).sum()",
    "({} * 2.0).mapv(f64::sin).sum()",
    "(-{}).exp().sum()",
    "{}.t().sum()",
    "{}.diag().sum()",
    "{}.row(0).sum()",
    "{}.column(1).sum()",
    "{}.row(0)[1]",
    "{}.index_axis(Axis(0), 0).sum()",
    "{}.index_axis(Axis(7), 0).sum()",
    "{}.insert_axis(Axis(2)).sum()",
    "{}.insert_axis(Axis(9)).sum()",
    "{}.len_of(Axis(5)) as f64",
    "{}.sum_axis(Axis(0)).sum()",
    "{}.sum_axis(Axis(4)).sum()",
    "{}.mean_axis(Axis(1)).unwrap().sum()",
    "{}.mean_axis(Axis(4)).unwrap().sum()",
    "{}.fold_axis(Axis(1), 0.0, |s, v| s + v).sum()",
    "{}.map_axis(Axis(0), |lane| lane.sum()).sum()",
    "{}.map_axis(Axis(0), |(i, j)| i).sum()",
    "{}.to_owned().sum()",
    "{}.broadcast((2, 3)).unwrap().sum()",
    "{}.broadcast(3).unwrap().sum()",
    "{}.broadcast((2, 3, 4)).unwrap().sum()",
    "{}.broadcast(()).unwrap().sum()",
    "{}.to_shape(6).unwrap().sum()",
    "{}.to_shape(()).unwrap().sum()",
    "{}.to_shape((1, 2, 3)).unwrap().sum()",
    "{}.to_shape(((2, 3), Order::ColumnMajor)).unwrap().sum()",
    "{}.into_shape_with_order((2, 3)).unwrap().sum()",
    "{}.slice(s![0]).sum()",
    "{}.slice(s![..]).sum()",
    "{}.slice(s![.., 1]).sum()",
    "{}.slice(s![NewAxis, ..]).sum()",
    "{}.slice(s![.., NewAxis, .., NewAxis]).sum()",
    "{}.slice(s![..;-1, 1..;2]).sum()",
    "{}.slice(s![;]).sum()",
    "{}.slice(s![]).sum()",
    "{}.slice(window).sum()",
    "{}.iter().sum::<f64>()",
    "{}.iter().zip(&v).map(|(a, b)| a * b).sum()",
    "{}.outer_iter().map(|r| r.sum()).sum()",
    "{}.axis_iter(Axis(3)).map(|r| r.sum()).sum()",
    "{}.rows().into_iter().fold(0.0, |s, r| s + r[0])",
    "{}.columns().into_iter().map(|(a, b)| a).sum()",
    "concatenate![Axis(0), {}, {}].sum()",
    "concatenate![Axis(1), {}, v].sum()",
    "concatenate![Axis(0)].sum()",
    "stack![Axis(0), {}, a].sum()",
    "stack![Axis(2), {}, {}].sum()",
    "stack(Axis(0), &[{}, {}]).unwrap().sum()",
    "{ let b = {}; b.sum() }",
    "{ let mut b = {}.to_owned(); b = b.dot(&b); b.sum() }",
    "if n > 1 { {} } else { a }.sum()",
    "match n { 0 => {}, _ => v }.sum()",
    "given({}, &{})",
];

/// Statements about it, on something that can be written to.
const EFFECTS: [&str; 21] = [
    "w += &{};",
    "b -= &{};",
    "w %= 2.0;",
    "b <<= 1;",
    "w.assign(&{});",
    "b.assign(&{});",
    "b.row_mut(0).assign(&{});",
    "b.slice_mut(s![1, 2]).fill({}.sum());",
    "b.slice_mut(s![1, ..]).scaled_add(2.0, &{});",
    "w.zip_mut_with(&{}, |u, v| *u += v);",
    "b.zip_mut_with(&{}, named);",
    "w.mapv_inplace(|v| v * {}.sum());",
    "Zip::from(&mut w).and(&{}).for_each(|w, a| *w += a);",
    "Zip::from(&mut b).and_broadcast(&{}).for_each(|w, a| *w += a);",
    "Zip::from(&{}).for_each(|w| s += w);",
    "Zip::indexed(&{}).for_each(|i, w| s += w);",
    "for r in {}.outer_iter() { s += r.sum(); }",
    "for (k, r) in {}.axis_iter(Axis(1)).enumerate() { s += r[k]; }",
    "w = {};",
    "b = {}.to_owned();",
    "let (c, d) = ({}, 1.0); s += c.sum();",
];

#[test]
fn no_use_of_arrays_makes_the_compiler_panic() {
    let mut count = 0;
    for array in ARRAYS {
        let uses = USES.iter().map(|u| ("", u.replace("{}", array)));
        let effects = EFFECTS.iter().map(|e| ("s", e.replace("{}", array)));
        for (end, text) in uses.chain(effects) {
            count += 1;
            let text = format!(
                "fn f(x: &Array1<f64>, y: &Array2<f64>, #[constant] n: usize, #[constant] at: [usize; 2]) -> f64 {{
                    let (v, a) = (x.view(), y.view());
                    let (mut w, mut b) = (x.to_owned(), y.to_owned());
                    let (pair, mut s) = ((n, 1), w.sum() + b.sum());
                    {text}
                    {end}
                }}"
            );
            let Ok(function) = syn::parse_str::<syn::ItemFn>(&text) else {
                panic!("does not parse: {text}");
            };
            let item = quote::quote!(#function);
            let expanded = catch_unwind(AssertUnwindSafe(|| {
                di_compiler::differentiable(proc_macro2::TokenStream::new(), item)
            }));
            assert!(expanded.is_ok(), "{text}");
        }
    }
    assert!(count > 1000, "{count} functions");
}
