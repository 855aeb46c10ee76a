//! Names for types, in a file of their own.

pub(crate) type Plane = [Coordinate; 2];
pub(crate) type Path = Vec<Plane>;
pub(crate) type Coordinate = f64;
