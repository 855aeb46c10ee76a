//! Nothing: the programs are in the tests.
