//! A process for tests: `lock PATH NOTE` takes a lock and keeps it until its standard input ends; `ports FOLDER FIRST
//! LAST COUNT` does so with leases of ports; `write HOME` makes a loop's folder and writes all that is written there,
//! saying what is done.
//!
//! Only another process can be killed, and only the kernel takes a lock from the dead.

use std::error::Error;
use std::io::Read;

use gulf_host::files::{self, Durability};
use gulf_host::home::{Home, Name};
use gulf_host::journal::{Journal, LocalJournal};
use gulf_host::lock::{Lock, LockError};
use gulf_host::ports::{self, PortRequest};

/// About as much as a state file may have (SPEC L8).
const STATE_BYTES: usize = 900_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["lock", path, note] => {
            lock(path, note);
            Ok(())
        }
        ["ports", folder, first, last, count] => ports(&PortRequest {
            directory: folder.into(),
            first: first.parse()?,
            last: last.parse()?,
            count: count.parse()?,
            whose: "all begin at the same number",
        }),
        ["write", home] => write(home),
        _ => {
            Err("usage: gulf-storage-fixture lock PATH NOTE | ports FOLDER FIRST LAST COUNT | write HOME"
                .into())
        }
    }
}

fn lock(path: &str, note: &str) {
    match Lock::try_acquire(path.into(), note.as_bytes()) {
        Ok(_lock) => {
            println!("taken");
            let mut rest = Vec::new();
            let _ = std::io::stdin().read_to_end(&mut rest);
        }
        Err(LockError::Held { .. }) => println!("held"),
        Err(LockError::Failed { source, .. }) => println!("failed: {source}"),
    }
}

fn ports(request: &PortRequest) -> Result<(), Box<dyn Error>> {
    let leases = ports::lease(request)?;
    println!("{}", leases.numbers().iter().map(u16::to_string).collect::<Vec<_>>().join(" "));
    std::io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

/// Appends two batches of two records to what is there, and remembers the last number in `state.json`.
fn write(home: &str) -> Result<(), Box<dyn Error>> {
    let folder = Home::at(home.into())?.repository(&Name::parse("key")?).loop_root(&Name::parse("loop")?);
    files::create_private_directories(&folder, Durability::Synced)?;
    let (mut journal, _, records) = LocalJournal::open_and_read(&folder, b"fixture")?;
    let first = records.len() as u64 + 1;
    for next in [first, first + 2] {
        let batch = [next, next + 1].map(|number| format!(r#"{{"number":{number}}}"#).into_bytes());
        let last = journal.append(next, &batch, Durability::Synced)?;
        println!("{last}");
        // Several writes long: half of it could be told from all of it.
        let state = format!("{{\"last\":{last},\"feedback\":\"{}\"}}", "x".repeat(STATE_BYTES));
        files::replace(&folder.join("state.json"), state.as_bytes(), Durability::Buffered)?;
    }
    Ok(())
}
