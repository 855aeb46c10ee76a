#![allow(warnings)]

use di::differentiable;

#[differentiable]
fn inner(x: f64) -> Result<f64, u8> {
    if x > 0.0 { Ok(x) } else { Err(1) }
}

#[differentiable]
fn f(x: f64) -> Result<f64, u32> {
    let y: Result<f64, u8> = inner(x);
    Ok(y? * x)
}

fn main() {}

// row 78 later: conversion of errors
