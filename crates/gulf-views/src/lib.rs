//! gulf-views.
