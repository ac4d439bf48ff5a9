//! Inputs of the hosts' own tools, as the hosts send them.

use serde_json::{Value, json};

use super::{PROJECT, check};

fn denied(name: &str, input: &Value, path: &str) {
    check(name, input, PROJECT, Some(path));
}

fn allowed(name: &str, input: &Value) {
    check(name, input, PROJECT, None);
}

const PATCH: &str =
    "*** Begin Patch\n*** Update File: README.md\n@@\n-a\n+b\n*** Add File: RUBRIC.md\n+x\n*** End Patch";

#[test]
fn claude_code_does_not_write_what_is_sealed() {
    denied("Write", &json!({ "file_path": "/work/shop/RUBRIC.md", "content": "x" }), "RUBRIC.md");
    denied("Edit", &json!({ "file_path": "RUBRIC.md", "old_string": "a", "new_string": "b" }), "RUBRIC.md");
    denied("MultiEdit", &json!({ "file_path": "/work/shop/src/../gulf.toml", "edits": [] }), "gulf.toml");
    denied("NotebookEdit", &json!({ "notebook_path": ".gulf/x.ipynb", "new_source": "" }), ".gulf/");
    denied(
        "Write",
        &json!({ "file_path": "/home/ada/.local/state/gulf/x", "content": "" }),
        "/home/ada/.local/state/gulf",
    );
    denied("Write", &json!({ "file_path": "~/.local/state/gulf/x" }), "/home/ada/.local/state/gulf");
    denied(
        "Write",
        &json!({ "file_path": "/work/shop/.claude/gulf-loop.local.md" }),
        ".claude/gulf-loop.local.md",
    );
    denied("Monitor", &json!({ "command": "rm RUBRIC.md" }), "RUBRIC.md");
}

#[test]
fn claude_code_reads_all_and_writes_what_is_the_workers() {
    allowed("Read", &json!({ "file_path": "/work/shop/RUBRIC.md" }));
    allowed("Grep", &json!({ "pattern": "x", "path": "RUBRIC.md" }));
    allowed("Glob", &json!({ "pattern": "RUBRIC.md" }));
    allowed("TodoWrite", &json!({ "todos": [{ "content": "RUBRIC.md", "status": "pending" }] }));
    allowed("Task", &json!({ "prompt": "rm RUBRIC.md" }));
    for path in [
        "progress.txt", ".claude/memory/lessons.md", ".gulf/notepad.md", ".claude/settings.json",
        ".claude/settings.local.json", "tests/rubric_test.py", "docs/RUBRIC.md", "README.md",
        "/tmp/RUBRIC.md", "RUBRIC.md.orig",
    ] {
        allowed("Write", &json!({ "file_path": path, "content": "RUBRIC.md" }));
        allowed("Edit", &json!({ "file_path": path, "old_string": "RUBRIC.md", "new_string": ".gulf" }));
    }
}

#[test]
fn codex_does_not_patch_what_is_sealed() {
    denied("apply_patch", &json!({ "command": PATCH }), "RUBRIC.md");
    denied("apply_patch", &json!({ "input": PATCH }), "RUBRIC.md");
    let moved = "*** Begin Patch\n*** Update File: a.md\n*** Move to: PROMPT.md\n@@\n-a\n+b\n*** End Patch";
    denied("apply_patch", &json!({ "command": moved }), "PROMPT.md");
    denied("Bash", &json!({ "command": format!("apply_patch <<'EOF'\n{PATCH}\nEOF") }), "RUBRIC.md");
    denied("shell", &json!({ "command": ["bash", "-lc", "echo x > RUBRIC.md"] }), "RUBRIC.md");
    denied("shell", &json!({ "command": ["apply_patch", PATCH] }), "RUBRIC.md");
    denied("shell", &json!({ "command": ["rm", "../RUBRIC.md"], "workdir": "src" }), "RUBRIC.md");
    denied("exec_command", &json!({ "cmd": "rm RUBRIC.md", "workdir": "/work/shop" }), "RUBRIC.md");
}

#[test]
fn codex_patches_everything_else() {
    let content = "*** Begin Patch\n*** Update File: README.md\n@@\n-*** Add File: RUBRIC.md\n+*** Add File: RUBRIC.md\n \
                   *** Delete File: RUBRIC.md\n*** End Patch";
    allowed("apply_patch", &json!({ "command": content }));
    allowed("shell", &json!({ "command": ["cat", "RUBRIC.md"] }));
    allowed("exec_command", &json!({ "cmd": "rm RUBRIC.md", "workdir": "/tmp" }));
    allowed("update_plan", &json!({ "plan": [{ "step": "RUBRIC.md" }] }));
}

#[test]
fn copilot_does_not_write_what_is_sealed() {
    denied("Write", &json!({ "path": "/work/shop/RUBRIC.md", "file_text": "x" }), "RUBRIC.md");
    denied("create", &json!({ "path": "/work/shop/RUBRIC.md", "file_text": "x" }), "RUBRIC.md");
    denied("edit", &json!({ "path": "/work/shop/RUBRIC.md", "old_str": "a", "new_str": "b" }), "RUBRIC.md");
    denied("Edit", &json!(PATCH), "RUBRIC.md");
    denied("bash", &json!({ "command": "rm RUBRIC.md", "mode": "sync" }), "RUBRIC.md");
    denied("str_replace_editor", &json!({ "command": "create", "path": "RUBRIC.md" }), "RUBRIC.md");
    denied("write_bash", &json!({ "shellId": "1", "input": "rm RUBRIC.md" }), "RUBRIC.md");
    denied("create", &json!("{\"path\":\"RUBRIC.md\",\"file_text\":\"\"}"), "RUBRIC.md");
    denied("replace_string_in_file", &json!({ "filePath": "/work/shop/RUBRIC.md" }), "RUBRIC.md");
    let replacements = json!({ "replacements": [{ "filePath": "a" }, { "filePath": "RUBRIC.md" }] });
    denied("multi_replace_string_in_file", &replacements, "RUBRIC.md");
    denied("run_in_terminal", &json!({ "command": "rm RUBRIC.md" }), "RUBRIC.md");
}

#[test]
fn copilot_reads_all() {
    allowed("view", &json!({ "path": "RUBRIC.md" }));
    allowed("str_replace_editor", &json!({ "command": "view", "path": "RUBRIC.md" }));
    allowed("read_bash", &json!({ "shellId": "1", "delay": 5 }));
    allowed("edit", &json!({ "path": "README.md", "old_str": PATCH, "new_str": "" }));
    allowed("sql", &json!({ "query": "insert into RUBRIC.md" }));
}

#[test]
fn tools_of_other_servers_are_judged_by_their_name() {
    let path = json!({ "path": "/work/shop/RUBRIC.md" });
    denied("mcp__filesystem__write_file", &path, "RUBRIC.md");
    denied("mcp__filesystem__edit_file", &path, "RUBRIC.md");
    denied(
        "mcp__filesystem__move_file",
        &json!({ "source": ".claude", "destination": "x" }),
        ".claude/autochecks.sh",
    );
    denied("mcp__fs__delete", &json!({ "uris": ["file:///work/shop/RUBRIC.md"] }), "RUBRIC.md");
    allowed("mcp__filesystem__read_text_file", &path);
    allowed("mcp__writer__list", &path);
    allowed("mcp__filesystem__write_file", &json!({ "path": "README.md", "content": "RUBRIC.md is sealed" }));
    allowed("mcp__github__create_issue", &json!({ "title": "x", "body": "rm RUBRIC.md" }));
}

#[test]
fn inputs_of_no_known_form_are_let_pass() {
    for input in [
        json!(null),
        json!([]),
        json!({}),
        json!(3),
        json!("rm"),
        json!({ "command": 3 }),
        json!({ "file_path": {} }),
    ] {
        for name in ["Write", "Bash", "apply_patch", "mcp__a__write", "", "mcp__"] {
            allowed(name, &input);
        }
    }
    check("Write", &json!({ "file_path": "RUBRIC.md" }), "", None);
    check("Bash", &json!({ "command": "rm RUBRIC.md" }), "relative", None);
}
