//! What lies outside of the project, and checks may read all the same.

use gulf_testkit::{Sample, Sandbox, bubblewrap, quote};

use super::isolated;
use crate::exit;

// proves: B2
#[test]
fn a_folder_of_the_persons_home_is_visible_by_its_short_name() {
    if !bubblewrap() {
        return;
    }
    let sandbox = Sandbox::with(&Sample::shell());
    let data = sandbox.home().join("data");
    std::fs::create_dir_all(&data).unwrap();
    std::fs::write(data.join("word"), "right").unwrap();
    let word = quote(data.join("word").as_str());
    sandbox.write("gulf.toml", "[verify]\nvisible = [\"~/data\", \"~/gone\"]\n");
    sandbox.write("check.sh", format!("grep -qx \"$(cat {word})\" value.txt\n"));
    sandbox.commit("check");
    let finished = isolated(&sandbox, "sh check.sh", &["--isolation", "isolated"]);
    finished
        .expect_exit(exit::VERIFIED)
        .says("note: `verify.visible` names ~/gone, and there is no such path");
}
