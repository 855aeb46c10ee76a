//! Tracers: scalars that know which inputs they depend on, and nothing else.
//!
//! A tracer is the index of a node in a thread-local graph of unions; the index sets are read off
//! the graph at the end. Dependence is structural and first order: arguments of class zero cut it,
//! all others are united. Simple and right, not fast: nodes are as many as operations.
//!
//! Reference: J. C. de Miranda, A. Hill, G. Dalle: sparser, better, faster, stronger (2025), the
//! global tracers of SparseConnectivityTracer.jl.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::ops::{Add, Div, Mul, Neg, Rem, Sub};

use crate::scalar::{MissingPrimal, PrimalAnswers, Real, Rule, Scalar, take_error};

/// A number of which only the set of inputs it depends on is known.
///
/// Valid while the [`Trace`] lives under which it was made, on the thread of that trace.
#[derive(Clone, Copy, Debug)]
pub struct Tracer<R> {
    /// Node of the graph; [`CONSTANT`] depends on nothing.
    node: u32,
    real: PhantomData<R>,
}

const CONSTANT: u32 = 0;

/// What a number depends on.
#[derive(Clone, Copy, Debug)]
enum Node {
    /// Node [`CONSTANT`] only.
    Nothing,
    Input(u32),
    Union(u32, u32),
}

thread_local! {
    static GRAPH: RefCell<Vec<Node>> = const { RefCell::new(Vec::new()) };
}

/// One run of a program on tracers, on this thread. Traces may nest; tracers may not leave theirs.
#[derive(Debug)]
pub struct Trace {
    /// The graph of the enclosing trace.
    outer: Vec<Node>,
    /// The graph is a thread-local: a trace stays where it is.
    here: PhantomData<*const ()>,
}

impl Trace {
    /// Begins with an empty graph and no error noted.
    pub fn begin() -> Self {
        take_error();
        let outer = GRAPH.with(|graph| graph.replace(vec![Node::Nothing]));
        Trace {
            outer,
            here: PhantomData,
        }
    }

    /// Input number `i`.
    ///
    /// # Panics
    /// If `i` is above `u32::MAX`.
    pub fn input<R: Real>(&self, i: usize) -> Tracer<R> {
        let i = u32::try_from(i).expect("inputs of a trace are counted in 32 bits");
        Tracer::push(Node::Input(i))
    }

    /// The inputs that `y` depends on, ascending.
    pub fn inputs_of<R: Real>(&self, y: Tracer<R>) -> Vec<usize> {
        GRAPH.with(|graph| {
            let graph = graph.borrow();
            let mut seen = vec![false; graph.len()];
            let mut open = vec![y.node];
            let mut inputs = Vec::new();
            while let Some(node) = open.pop() {
                if std::mem::replace(&mut seen[node as usize], true) {
                    continue;
                }
                match graph[node as usize] {
                    Node::Nothing => {}
                    Node::Input(i) => inputs.push(i as usize),
                    Node::Union(a, b) => open.extend([a, b]),
                }
            }
            inputs.sort_unstable();
            inputs.dedup();
            inputs
        })
    }

    /// The first request for a value since the trace began; what was traced after it is one of
    /// several possible programs.
    pub fn take_error(&self) -> Option<MissingPrimal> {
        take_error()
    }
}

impl Drop for Trace {
    fn drop(&mut self) {
        GRAPH.with(|graph| graph.replace(std::mem::take(&mut self.outer)));
    }
}

impl<R: Real> Tracer<R> {
    /// A number that depends on nothing.
    pub fn constant() -> Self {
        Tracer {
            node: CONSTANT,
            real: PhantomData,
        }
    }

    /// A number that depends on whatever `self` or `o` depends on.
    pub fn union(self, o: Self) -> Self {
        if o.node == CONSTANT || o.node == self.node {
            self
        } else if self.node == CONSTANT {
            o
        } else {
            Tracer::push(Node::Union(self.node, o.node))
        }
    }

    fn push(node: Node) -> Self {
        GRAPH.with(|graph| {
            let mut graph = graph.borrow_mut();
            let index =
                u32::try_from(graph.len()).expect("nodes of a trace are counted in 32 bits");
            graph.push(node);
            Tracer {
                node: index,
                real: PhantomData,
            }
        })
    }
}

impl<R: Real> Default for Tracer<R> {
    fn default() -> Self {
        Tracer::constant()
    }
}

macro_rules! union_operators {
    ($($trait:ident $method:ident;)*) => {$(
        impl<R: Real> $trait for Tracer<R> {
            type Output = Self;

            fn $method(self, o: Self) -> Self {
                self.union(o)
            }
        }
    )*};
}
union_operators! { Add add; Sub sub; Mul mul; Div div; Rem rem; }

impl<R: Real> Neg for Tracer<R> {
    type Output = Self;

    fn neg(self) -> Self {
        self
    }
}

/// Union with an argument, unless its class is zero.
macro_rules! depend {
    (zero $set:ident $x:ident) => {
        let _ = $x;
    };
    ($class:ident $set:ident $x:ident) => {
        let $set = $set.union($x);
    };
}

macro_rules! tracer_methods {
    ($($name:ident $args:tt $doc:literal
        [$($class:ident),+] [$($cross:tt),*] { $($body:tt)* }
        on [$($on:tt)*] at [$($at:tt)*] note $note:literal;)*) => {
        $(tracer_method!($name $args [$($class),+]);)*
    };
}

macro_rules! tracer_method {
    ($name:ident ($x:ident; $n:ident) [$class:ident]) => {
        fn $name(self, $n: i32) -> Self {
            // x^0 is the constant 1
            if $n == 0 { Self::constant() } else { self }
        }
    };
    ($name:ident ($x:ident $(, $b:ident)*) [$first:ident $(, $class:ident)*]) => {
        fn $name(self $(, $b: Self)*) -> Self {
            let $x = self;
            let set = Self::constant();
            depend!($first set $x);
            $(depend!($class set $b);)*
            set
        }
    };
}

impl<R: Real> Scalar for Tracer<R> {
    type Real = R;

    fn from_real(_: R) -> Self {
        Tracer::constant()
    }

    fn primal(self) -> R {
        R::from_f64(PrimalAnswers::value())
    }

    fn is_zero(self) -> bool {
        false
    }

    fn vanishes(self) -> bool {
        true
    }

    fn mul_strong(self, o: Self) -> Self {
        self.union(o)
    }

    fn add_real(self, _: R) -> Self {
        self
    }

    fn sub_real(self, _: R) -> Self {
        self
    }

    fn mul_real(self, _: R) -> Self {
        self
    }

    fn div_real(self, _: R) -> Self {
        self
    }

    fn rem_real(self, _: R) -> Self {
        self
    }

    fn real_sub(_: R, x: Self) -> Self {
        x
    }

    fn real_div(_: R, x: Self) -> Self {
        x
    }

    fn real_rem(_: R, x: Self) -> Self {
        x
    }

    fn lt(self, _: Self) -> bool {
        PrimalAnswers::comparison("<")
    }

    fn le(self, _: Self) -> bool {
        PrimalAnswers::comparison("<=")
    }

    fn gt(self, _: Self) -> bool {
        PrimalAnswers::comparison(">")
    }

    fn ge(self, _: Self) -> bool {
        PrimalAnswers::comparison(">=")
    }

    fn eq(self, _: Self) -> bool {
        PrimalAnswers::comparison("==")
    }

    fn ne(self, _: Self) -> bool {
        PrimalAnswers::comparison("!=")
    }

    fn call_rule<T: Rule<R, N, M>, const N: usize, const M: usize>(
        rule: &T,
        x: [&[Self]; N],
        mut y: [&mut [Self]; M],
    ) {
        for (i, y) in y.iter_mut().flat_map(|y| y.iter_mut()).enumerate() {
            *y = Tracer::constant();
            for (j, x) in x.iter().flat_map(|x| x.iter()).enumerate() {
                if rule.depends(i, j) {
                    *y = y.union(*x);
                }
            }
        }
    }

    di_elementary::elementary!(tracer_methods);
}
