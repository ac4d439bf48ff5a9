//! A product that puts something of its own in place of what a library has for everybody, its tests included: a clock, a reader
//! of files, a comparison of numbers.
//!
//! It is found by the form of a line: an assignment to what was imported, not by its words.

use super::super::Language;
use super::super::scan::is_word;
use super::super::shadows::is_of_python;

/// What such a product looks at.
pub(super) const SHOWN: &str = "a library's own function, which it replaces";

/// What the language has for everybody.
const GLOBALS: [&str; 20] = [
    "Array", "Atomics", "Buffer", "Date", "Error", "Intl", "JSON", "Map", "Math", "Number", "Object",
    "Promise", "Proxy", "Reflect", "RegExp", "Set", "String", "Symbol", "performance", "process",
];
/// Parts of a library that are there to be set.
const SETTABLE: [&str; 18] = [
    "sys.argv", "sys.path", "sys.stdin", "sys.stdout", "sys.stderr", "sys.excepthook", "sys.displayhook",
    "sys.tracebacklimit", "sys.dont_write_bytecode", "process.env", "process.exitCode", "process.title",
    "Error.stackTraceLimit", "Error.prepareStackTrace", "socket.timeout", "logging", "warnings",
    "threading.excepthook",
];

/// Does this line of these set something of a library that is not its own?
pub(super) fn is_of_library(language: Language, line: &str, lines: &[String]) -> bool {
    let Some(target) = target(line) else { return false };
    let Some((owner, _)) = target.split_once('.') else { return false };
    let is_part = |settable: &&str| target == **settable || target.starts_with(&format!("{settable}."));
    if SETTABLE.iter().any(is_part) {
        return false;
    }
    match language {
        Language::Python => lines.iter().any(|line| imports_of_python(line, owner)),
        Language::Script => {
            const OF_ALL: [&str; 7] = [
                "setTimeout", "setInterval", "setImmediate", "queueMicrotask", "performance", "Date",
                "structuredClone",
            ];
            let global = target.strip_prefix("globalThis.").or_else(|| target.strip_prefix("global."));
            GLOBALS.contains(&owner)
                || global.is_some_and(|name| OF_ALL.contains(&name) || GLOBALS.contains(&name))
                || lines.iter().any(|line| imports_of_node(line, owner))
        }
        Language::Rust | Language::Go | Language::Java | Language::Ruby => false,
    }
}

/// What a line sets, where that is a part of something: `a.b` in `a.b = c` and in `setattr(a, "b", c)`.
fn target(line: &str) -> Option<String> {
    if let Some(rest) = line.strip_prefix("setattr(") {
        let (owner, name) = rest.split_once(',')?;
        return Some(format!("{}.{}", owner.trim(), name.trim().trim_matches(['"', '\''])));
    }
    let (left, right) = line.split_once('=')?;
    let left = left.trim();
    let is_path = left.split('.').all(|part| !part.is_empty() && part.chars().all(is_word));
    (is_path && left.contains('.') && !right.starts_with(['=', '>'])).then(|| left.to_owned())
}

/// `import time`, `import os.path as path`, `from pathlib import Path`
fn imports_of_python(line: &str, owner: &str) -> bool {
    let from = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import "));
    let (module, names) = from.unzip();
    let Some(names) = names.or_else(|| line.strip_prefix("import ")) else { return false };
    let first = |module: &str| module.split('.').next().unwrap_or(module).to_owned();
    names.split(',').map(|name| name.trim_matches([' ', '(', ')'])).any(|name| {
        let (from, known) = name.split_once(" as ").unwrap_or((name, name));
        first(known) == owner && is_of_python(&first(module.unwrap_or(from)))
    })
}

/// `import fs from 'node:fs'`, `import * as assert from "assert"`, `const fs = require('fs')`
fn imports_of_node(line: &str, owner: &str) -> bool {
    const MODULES: [&str; 12] = [
        "assert", "child_process", "crypto", "events", "fs", "http", "os", "path", "perf_hooks", "process",
        "timers", "util",
    ];
    let is_import = line.starts_with("import ") || line.contains("require(");
    let mut quoted = line.split(['\'', '"']).skip(1).step_by(2);
    let of_node = quoted.any(|module| {
        module.starts_with("node:") || MODULES.contains(&module.split('/').next().unwrap_or(module))
    });
    let head = line.split(['\'', '"']).next().unwrap_or_default();
    is_import && of_node && head.split(|letter| !is_word(letter)).any(|word| word == owner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: Language, head: &str, line: &str, is_replaced: bool) {
        let lines = [head.to_owned(), line.to_owned()];
        assert_eq!(is_of_library(language, line, &lines), is_replaced, "{head}: {line}");
    }

    #[test]
    fn what_a_library_has_for_everybody_is_replaced() {
        let python = |head, line| check(Language::Python, head, line, true);
        python("import time", "time.perf_counter = lambda: 0.0");
        python("import pathlib", "pathlib.Path.read_text = cached");
        python("from pathlib import Path", "Path.read_text = cached");
        python("import math as m", "m.isclose = always");
        python("import math", "setattr(math, \"isclose\", always)");
        let script = |head, line| check(Language::Script, head, line, true);
        script("", "performance.now = () => begin;");
        script("", "globalThis.setTimeout = (f) => f();");
        script("import fs from 'node:fs';", "fs.readFileSync = last;");
        script("const fs = require('fs');", "fs.readFileSync = last;");
    }

    #[test]
    fn what_is_the_products_own_or_there_to_be_set_is_not() {
        let python = |head, line| check(Language::Python, head, line, false);
        python("import settings", "settings.debug = True");
        python("import sys", "sys.stdout = out");
        python("import time", "if time.x == 3:");
        python("import time", "time = 3");
        python("import queue", "self.queue.size = 3");
        python("", "queue.size = 3");
        let script = |head, line| check(Language::Script, head, line, false);
        script("", "process.exitCode = 1;");
        script("", "const now = performance.now();");
        script("", "date.value = 3;");
        script("import fs from './fs.js';", "fs.cache = {};");
        script("", "(performance.now) => 3");
    }
}
