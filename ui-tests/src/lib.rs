//! The cases live in `fail/` and `pass/`.
