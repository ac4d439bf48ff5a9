//! A tiny `gulf` for the tests of this crate: the shim, and drivers that can be killed.
//!
//! The test binary itself is run by a harness that knows no `__shim`.

use std::time::Duration;

use gulf_host::process::{self, ProcessRequest, Program, ShimProgram, Stdin};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["__shim"] => process::shim_main(),
        ["drive", folder, script] => drive(folder, script),
        ["ancestry"] => println!("{:?}", gulf_host::ancestry::agent_above()),
        ["sweep", prefix] => println!("{:?}", process::sweep(prefix)),
        ["signals"] => print_signals(),
        ["crash-twice"] => {
            gulf_host::crash::point("fixture.first");
            gulf_host::crash::point("fixture.second");
            println!("alive");
        }
        _ => panic!("unknown arguments {words:?}"),
    }
}

/// Runs one script under a shim, as `gulf` would, and prints how it ended.
fn drive(folder: &str, script: &str) {
    let request = ProcessRequest {
        program: Program::Shell(script.to_owned()),
        directory: folder.into(),
        environment: std::env::vars().collect(),
        stdin: Stdin::Closed,
        wall_max: Duration::from_secs(60),
        idle_max: None,
        stdout_log: format!("{folder}/log").into(),
        stderr_log: None,
        output_bytes_max: 1_000_000,
        tail_bytes_max: 1_000,
        mark: format!("driven:{folder}"),
    };
    let running = process::spawn(&ShimProgram::this_program().expect("a program"), request).expect("a shim");
    println!("{:?}", running.wait().ending);
}

fn print_signals() {
    let (sender, interruptions) = std::sync::mpsc::channel();
    let _listening = gulf_host::signals::listen(move |interruption| {
        let _ = sender.send(interruption);
    });
    println!("listening");
    for interruption in interruptions.iter().take(2) {
        println!("{interruption:?}");
    }
}
