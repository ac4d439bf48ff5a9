//! A repository with a base branch, and workers that are told by a script what to do in which iteration.

use std::fs;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

const FIXTURE: &str = env!("CARGO_BIN_EXE_gulf-landing-fixture");

/// Only a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// Beside each other: the person's checkout, the worktrees of loops, their settings, gulf's home.
#[derive(Debug)]
pub(crate) struct Ground {
    _folder: TempDir,
    pub(crate) root: Utf8PathBuf,
}

impl Ground {
    /// With these files on `main`.
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let ground = Self::empty();
        fs::create_dir(ground.project()).unwrap();
        ground.git(&["init", "-q", "-b", "main"]);
        ground.has_an_author();
        ground.commit(files, "first");
        ground
    }

    /// With a clone of this repository.
    pub(crate) fn clone_of(remote: &Utf8Path) -> Self {
        let ground = Self::empty();
        git(&ground.root, &["clone", "-q", remote.as_str(), "project"]);
        ground.has_an_author();
        ground
    }

    fn empty() -> Self {
        let folder = match fs::metadata("/dev/shm") {
            Ok(_) => tempfile::tempdir_in("/dev/shm").unwrap(),
            Err(_) => tempfile::tempdir().unwrap(),
        };
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        Self { _folder: folder, root }
    }

    fn has_an_author(&self) {
        self.git(&["config", "user.name", "a"]);
        self.git(&["config", "user.email", "a@b.c"]);
    }

    pub(crate) fn project(&self) -> Utf8PathBuf {
        self.root.join("project")
    }

    /// A person commits these files on `main`.
    pub(crate) fn commit(&self, files: &[(&str, &str)], message: &str) {
        for (path, text) in files {
            let path = self.project().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
    }

    /// The worktree of a worker, on what stands on `main` now.
    pub(crate) fn begin(&self, worker: &str) {
        let (path, branch) = (self.root.join(format!("project-{worker}")), format!("gulf/auto-{worker}"));
        self.git(&["worktree", "add", "-q", "-B", &branch, path.as_str(), "main"]);
    }

    /// Every line of the queue's journal.
    pub(crate) fn queued(&self) -> String {
        let find = ["-c", "cat home/repositories/*/queues/*/journal.jsonl"];
        let output = Command::new("sh").current_dir(&self.root).args(find).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// A worker that does this in the iteration, and claims; the check must be green.
    pub(crate) fn worker(&self, name: &str, check: &str, iterations: &[&str]) {
        let mut script = "cat > \"$(dirname \"$0\")/prompt-".to_owned();
        script.push_str(&format!("{name}-$GULF_ITERATION.md\"\ncase $GULF_ITERATION in\n"));
        for (number, what) in (1..).zip(iterations) {
            script.push_str(&format!("{number})\n{what}\n;;\n"));
        }
        script.push_str("esac\necho '<promise>DONE</promise>'\n");
        let path = self.root.join(format!("{name}.sh"));
        fs::write(&path, script).unwrap();
        let settings = format!(
            "completion_promise = \"DONE\"\nresearch = \"off\"\n[agent]\ntool = \"command:sh {path}\"\n\
             [limits]\nmax_iterations = 6\n[[check]]\nname = \"check\"\ncommand = '''{check}'''\n"
        );
        fs::write(self.root.join(format!("{name}.toml")), settings).unwrap();
    }

    /// Drives these loops in one process, side by side.
    pub(crate) fn gulf(&self, lanes: u32, workers: &[&str]) -> Command {
        self.command("loops", lanes, workers)
    }

    pub(crate) fn command(&self, how: &str, lanes: u32, workers: &[&str]) -> Command {
        let mut command = Command::new(FIXTURE);
        command.args([how, self.root.as_str(), &lanes.to_string()]).args(workers);
        command.current_dir(&self.root).stdin(Stdio::null());
        command
    }

    /// A place where a test and a check wait for each other.
    pub(crate) fn fifo(&self, name: &str) -> Fifo {
        let path = self.root.join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        Fifo { path }
    }

    /// What the queue's journal says.
    pub(crate) fn queue(&self) -> String {
        let pattern = format!("cat {}/home/repositories/*/queues/*/journal.jsonl", self.root);
        said(&Command::new("sh").args(["-c", &pattern]).output().unwrap())
    }

    /// Until all of them ended; what was printed.
    #[track_caller]
    pub(crate) fn run(&self, lanes: u32, workers: &[&str]) -> String {
        said(&self.gulf(lanes, workers).output().unwrap())
    }

    pub(crate) fn start(&self, how: &str, lanes: u32, workers: &[&str]) -> Child {
        let mut command = self.command(how, lanes, workers);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// In the person's checkout.
    pub(crate) fn git(&self, arguments: &[&str]) -> String {
        git(&self.project(), arguments)
    }

    /// The titles of what stands on `main`, the newest first.
    pub(crate) fn titles(&self) -> Vec<String> {
        self.git(&["log", "--first-parent", "--format=%s", "main"]).lines().map(str::to_owned).collect()
    }

    /// How often the loop of this worker landed.
    pub(crate) fn landings(&self, worker: &str) -> usize {
        self.titles().iter().filter(|title| title.contains(&format!("gulf/auto-{worker} "))).count()
    }

    /// What the worker was told.
    pub(crate) fn prompt(&self, worker: &str, iteration: u32) -> String {
        fs::read_to_string(self.root.join(format!("prompt-{worker}-{iteration}.md"))).unwrap()
    }

    /// The file as it stands on `main`.
    pub(crate) fn on_main(&self, path: &str) -> String {
        self.git(&["show", &format!("main:{path}")])
    }
}

/// Whoever comes first waits for the other.
#[derive(Debug)]
pub(crate) struct Fifo {
    path: Utf8PathBuf,
}

impl Fifo {
    /// A shell command that says that it is there.
    pub(crate) fn reached(&self) -> String {
        format!("echo here > {}", self.path)
    }

    /// A shell command that waits to be let go.
    pub(crate) fn held(&self) -> String {
        format!("cat {} > /dev/null", self.path)
    }

    /// Waits until somebody is there.
    #[track_caller]
    pub(crate) fn wait(&self) {
        let path = self.path.clone();
        self.patiently(move || drop(fs::read(path).unwrap()));
    }

    /// Lets go who waits there.
    #[track_caller]
    pub(crate) fn release(&self) {
        let path = self.path.clone();
        self.patiently(move || fs::write(path, "go on").unwrap());
    }

    #[track_caller]
    fn patiently(&self, act: impl FnOnce() + Send + 'static) {
        let (sender, receiver) = mpsc::channel();
        std::thread::spawn(move || {
            act();
            let _ = sender.send(());
        });
        assert!(receiver.recv_timeout(PATIENCE).is_ok(), "nobody came to {}", self.path);
    }
}

#[track_caller]
pub(crate) fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

#[track_caller]
pub(crate) fn git(directory: &Utf8Path, arguments: &[&str]) -> String {
    let output = Command::new("git").current_dir(directory).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}
