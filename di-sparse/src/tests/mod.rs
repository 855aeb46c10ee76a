//! Tests that look inside.

mod coloring;
mod orders;
mod round_trips;
mod samples;
