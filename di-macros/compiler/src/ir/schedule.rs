//! Loops whose trips are not recorded, `#[ad(checkpoint)]`: where their snapshots are.

/// How many snapshots there are, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Schedule {
    /// One in so many trips; the root of their number if it is not said.
    Every(Option<usize>),
    /// So many, placed by binomial coefficients.
    Revolve(usize),
}
