//! Faults that tests seed into the transforms, to see that the random programs find them. Only with
//! debug assertions; without them `seeded!` is `false`.

#[cfg(debug_assertions)]
macro_rules! mutations {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// A fault at one point of the compiler.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Mutation {
            $($(#[$doc])* $name),*
        }

        /// All faults.
        pub const ALL: &[Mutation] = &[$(Mutation::$name),*];
    };
}

#[cfg(debug_assertions)]
mutations! {
    // ---- parameters ----
    /// Calls make the first parameter of a private function vary, and no other.
    VariedForgotten
    // ---- adjoints of statements ----
    /// The adjoint of what a store overwrites lives on.
    StoreNotZeroed
    /// A store gives its value no adjoint.
    StoreLost
    /// `x -= e` is reversed as `x += e`.
    SubtractionAdded
    /// The adjoint of what a copy overwrites lives on.
    CopyNotZeroed
    /// A copy overwrites the adjoint of its source.
    CopyOverwrites
    /// A copied array gives nothing back.
    CopiedArrayLost
    /// Elements of a list give their adjoint to the first.
    ListShifted
    /// The value that fills an array has no adjoint.
    FillLost
    /// The adjoint of a parameter overwrites what is there.
    ParameterOverwritten
    /// The seed of the first result is used for all.
    FirstSeedForAll
    // ---- adjoints of storage ----
    /// What is pushed has no adjoint.
    PushLost
    /// The adjoint of what was popped is not put back.
    PopLost
    /// The value that new elements have gets no adjoint.
    GrowthLost
    /// Shadows stay where they are when contents are exchanged.
    ExchangeNotReversed
    /// Shadows stay where they are when vectors move.
    MoveNotReversed
    /// A struct takes nothing of what the rest of its fields come from.
    BaseLost
    /// Fields that are written anew count for what the rest comes from.
    FieldNotZeroed
    /// Passive fields have shadows.
    PassiveFieldReversed
    // ---- adjoints of control flow ----
    /// The arms of an `if` are reversed under the other condition.
    ArmsExchanged
    /// What an arm yields has no adjoint.
    YieldLost
    /// Loops run upwards in reverse.
    TripsForwards
    /// All loops are taken for ones whose order is free.
    OrderTakenForFree
    /// What a loop leaves in a place that is read after it counts for nothing.
    ReadAfterwards
    /// A place that is read before it is written counts for renewed.
    ReadBeforeWritten
    /// Arguments of calls that renew others are taken for ones that do not vary.
    VaryingForgotten
    /// The adjoint of the first trip is missing.
    FirstTripLost
    // ---- sums of adjoints ----
    /// Nested regions contribute nothing.
    NestedLost
    /// What was contributed before a nested region is lost.
    EarlierLost
    /// A contribution from a branch is not noted.
    ReachForgotten
    /// The last contribution counts.
    SumOverwritten
    /// A difference adds to its second operand.
    DifferenceAdded
    /// A product scales each factor by itself.
    FactorsExchanged
    /// The square has half of its slope.
    SquareHalved
    /// A divisor has the wrong sign.
    DivisorAdded
    /// The divisor's partial is that of the dividend.
    QuotientForgotten
    /// The remainder's divisor has the wrong sign.
    RemainderAdded
    /// Only the first argument of an elementary function has a derivative.
    SecondArgumentLost
    // ---- calls ----
    /// Numbers that are passed have no adjoint.
    ArgumentLost
    /// An array that is passed twice has the adjoint of the first.
    SharedArgumentLost
    // ---- records ----
    /// All numbers of a frame have one slot.
    RecordsOverwritten
    /// Integers are not recorded.
    IndexNotRecorded
    /// Loads from arrays that change are repeated.
    LoadRepeated
    /// The callee sees arguments as they are, not as they were.
    ArgumentNotKept
    /// A vector that callees read is kept as it was declared.
    KeptTooEarly
    // ---- rewriting before and after reversal ----
    /// A length is that at the end, also of what grows.
    LengthTakenForFixed
    /// Loops that are not reversed leave records on the tape.
    IdleLoopRecorded
    /// A load is taken for one before a write.
    LoadReusedAfterWrite
    /// A running index is read as it was before its step.
    RunningIndexLate
    /// A running index has its first value after the loop.
    RunningTotalLost
    /// What a running index has gained in a triangle, with its diagonal where there is none.
    RisingOneMore
    /// The same in a triangle with its diagonal, without it.
    FallingOneLess
    /// A stepped index grows by what is subtracted from its step too.
    StepOneMore
    /// What is negated is added all the same.
    NegationForgotten
    /// `-a - b` is taken for `-(a - b)`.
    NegationDistributed
    /// What a loop sums in a variable is not added.
    AccumulatorLost
    /// What a window carries beyond the last trip is lost.
    WindowNotFlushed
    /// What a loop writes is loaded once, before it.
    LoadTakenOut
    /// Rows start at the first element.
    RowFromTheStart
    // ---- loops that are not recorded ----
    /// Steps downwards are taken upwards.
    StepForwards
    /// What a step changes does not come back.
    StepStateLost
    // ---- fresh slots ----
    /// A fresh slot is not zeroed where the loop that would write it does not run.
    FreshNotFilled
    /// What is beside the range that a loop writes keeps what is there.
    FreshRestKept
    // ---- adjoints of local vectors ----
    /// A loop is assumed to write all of an adjoint.
    LocalTakenForWritten
    /// What was set to zero is assumed to be zero after additions to it.
    ClearedForLong
    /// Each loop that reads and clears an adjoint is assumed to be the last one.
    LocalTakenForLeft
    // ---- first additions ----
    /// An addition overwrites what calls, loops and branches have added before.
    AdditionTakenForFirst
    // ---- exits ----
    /// `break` has the code of `continue`.
    BreakContinues
    /// Codes stay set.
    CodeNotReset
    /// What follows an exit runs in any case.
    RestRuns
    /// An early result is not kept.
    ResultNotKept
    // ---- views ----
    /// Indices into views count from the start of what is viewed.
    OffsetForgotten
    // ---- activity ----
    /// Copies of arrays carry no derivative.
    CopyTakenForPassive
    /// Results of calls carry no derivative.
    CallTakenForPassive
    // ---- tangents ----
    /// The tangent of what a constant overwrites lives on.
    TangentOfConstantKept
    /// The tangent of what a constant array overwrites lives on.
    TangentOfCopyKept
    /// `x -= e` is differentiated as `x += e`.
    TangentSubtractionAdded
    /// The tangent of `c - e` is that of `e`.
    TangentDifferenceAdded
    /// The last term of a tangent counts.
    TangentSumOverwritten
    /// What is pushed has a zero tangent.
    TangentPushLost
    /// Tangents stay where they are when contents are exchanged.
    TangentExchangeLost
    /// What an arm yields has a zero tangent.
    TangentYieldLost
    /// Tangents are stored behind the control flow that reads them.
    LanesHeldBack
}

#[cfg(debug_assertions)]
thread_local! {
    static SEEDED: std::cell::Cell<Option<Mutation>> = const { std::cell::Cell::new(None) };
}

/// Compiles with a fault, on this thread.
#[cfg(debug_assertions)]
pub fn with<T>(mutation: Mutation, run: impl FnOnce() -> T) -> T {
    SEEDED.set(Some(mutation));
    let result = run();
    SEEDED.set(None);
    result
}

#[cfg(debug_assertions)]
pub(crate) fn is_seeded(mutation: Mutation) -> bool {
    SEEDED.get() == Some(mutation)
}

/// Whether a fault is seeded.
#[cfg(debug_assertions)]
macro_rules! seeded {
    ($name:ident) => {
        $crate::mutation::is_seeded($crate::mutation::Mutation::$name)
    };
}

/// Whether a fault is seeded: never.
#[cfg(not(debug_assertions))]
macro_rules! seeded {
    ($name:ident) => {
        false
    };
}

pub(crate) use seeded;
