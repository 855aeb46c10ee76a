//! Runs a body, for tests of lowering and of the transforms.
