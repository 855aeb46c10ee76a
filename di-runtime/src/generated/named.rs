//! What a name means to rustc, where generated code has taken it for a method of a trait.

/// A method twice. The types of two methods are never the same.
#[diagnostic::on_unimplemented(
    message = "this name means another method of the type, whose derivative is not known",
    label = "the type has a method of its own with this name",
    note = "code is found by the type and the name: give one of them another name"
)]
pub trait One {}

#[diagnostic::do_not_recommend]
impl<M> One for (M, M) {}

/// Accepts the method that a name means, and the one that code was generated for.
pub const fn is_one<M: One + Copy>(_: M) {}
