//! Value and gradient of a sum over observations that are spread over processes.
//!
//! Process 0 runs the solver; the others wait for a point, compute their part and wait again. Each process cuts its
//! observations into [`PIECES`] pieces: while the sum over one piece is reduced, the next piece is computed.

use std::cell::RefCell;
use std::thread;

use basin::{CostFunction, Gradient};
use di::prelude::*;
use mpi::collective::SystemOperation;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Root};

use crate::model::{Data, loss};

/// Pieces of the observations of a process, and so reductions of an evaluation. Two hide all of a reduction but the
/// last; each more sends another gradient.
const PIECES: usize = 2;

/// What process 0 asks for, in front of the point.
const STOP: f64 = 0.0;
const EVALUATE: f64 = 1.0;

/// What one process has.
pub(crate) struct Part<'c> {
    comm: &'c SimpleCommunicator,
    data: Data,
    /// One for each thread.
    workers: Vec<Worker>,
    /// The sums over each piece, value first: of this process, and of all of them, which process 0 is sent.
    own: Vec<f64>,
    reduced: Vec<f64>,
}

/// What a thread works with: a clone of one prep, and its part of the gradient.
struct Worker {
    prep: GradientPrep<loss, AutoSource>,
    sum: Vec<f64>,
}

impl<'c> Part<'c> {
    /// Prepares for these observations, for points like `w`.
    pub(crate) fn new(
        comm: &'c SimpleCommunicator,
        data: Data,
        threads: usize,
        w: &[f64],
    ) -> Result<Self, di::Error> {
        let (rows, labels) = data.piece(0, PIECES * threads);
        let prep = prepare_gradient(loss::AD.with(rows, labels), &AutoSource::new(), w)?;
        let worker = || Worker {
            prep: prep.clone(),
            sum: vec![0.0; w.len() + 1],
        };
        let workers = (0..threads).map(|_| worker()).collect();
        let own = vec![0.0; PIECES * (w.len() + 1)];
        Ok(Part {
            comm,
            data,
            workers,
            reduced: own.clone(),
            own,
        })
    }

    /// Adds up the value and the gradient at `w`; process 0 gets the sum of all processes, value first.
    fn evaluate(&mut self, w: &[f64]) -> Result<Vec<f64>, di::Error> {
        let (comm, data, workers) = (self.comm, &self.data, &mut self.workers);
        let root = comm.process_at_rank(0);
        let each = w.len() + 1;
        mpi::request::scope(|scope| {
            let mut open = Vec::new();
            let mut failure = None;
            let buffers = self.own.chunks_mut(each).zip(self.reduced.chunks_mut(each));
            for (k, (own, reduced)) in buffers.enumerate() {
                failure = failure.or(add_up(data, workers, k, w, own).err());
                let (own, sum) = (&*own, SystemOperation::sum());
                open.push(match comm.rank() {
                    0 => root.immediate_reduce_into_root(scope, own, reduced, sum),
                    _ => root.immediate_reduce_into(scope, own, sum),
                });
            }
            for request in open {
                request.wait();
            }
            failure.map_or(Ok(()), Err)
        })?;
        let mut total = vec![0.0; each];
        for piece in self.reduced.chunks(each) {
            total.iter_mut().zip(piece).for_each(|(t, p)| *t += p);
        }
        Ok(total)
    }

    /// Answers process 0 until it stops.
    ///
    /// # Errors
    /// Those of the gradient, after which this process no longer answers: end all of them.
    pub(crate) fn serve(&mut self) -> Result<(), di::Error> {
        let mut message = vec![STOP; self.own.len() / PIECES];
        loop {
            self.comm
                .process_at_rank(0)
                .broadcast_into(&mut message[..]);
            if message[0] == STOP {
                return Ok(());
            }
            self.evaluate(&message[1..])?;
        }
    }
}

/// Value and gradient over piece `k`, by all threads.
fn add_up(
    data: &Data,
    workers: &mut [Worker],
    k: usize,
    w: &[f64],
    sum: &mut [f64],
) -> Result<(), di::Error> {
    let count = workers.len();
    let work = |t: usize, worker: &mut Worker| {
        let (rows, labels) = data.piece(k * count + t, PIECES * count);
        let (f, backend) = (loss::AD.with(rows, labels), AutoSource::new());
        let (value, g) = worker.sum.split_at_mut(1);
        value[0] = value_and_gradient_into(f, g, &worker.prep, &backend, w)?;
        Ok::<(), di::Error>(())
    };
    let (first, others) = workers.split_at_mut(1);
    thread::scope(|scope| {
        let threads: Vec<_> = others
            .iter_mut()
            .enumerate()
            .map(|(t, worker)| scope.spawn(move || work(t + 1, worker)))
            .collect();
        let mine = work(0, &mut first[0]);
        let theirs = threads
            .into_iter()
            .map(|thread| thread.join().expect("derivatives of the loss do not panic"));
        theirs.fold(mine, Result::and)
    })?;
    sum.fill(0.0);
    for worker in workers {
        sum.iter_mut().zip(&worker.sum).for_each(|(s, p)| *s += p);
    }
    Ok(())
}

/// The whole objective, as process 0 sees it: the loss of all observations and a penalty.
pub(crate) struct Objective<'c, 'p> {
    part: RefCell<&'p mut Part<'c>>,
    penalty: f64,
}

impl<'c, 'p> Objective<'c, 'p> {
    /// `penalty`: half of it times the square of the coefficients is added.
    pub(crate) fn new(part: &'p mut Part<'c>, penalty: f64) -> Self {
        Objective {
            part: RefCell::new(part),
            penalty,
        }
    }

    /// Lets the other processes go on.
    pub(crate) fn stop(self) {
        let part = self.part.into_inner();
        let mut message = vec![STOP; part.own.len() / PIECES];
        part.comm
            .process_at_rank(0)
            .broadcast_into(&mut message[..]);
    }
}

impl CostFunction for &Objective<'_, '_> {
    type Param = Vec<f64>;
    type Output = f64;
    type Error = di::Error;

    fn cost(&self, w: &Vec<f64>) -> Result<f64, di::Error> {
        Ok(self.cost_and_gradient(w)?.0)
    }
}

impl Gradient for &Objective<'_, '_> {
    type Gradient = Vec<f64>;

    fn gradient(&self, w: &Vec<f64>) -> Result<Vec<f64>, di::Error> {
        Ok(self.cost_and_gradient(w)?.1)
    }

    fn cost_and_gradient(&self, w: &Vec<f64>) -> Result<(f64, Vec<f64>), di::Error> {
        let mut part = self.part.borrow_mut();
        let mut message = vec![EVALUATE];
        message.extend_from_slice(w);
        part.comm
            .process_at_rank(0)
            .broadcast_into(&mut message[..]);
        let mut g = part.evaluate(w)?;
        let mut value = g.remove(0);
        for (g, w) in g.iter_mut().zip(w) {
            value += 0.5 * self.penalty * w * w;
            *g += self.penalty * w;
        }
        Ok((value, g))
    }
}
