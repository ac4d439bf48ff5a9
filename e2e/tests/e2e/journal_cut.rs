//! journal_cut.
