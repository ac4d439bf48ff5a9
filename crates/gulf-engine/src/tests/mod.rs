//! The laws of the engine, in its users' words.
//!
//! Two books are kept of every loop: the engine's state, and a ledger that is written from the facts alone. The
//! exhaustive search and the random walks let a model of a driver do all that a driver and its world can do, and hold
//! the one book against the other; stories tell single cases; the wire tests pin what a journal looks like.

mod anomalies;
mod contracts;
mod given;
mod laws;
mod laws_of_exits;
mod laws_of_feedback;
mod laws_of_landing;
mod laws_of_people;
mod laws_of_reviews;
mod laws_of_sessions;
mod laws_of_standstill;
mod laws_of_steps;
mod laws_of_tasks;
mod ledger;
mod refusals;
mod search;
mod stories;
mod stories_of_checks;
mod stories_of_cold_starts;
mod stories_of_exits;
mod stories_of_failures;
mod stories_of_feedback;
mod stories_of_landing;
mod stories_of_people;
mod stories_of_proof;
mod stories_of_reviews;
mod stories_of_sessions;
mod stories_of_spending;
mod stories_of_standstill;
mod stories_of_steps;
mod stories_of_tasks;
mod tale;
mod walks;
mod wire;
mod wire_of_feedback;
mod wire_of_thoughts;
mod world;
