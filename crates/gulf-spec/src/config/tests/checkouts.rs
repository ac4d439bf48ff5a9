//! What is said of fresh checkouts: `[environment]`, and what stood elsewhere before; apart because it is a block of its own.

use super::*;

#[test]
fn what_is_wrong_about_fresh_checkouts_is_pointed_at() {
    insta::assert_snapshot!(
        lines_and_hints(
            r#"[environment]
copy = [".env*", "a[", "!b", "/a..b", "a/../../c"]
link = ["data", "../x", "/y", "a/.git/b"]
cache = ["./z", ""]
ports = ["PORT", "PORT", "4X", "GULF_HOME", "A-B", "PATH", "LD_PRELOAD"]
port_range = "20000-20003"
[verify]
visible = ["/srv/data", "~/data", "$DATA/x", "data", "", "~"]
[agent]
reach = ["../shared", " "]
"#
        ),
        @r#"
        gulf.toml:2:8: `a/../../c` in `environment.copy` is not an ignore pattern: it leads out of the project · write a pattern as in .gitignore, such as ".env" or "config/*.local"
        gulf.toml:3:8: `environment.link` is not a path inside the project: `../x` · write a path as git shows it, such as "data/large"
        gulf.toml:3:8: `environment.link` is not a path inside the project: `/y` · write a path as git shows it, such as "data/large"
        gulf.toml:3:8: `environment.link` is not a path inside the project: `a/.git/b` · write a path as git shows it, such as "data/large"
        gulf.toml:4:9: `environment.cache` is not a path inside the project: `./z` · write a path as git shows it, such as "data/large"
        gulf.toml:4:9: `environment.cache` is not a path inside the project: `` · write a path as git shows it, such as "data/large"
        gulf.toml:5:9: `PORT` in `environment.ports` cannot be the name of a variable · write each name once, such as "PORT"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs
        gulf.toml:5:9: `4X` in `environment.ports` cannot be the name of a variable · write each name once, such as "PORT"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs
        gulf.toml:5:9: `GULF_HOME` in `environment.ports` cannot be the name of a variable · write each name once, such as "PORT"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs
        gulf.toml:5:9: `A-B` in `environment.ports` cannot be the name of a variable · write each name once, such as "PORT"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs
        gulf.toml:5:9: `PATH` in `environment.ports` cannot be the name of a variable · write each name once, such as "PORT"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs
        gulf.toml:5:9: `LD_PRELOAD` in `environment.ports` cannot be the name of a variable · write each name once, such as "PORT"; those with `GULF_` are gulf's own, and without PATH, HOME and the like no program runs
        gulf.toml:6:14: `environment.port_range` must be wide enough for all of `environment.ports`, not `20000-20003`
        gulf.toml:8:11: `data` in `verify.visible` is not a whole path · write one such as "/srv/fixtures" or "~/data"; of the project checks see their own checkout
        gulf.toml:8:11: `` in `verify.visible` is not a whole path · write one such as "/srv/fixtures" or "~/data"; of the project checks see their own checkout
        gulf.toml:8:11: `~` in `verify.visible` is not a whole path · write one such as "/srv/fixtures" or "~/data"; of the project checks see their own checkout
        gulf.toml:10:9: a path in `agent.reach` is blank · write one such as "~/.ssh", or leave it out
        "#
    );
    insta::assert_snapshot!(
        lines_and_hints("environment.port_range = \"80-90\"\nenvironment.setup_timeout = 3\n"),
        @r#"
        gulf.toml:1:26: `environment.port_range` must be a range of ports from 1024 on, such as "20000-24999", not `80-90`
        gulf.toml:2:29: `environment.setup_timeout` must be a duration such as "90s" or "1h30m", not a number
        "#
    );
}

#[test]
fn a_key_that_was_moved_is_an_error_that_names_the_new_one() {
    insta::assert_snapshot!(
        lines_and_hints("[verify]\nsetup = \"npm ci\"\ncopy_limit = \"2GiB\"\n"),
        @r#"
        gulf.toml:2:1: `verify.setup` is called `environment.setup` now · write `environment.setup` instead; it means the same
        gulf.toml:3:1: `verify.copy_limit` is called `environment.copy_limit` now · write `environment.copy_limit` instead; it means the same
        "#
    );
    let mut layers = SettingLayers::default();
    layers.environment.push(("GULF_VERIFY_SETUP".to_owned(), "npm ci".to_owned()));
    assert!(lines_of(&layers).contains("is called `GULF_ENVIRONMENT_SETUP` now"), "{}", lines_of(&layers));
}
