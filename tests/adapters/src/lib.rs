//! Tests of the adapters for other people's engines: see `tests/`.
