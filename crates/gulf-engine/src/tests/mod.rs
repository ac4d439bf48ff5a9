//! The laws of the engine, in its users' words.
