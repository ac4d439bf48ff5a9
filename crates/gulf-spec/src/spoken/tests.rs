//! What people type into a session.
