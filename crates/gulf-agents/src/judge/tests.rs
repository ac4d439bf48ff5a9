//! What a judge is shown and what becomes of its words; apart by question, because each has hostile inputs of its own.

mod answers;
mod evidences;
mod given;
mod lines;
mod materials;
mod records;
mod verdicts;
