//! What people and programs see of a loop: lines, the last screen, tables, JSON and the receipt.
//!
//! A crate of its own because a view must be a function of the journal (DESIGN invariant 7): nothing here can read a
//! file, ask for the time or print (`clippy.toml` lists what is banned, with reasons). What the journal holds only as
//! a digest, such as commands and the goal's words, arrives as [`Facts`].

#![forbid(unsafe_code)]

mod acts;
mod advice;
mod board;
mod changed_files;
mod cost;
mod facts;
mod failing;
mod gates;
mod group;
mod history;
mod inbox;
mod iteration_line;
mod iteration_report;
mod json;
mod landing;
mod language;
mod left;
mod lines;
mod live;
mod look;
mod loop_status;
mod markdown;
mod night;
mod numbers;
mod parts;
mod phrase;
mod question;
mod ralph_progress;
mod ralph_status;
mod receipt;
mod refused;
mod replay;
mod report;
mod result;
mod review;
mod screen;
mod stats;
mod status;
mod summary;
mod table;
mod tasks;
mod text;
mod trend;
mod turns;
mod unproven;
mod verification;
mod wait;
mod wording;

pub use acts::ActKind;
pub use board::{BoardGate, BoardLoop, BoardQuestion, BoardRow, BoardTexts, LoopAddress, by_group, in_order};
pub use changed_files::{ChangedFile, FileKind, LineChange, PatchPlace};
pub use cost::Cost;
pub use facts::{
    BranchFacts, ChannelFacts, CheckoutChange, DriverPresence, Facts, LandingFacts, NoteFacts, UnreadFacts,
    WorkerFacts,
};
pub use failing::FailingTurns;
pub use group::{Member, group_json, group_result};
pub use history::{History, Iteration, PersonAct};
pub use inbox::{InboxEntry, inbox, inbox_json};
pub use iteration_report::{
    Asked, CandidateChange, CheckWord, IterationReport, IterationTexts, iteration, iteration_json,
};
pub use json::{EVENT_VERSION, VERSION, event_json};
pub use landing::{LandingReport, LandingStanding, Refused, comes_back, merge_by_hand, refusal};
pub use language::ScreenLanguage;
pub use left::{left_line, question as question_line};
pub use lines::{excerpt, line};
pub use live::{ERASE, checking_line, is_looked_at, redraw, status_line};
pub use look::{Look, Palette, Tone};
pub use loop_status::{LoopStatus, resume_command};
pub use night::{Night, NightGroup, NightLoop, night, night_json};
pub use numbers::{FeedbackAction, collected, collected_json, feedback_json, feedback_rows, feedback_table};
pub use question::{QuestionKind, QuestionReport};
pub use ralph_progress::{progress_report, ralph_state};
pub use ralph_status::{STATE_BYTES_MAX, ralph_status_json, state_json};
pub use receipt::{JournalHead, Receipt, ReceiptComparison, receipt_comparison};
pub use refused::{Objected, RefusalReport, Refuser};
pub use replay::{Damage, Replay, ReplayStop, replay, replay_json};
pub use report::{
    CheckWords, CriterionLine, CriterionVerdict, MomentWord, PageCriterion, RedToGreen, Report, ReportBrief,
    ReportPage, ReportTexts, Risk, RiskyFile, StoryOutcome, StoryPoint, StoryStrip, brief, report,
    report_json,
};
pub use result::result;
pub use review::ReviewFacts;
pub use screen::{NextStep, labelled, note};
pub use stats::{Stats, StatsJudge, StatsRefusals, StatsRow, StatsWorker, stats, stats_json};
pub use status::status_json;
pub use summary::{CheckReport, Rejected, Summary, end_json};
pub use table::{Row, list_json, table};
pub use tasks::{TaskState, goals, orchestrate_state, set_aside_words, tasks};
pub use text::{
    columns, count as counted, cut_columns, duration, iterations, one_line, padded, tame, tame_text,
    up_to_cause,
};
pub use trend::{Trend, TrendDirection};
pub use turns::research_gap;
pub use unproven::Statement;
pub use verification::{Verification, VerificationWord, verification, verification_json};
pub use wait::{paced, still_at, under_way, waiting_on, waits_until};
