//! macOS and the BSDs.

use rustix::process::{Signal, getpid, kill_process};

/// Ends this very process with no chance to clean up, as `kill -9` does.
pub fn die() -> ! {
    let _ = kill_process(getpid(), Signal::KILL);
    loop {
        std::thread::park();
    }
}
