//! gulf-spec.
