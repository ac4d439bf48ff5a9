//! How a loop looks, as golden files: wide and narrow, plain and in colour, for people and for programs.

mod costs;
mod excerpt;
mod failing;
mod iterations;
mod json;
mod korean;
mod landing;
mod lines;
mod lists;
mod loop_state;
mod many;
mod numbers;
mod pages;
mod parts;
mod progress_report;
mod questions;
mod ralph_status;
mod replays;
mod report;
mod result;
mod scene;
mod scene_at_rest;
mod scene_contracts;
mod sessions;
mod spending;
mod table;
mod turns;
mod under_way;
mod verification;

/// Compares with the golden file of this name, which a person reviews when it changes.
macro_rules! golden {
    ($name:expr, $text:expr) => {
        insta::with_settings!({ snapshot_path => "golden", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!($name, $text);
        })
    };
}
pub(crate) use golden;
