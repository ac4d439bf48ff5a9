//! damage.
