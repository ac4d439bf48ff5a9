//! The commands, one file for each family.

pub mod act;
pub mod align;
pub mod answer;
pub mod claim;
pub mod clean;
pub mod config;
pub mod demo;
pub mod doctor;
mod ending;
mod findings;
pub mod hook;
pub mod inbox;
pub mod init;
pub mod install;
pub mod lint;
pub mod log;
pub mod overrule;
mod pause;
pub mod reference;
pub mod report;
pub mod resume;
pub mod run;
pub mod start;
pub mod status;
mod terms;
pub mod verify;
