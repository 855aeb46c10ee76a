//! What [`crate::check_differentiation`] checks.

use di_runtime::capability::Operator;

/// Which calls must not allocate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocations {
    /// Not checked.
    #[default]
    Any,
    /// Prepared calls that write to a buffer allocate nothing. Needs [`crate::allocations::Counting`] as the
    /// global allocator.
    NonePrepared,
    /// Nor do calls without a prep that write to a buffer.
    None,
}

/// Which matrices must store the entries of the scenario and no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sparsity {
    /// Not checked.
    #[default]
    Any,
    /// Those that are sparse.
    OfSparse,
    /// All: a dense matrix is a failure. For backends that are sparse.
    Required,
}

/// What is checked, and how strictly.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) correctness: bool,
    pub(crate) relative: Option<f64>,
    pub(crate) absolute: f64,
    pub(crate) excluded: Vec<Operator>,
    pub(crate) intact: bool,
    pub(crate) reprepare: bool,
    pub(crate) misuse: bool,
    pub(crate) visits: bool,
    pub(crate) sparsity: Sparsity,
    pub(crate) allocations: Allocations,
    pub(crate) logging: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            correctness: true,
            relative: None,
            absolute: 0.0,
            excluded: Vec::new(),
            intact: true,
            reprepare: true,
            misuse: true,
            visits: true,
            sparsity: Sparsity::Any,
            allocations: Allocations::Any,
            logging: false,
        }
    }
}

impl Options {
    /// Correct results, intact arguments, and preps that can be resized and refuse what does not fit, to the
    /// accuracy that each backend promises.
    pub fn new() -> Self {
        Options::default()
    }

    /// Compares results with the references.
    pub fn correctness(mut self, correctness: bool) -> Self {
        self.correctness = correctness;
        self
    }

    /// Relative tolerance, instead of the accuracy that the backend promises; see
    /// [`crate::check_differentiation`]. If it is above 1e-10, small entries may also be off by that fraction of
    /// the largest entry.
    pub fn relative(mut self, tolerance: f64) -> Self {
        self.relative = Some(tolerance);
        self
    }

    /// An entry may be off by this, whatever its size.
    pub fn absolute(mut self, tolerance: f64) -> Self {
        self.absolute = tolerance;
        self
    }

    /// Leaves out some operators.
    pub fn excluding(mut self, operators: &[Operator]) -> Self {
        self.excluded.extend(operators);
        self
    }

    /// Checks that `x` and tangents are as they were.
    pub fn intact(mut self, intact: bool) -> Self {
        self.intact = intact;
        self
    }

    /// Prepares on smaller arguments and resizes, where the scenario has some.
    pub fn reprepare(mut self, reprepare: bool) -> Self {
        self.reprepare = reprepare;
        self
    }

    /// Calls with arguments that do not fit the prep, where the scenario has some.
    pub fn misuse(mut self, misuse: bool) -> Self {
        self.misuse = misuse;
        self
    }

    /// Uses each prep at a point close by as well, with entries of the same signs; for functions that are not
    /// defined there it can be left out.
    pub fn visits(mut self, visits: bool) -> Self {
        self.visits = visits;
        self
    }

    /// Compares the number of stored entries with that of the scenario, where it states one.
    pub fn sparsity(mut self, sparsity: Sparsity) -> Self {
        self.sparsity = sparsity;
        self
    }

    /// Checks allocations.
    pub fn allocations(mut self, allocations: Allocations) -> Self {
        self.allocations = allocations;
        self
    }

    /// Prints each scenario as it is tried.
    pub fn logging(mut self, logging: bool) -> Self {
        self.logging = logging;
        self
    }
}
