//! The in-session contract: `gulf hook`, `start`, `resume`, `cancel`, `status` and `align` as CONTRACT.md has them.
//!
//! Apart from the tests of `gulf run` because here the host drives: an event on stdin and files in a checkout go in, an
//! answer on stdout and files come out. Whoever used the original finds every promise of it here, also those that it
//! did not keep.

mod adoption;
mod arming;
mod autonomous;
mod blocks;
mod checking;
mod claims;
mod commands;
mod completion;
mod control;
mod corrupt;
mod crowds;
mod edits;
mod fields;
mod guarding;
mod harness;
mod heading;
mod judging;
mod korean;
mod landing;
mod last_words;
mod marker;
mod material;
mod memory;
mod order;
mod outcome;
mod parallel;
mod places;
mod promises;
mod prompts;
mod ralph;
mod rejections;
mod research;
mod sessions;
mod silence;
mod slashes;
mod specs;
mod strangers;
mod transcript;
mod trouble;
