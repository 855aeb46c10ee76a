//! From the IR to Rust. The only part of the compiler that knows `quote`.
//!
//! `function` writes the items of a function, `pattern` the one for sparsity patterns, `code` statements, `op` expressions, `place` what is
//! read and written, `call` calls, `frame` records, `joint` both sweeps of a loop in one, `sound` what keeps rustc's
//! messages to one for each mistake, `instance` what generic functions have, `generic` their passive code; `handle`, `outcome` and `binding` the glue to the runtime.

mod binding;
mod call;
mod checkpoint;
mod code;
mod constants;
mod family;
mod frame;
mod function;
mod generic;
mod gives;
mod handle;
mod inherent;
mod initial;
mod instance;
mod integers;
mod joint;
mod kept;
mod lend;
mod names;
mod numbers;
mod once;
mod op;
mod operand;
mod outcome;
mod partial;
mod pattern;
mod place;
mod reach;
mod records;
mod room;
mod rows;
mod rule;
mod seeds;
mod shape;
mod sound;
mod storage;
mod strip;
mod structs;
mod told;

use crate::analysis::activity::Activity;
use crate::analysis::control::Control;
use crate::analysis::steady::steady;
use crate::ir::{Body, Frame, Place, PlaceId, Val};
use crate::sorted::{Map, Set};
use proc_macro2::{Ident, TokenStream};

pub(crate) use checkpoint::generate_driver;
pub(crate) use function::{Forms, Generated, generate};
pub(crate) use gives::returned;
pub(crate) use handle::{Taken, Target, emit as glue};
pub(crate) use inherent::Inherent;
pub(crate) use instance::{Generics, Parameter};
pub(crate) use rule::{Derivatives, Equation, RuleTarget, generate_rule};
pub(crate) use sound::Source;
pub(crate) use sound::{guard_structs, if_constant, unless};
use storage::{growing, likes};

/// What all code of a function has in common.
#[derive(Clone, Copy)]
struct Context<'a> {
    rt: &'a TokenStream,
    sound: &'a Ident,
    generics: &'a Generics,
}

impl<'a> Context<'a> {
    fn new(rt: &'a TokenStream, sound: &'a Ident, generics: &'a Generics) -> Context<'a> {
        Context {
            rt,
            sound,
            generics,
        }
    }
}

pub(crate) use names::{primitive, real, runtime};

/// Which code is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Primal,
    /// The primal on sets of inputs: both arms of a branch on inputs are run and joined.
    Pattern,
    Tangent,
    Augmented,
    Reverse,
}

/// A region that is being written.
struct Scope {
    /// Vectors declared in it so far.
    vectors: Vec<PlaceId>,
    is_loop: bool,
    label: Option<String>,
}

/// Writes one body.
pub(crate) struct Emitter<'a> {
    body: &'a Body,
    activity: &'a Activity,
    kind: Kind,
    /// Path of the runtime's hidden module.
    rt: &'a TokenStream,
    /// The handle, whose constant says whether the user's function is well typed.
    sound: &'a Ident,
    generics: &'a Generics,
    /// What is done before the function is left.
    leave: TokenStream,
    /// Frames of the regions being written, the innermost last.
    frames: Vec<frame::Open>,
    suffix: usize,
    /// Mutable views and what they stand for.
    mutable_views: Map<PlaceId, Place>,
    /// Open regions, the innermost last.
    scopes: Vec<Scope>,
    /// The next region is the body of a loop, with this label.
    enters_loop: Option<Option<String>>,
    /// The next region is an arm that gives these back, since its sibling gives them away.
    arm_keeps: Vec<PlaceId>,
    /// Rows and the places that they are parts of.
    rows: Map<PlaceId, PlaceId>,
    /// In a loop over parts of what it goes through: which, and the index in a part.
    parts: Option<rows::Parts>,
    /// Other views.
    shared_views: Map<PlaceId, Place>,
    /// Vectors that are pushed to or resized.
    growing: Set<PlaceId>,
    /// Shadows that are as long as others, and dead with these.
    likes: Map<PlaceId, PlaceId>,
    /// Vectors whose storage has gone elsewhere.
    moved: Set<PlaceId>,
    /// Values without a variable, and what computes them.
    inlined: Map<Val, operand::Operand>,
    /// Slots of numbers without a variable.
    direct: Set<PlaceId>,
    /// Tangent code: tangents of values and places, and back.
    tangent_of: Map<Val, Val>,
    tangent_places: Map<PlaceId, PlaceId>,
    primal_of: Map<PlaceId, PlaceId>,
    /// Reverse code: parameters whose values it is given; of others the argument may be empty.
    needs: Vec<bool>,
    /// Code of both sweeps: what is at the end of the names of values and places, and what the forward sweep does in
    /// the loop that both have in common.
    mark: &'static str,
    joint: Option<joint::Inside>,
    /// Vectors that are not kept on the tape for callees, but read where they are.
    in_place: Set<PlaceId>,
    /// Reverse code: products with lanes that do not vary if the adjoints of results do not.
    steady: Set<Val>,
    /// Sums whose terms are kept in the loop that is being written.
    sums: Vec<strip::Sum>,
    /// Reverse code: sums that are split in the loop that is being written.
    partial: Vec<partial::Partial>,
    /// Reverse code: the loop that the code of both sweeps runs trip by trip.
    in_order: Option<Val>,
    /// Pattern code: what inputs decide.
    control: Option<&'a Control>,
    /// Pattern code: how each open arm is left that ends in a panic, the innermost last.
    arms: Vec<TokenStream>,
    /// Pattern code: places that are empty until the function returns.
    results: &'a [PlaceId],
}

impl<'a> Emitter<'a> {
    fn new(body: &'a Body, activity: &'a Activity, kind: Kind, cx: Context<'a>) -> Emitter<'a> {
        Emitter {
            body,
            activity,
            kind,
            rt: cx.rt,
            sound: cx.sound,
            generics: cx.generics,
            leave: TokenStream::new(),
            frames: Vec::new(),
            suffix: 0,
            mutable_views: Map::new(),
            scopes: Vec::new(),
            enters_loop: None,
            arm_keeps: Vec::new(),
            rows: Map::new(),
            parts: None,
            shared_views: Map::new(),
            growing: growing(&body.region),
            likes: likes(&body.region),
            moved: Set::new(),
            inlined: operand::inlined(body, activity, &Map::new()),
            direct: operand::direct_slots(body, kind == Kind::Reverse),
            tangent_of: Map::new(),
            tangent_places: Map::new(),
            primal_of: Map::new(),
            needs: Vec::new(),
            mark: "",
            joint: None,
            in_place: Set::new(),
            steady: match kind {
                Kind::Reverse => steady(body, activity),
                Kind::Primal | Kind::Pattern | Kind::Tangent | Kind::Augmented => Set::new(),
            },
            sums: Vec::new(),
            partial: Vec::new(),
            in_order: None,
            control: None,
            arms: Vec::new(),
            results: &[],
        }
    }

    fn with_frame(mut self, frame: &Frame) -> Self {
        self.frames.push(frame::Open::function(frame));
        self
    }

    fn next_suffix(&mut self) -> String {
        self.suffix += 1;
        self.suffix.to_string()
    }
}
