//! Starts the program: environment, folder, streams, and a plain word on why it cannot start.
//!
//! It happens once, before there is anything to watch.

use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, Command, Stdio};

use camino::Utf8Path;

use crate::crash;
use crate::process::{MARK_VARIABLE, ProcessRequest, Program, Stdin, Stream};

/// A program that runs, with what the shim must serve it.
pub(super) struct Started {
    pub(super) child: Child,
    pub(super) streams: Vec<OutputStream>,
    pub(super) stdin: Option<(ChildStdin, Vec<u8>)>,
}

/// What the program writes, and where it goes.
pub(super) struct OutputStream {
    pub(super) stream: Stream,
    pub(super) pipe: PipeReader,
    pub(super) log: File,
}

/// Takes the input out of the request. The error is for a person.
pub(super) fn start(request: &mut ProcessRequest) -> Result<Started, String> {
    // A missing folder and a missing program are the same error to the kernel; people need to know which.
    if !request.directory.is_dir() {
        return Err(format!("there is no folder {}", request.directory));
    }
    let (stdout, stdout_writer) = pipe(Stream::Stdout, &request.stdout_log)?;
    let stderr = request.stderr_log.as_deref().map(|log| pipe(Stream::Stderr, log)).transpose()?;
    let (stderr, stderr_writer) = stderr.unzip();
    let stderr_writer = stderr_writer.as_ref().unwrap_or(&stdout_writer);
    let mut child = launch(request, &stdout_writer, stderr_writer)?;

    let stdin = match std::mem::take(&mut request.stdin) {
        Stdin::Closed => None,
        Stdin::Bytes(bytes) => child.stdin.take().map(|pipe| (pipe, bytes)),
    };
    Ok(Started { child, streams: std::iter::once(stdout).chain(stderr).collect(), stdin })
}

/// Writes from a thread of its own, since a program need not read, and may close the pipe or die at any time.
pub(super) fn feed(stdin: Option<(ChildStdin, Vec<u8>)>) {
    if let Some((mut pipe, bytes)) = stdin {
        std::thread::spawn(move || {
            let _ = pipe.write_all(&bytes);
        });
    }
}

fn pipe(stream: Stream, log: &Utf8Path) -> Result<(OutputStream, PipeWriter), String> {
    let file = OpenOptions::new().append(true).open(log);
    let file = file.map_err(|error| format!("cannot write the log {log}: {error}"))?;
    let (pipe, writer) = io::pipe().map_err(|error| format!("cannot create a pipe: {error}"))?;
    Ok((OutputStream { stream, pipe, log: file }, writer))
}

fn launch(request: &ProcessRequest, stdout: &PipeWriter, stderr: &PipeWriter) -> Result<Child, String> {
    match &request.program {
        Program::Exec { program, arguments } => execute(request, (program, arguments), stdout, stderr)
            .map_err(|error| cannot_run(program, &error)),
        Program::Shell(script) => {
            let arguments = ["-c".to_owned(), script.clone()];
            execute(request, ("bash", &arguments), stdout, stderr).or_else(|error| {
                if error.kind() != io::ErrorKind::NotFound {
                    return Err(cannot_run("bash", &error));
                }
                let fallback = execute(request, ("sh", &arguments), stdout, stderr);
                fallback.map_err(|error| cannot_run("bash, nor sh", &error))
            })
        }
    }
}

fn cannot_run(program: &str, error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        format!("there is no program {program}")
    } else {
        format!("cannot run {program}: {error}")
    }
}

fn execute(
    request: &ProcessRequest,
    (program, arguments): (&str, &[String]),
    stdout: &PipeWriter,
    stderr: &PipeWriter,
) -> io::Result<Child> {
    let never_passed = [crash::COUNT_VARIABLE, crash::AT_VARIABLE, MARK_VARIABLE];
    let environment = request.environment.iter().filter(|(name, _)| !never_passed.contains(&name.as_str()));
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(&request.directory)
        .env_clear()
        .envs(environment.map(|(name, value)| (name, value)))
        .env(MARK_VARIABLE, &request.mark)
        .stdin(match request.stdin {
            Stdin::Closed => Stdio::null(),
            Stdin::Bytes(_) => Stdio::piped(),
        })
        .stdout(stdout.try_clone()?)
        .stderr(stderr.try_clone()?);
    // A program that signals its own group (`kill 0`) must not hit the shim.
    command.process_group(0).spawn()
}
