//! The commands, one file for each family.

pub mod act;
pub mod clean;
pub mod config;
pub mod demo;
pub mod doctor;
pub mod init;
pub mod log;
pub mod reference;
pub mod resume;
pub mod run;
pub mod status;
pub mod verify;
