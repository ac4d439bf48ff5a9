//! The fake judge as a test sees it: what it does in each of its calls, the `--judge` that does it, and what it was told.

use std::fs;

use camino::Utf8PathBuf;

use crate::programs::quote;
use crate::sandbox::Sandbox;

/// Keeps what it is told, then does what was written down for this call, else for all others.
const PROGRAM: &str = r#"
number=1
while [ -e "$folder/prompt-$number" ]; do number=$((number + 1)); done
cat > "$folder/prompt-$number"
if [ -e "$folder/call-$number" ]; then . "$folder/call-$number"; else . "$folder/otherwise"; fi
"#;

/// A judge that does what it is told, call by call.
#[derive(Debug, Clone)]
pub struct FakeJudge {
    folder: Utf8PathBuf,
}

impl FakeJudge {
    /// One that says nothing in any call. Its files lie in the sandbox, outside of repository and state.
    pub fn new(sandbox: &Sandbox) -> FakeJudge {
        let judge = FakeJudge { folder: sandbox.path("judge") };
        fs::create_dir_all(&judge.folder).unwrap();
        let folder = quote(judge.folder.as_str());
        judge.save("program", &format!("folder={folder}\n{PROGRAM}"));
        judge.does("")
    }

    /// Prints this in the n-th call, counted from 1.
    pub fn call(self, number: usize, answer: &str) -> FakeJudge {
        let command = self.answer(&format!("call-{number}"), answer);
        self.call_does(number, &command)
    }

    /// Prints this in every call for which nothing else was said.
    pub fn says(self, answer: &str) -> FakeJudge {
        let command = self.answer("otherwise", answer);
        self.does(&command)
    }

    /// Runs this by the shell in the n-th call; what it was told lies in `$folder/prompt-$number`.
    pub fn call_does(self, number: usize, command: &str) -> FakeJudge {
        self.save(&format!("call-{number}"), command);
        self
    }

    /// Runs this by the shell in every call for which nothing else was said.
    pub fn does(self, command: &str) -> FakeJudge {
        self.save("otherwise", command);
        self
    }

    /// The value of `--judge`.
    pub fn flag(&self) -> String {
        format!("command:sh {}", quote(self.folder.join("program").as_str()))
    }

    /// What it was told, the first call first.
    pub fn prompts(&self) -> Vec<String> {
        let prompts = (1..).map(|number| fs::read(self.folder.join(format!("prompt-{number}"))));
        prompts.map_while(Result::ok).map(|prompt| String::from_utf8(prompt).unwrap()).collect()
    }

    /// The command that prints an answer, whatever stands in it.
    fn answer(&self, name: &str, answer: &str) -> String {
        let name = format!("{name}.answer");
        self.save(&name, answer);
        format!("cat {}", quote(self.folder.join(name).as_str()))
    }

    fn save(&self, name: &str, text: &str) {
        fs::write(self.folder.join(name), text).unwrap();
    }
}
