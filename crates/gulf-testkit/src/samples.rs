//! Small repositories to work in, each as a person would have it.
//!
//! Several tests need the same project in the same language, and differ in what the worker does to it.

/// The files of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    files: Vec<(String, String)>,
}

impl Sample {
    /// One file that is not as it should be; `sh check.sh` is red until somebody mends it, and says what it found.
    pub fn shell() -> Sample {
        Sample::default()
            .file("value.txt", "wrong\n")
            .file("check.sh", SHELL_CHECK)
            .file("notes/a.txt", "a\n")
            .file(".gitignore", "*.log\ncache/\n")
    }

    /// Nothing is wrong and nothing is tested.
    pub fn green() -> Sample {
        Sample::default()
            .file("README.md", "# Sample\n")
            .file("value.txt", "right\n")
            .file("check.sh", SHELL_CHECK)
    }

    /// A Rust crate without dependencies; its test stands in the source file.
    pub fn rust() -> Sample {
        Sample::default()
            .file("Cargo.toml", RUST_MANIFEST)
            .file("Cargo.lock", RUST_LOCK)
            .file(".gitignore", "/target\n")
            .file("src/lib.rs", RUST_SOURCE)
    }

    /// A module and its pytest file.
    pub fn python() -> Sample {
        Sample::default()
            .file("calc.py", "def add(a, b):\n    return a + b\n")
            .file("test_calc.py", PYTHON_TEST)
            .file(".gitignore", "__pycache__/\n.pytest_cache/\n")
    }

    /// A module and its test for node's own runner; nothing to install.
    pub fn node() -> Sample {
        Sample::default()
            .file("package.json", NODE_PACKAGE)
            .file("calc.mjs", "export const add = (a, b) => a + b;\n")
            .file("calc.test.mjs", NODE_TEST)
            .file(".gitignore", "node_modules/\n")
    }

    /// The same with a file more, or another text for one.
    pub fn file(mut self, path: &str, text: &str) -> Sample {
        self.files.retain(|(before, _)| before != path);
        self.files.push((path.to_owned(), text.to_owned()));
        self
    }

    pub(crate) fn files(&self) -> &[(String, String)] {
        &self.files
    }
}

const SHELL_CHECK: &str =
    "grep -qx right value.txt || { echo \"value.txt says $(cat value.txt)\"; exit 1; }\n";

const RUST_MANIFEST: &str = "\
[package]
name = \"sample\"
version = \"0.1.0\"
edition = \"2021\"

[lib]
doctest = false
";

const RUST_LOCK: &str = "\
version = 4

[[package]]
name = \"sample\"
version = \"0.1.0\"
";

const RUST_SOURCE: &str = "\
pub fn add(a: i64, b: i64) -> i64 {
    a + b
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(add(2, 2), 4);
    }
}
";

const PYTHON_TEST: &str = "\
from calc import add


def test_adds():
    assert add(2, 2) == 4
";

const NODE_PACKAGE: &str = r#"{
  "name": "sample",
  "version": "1.0.0",
  "type": "module",
  "scripts": {
    "test": "node --test"
  }
}
"#;

const NODE_TEST: &str = "\
import assert from 'node:assert';
import { test } from 'node:test';
import { add } from './calc.mjs';

test('adds', () => assert.strictEqual(add(2, 2), 4));
";
