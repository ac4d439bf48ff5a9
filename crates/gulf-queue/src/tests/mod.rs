//! The laws of the queue, in its users' words.
//!
//! A model of git and of checks stands beside the queue and knows what a serial queue would have done; the exhaustive
//! search and the random walks hold the one against the other. Stories tell single cases; the wire tests pin the journal.

mod anomalies;
mod given;
mod laws;
mod stories;
mod tale;
mod walks;
mod wire;
mod world;
