//! A stack machine runs user formulas: enum of instructions, Vec stack, error handling.
use di::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Op {
    Push(f64),
    Load(usize),
    Add,
    Mul,
    Neg,
    Call(Func),
    JumpIfNeg(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Func {
    Sin,
    Exp,
    Sqrt,
}

#[derive(Debug, PartialEq)]
pub enum Fault {
    Underflow(usize),
    BadVariable,
}

#[differentiable]
pub fn run(code: &[Op], vars: &[f64]) -> Result<f64, Fault> {
    let mut stack: Vec<f64> = Vec::new();
    let mut pc = 0;
    while pc < code.len() {
        match code[pc] {
            Op::Push(v) => stack.push(v),
            Op::Load(i) => stack.push(*vars.get(i).ok_or(Fault::BadVariable)?),
            Op::Add => {
                let b = stack.pop().ok_or(Fault::Underflow(pc))?;
                let a = stack.pop().ok_or(Fault::Underflow(pc))?;
                stack.push(a + b);
            }
            Op::Mul => {
                let (Some(b), Some(a)) = (stack.pop(), stack.pop()) else {
                    return Err(Fault::Underflow(pc));
                };
                stack.push(a * b);
            }
            Op::Neg => {
                let top = stack.last_mut().ok_or(Fault::Underflow(pc))?;
                *top = -*top;
            }
            Op::Call(f) => {
                let a = stack.pop().ok_or(Fault::Underflow(pc))?;
                stack.push(match f {
                    Func::Sin => a.sin(),
                    Func::Exp => a.exp(),
                    Func::Sqrt => a.sqrt(),
                });
            }
            Op::JumpIfNeg(target) => {
                if stack.pop().ok_or(Fault::Underflow(pc))? < 0.0 {
                    pc = target;
                    continue;
                }
            }
        }
        pc += 1;
    }
    stack.pop().ok_or(Fault::Underflow(pc))
}

#[differentiable]
pub fn value(vars: &[f64], code: &[Op]) -> f64 {
    run(code, vars).unwrap_or(f64::NAN)
}

pub(super) fn main() -> Result<(), di::Error> {
    use Op::*;
    let code = [Load(0), Load(1), Mul, Call(Func::Sin), Load(0), JumpIfNeg(8), Load(1), Mul, Load(0), Neg, Call(Func::Exp), Add, Push(2.0), Add, Call(Func::Sqrt)];
    for x in [[0.7, 1.3], [-0.4, 0.9]] {
        let g = gradient(value::AD.with(&code), NoPrep, &AutoSource::new(), &x)?;
        super::check_of("bytecode", &g, &x, |x| value(x, &code));
    }
    Ok(())
}
