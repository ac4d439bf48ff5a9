//! The npm packages that `cargo xtask dist` lays out bring the binary of this machine: alone, and with the plugin.

use std::fs;
use std::process::Command;

use camino::Utf8PathBuf;
use gulf_testkit::{Invocation, Key, Sample, Sandbox, Size, gulf, quote, skip};

use super::registry::Registry;
use super::{plugin, script};

const SCREEN: Size = Size { rows: 24, columns: 80 };

/// Laid out and packed around a program that stands for the binary, and served.
struct Shop {
    sandbox: Sandbox,
    registry: Registry,
}

impl Shop {
    /// Or a loud word that npm is not here.
    fn with(program: &str) -> Option<Shop> {
        let sandbox = Sandbox::awkward(&Sample::green());
        if !Command::new("npm").arg("--version").output().is_ok_and(|output| output.status.success()) {
            skip("npm is not here, so no package is installed");
            return None;
        }
        let (binary, dist) = (sandbox.path("binary"), sandbox.path("dist"));
        script(&binary, program);
        let xtask = gulf().with_file_name("xtask");
        assert!(xtask.is_file(), "xtask is not built beside {}\nhint: cargo build -p xtask", gulf());
        let arguments = ["dist", "npm", "--binary", binary.as_str(), "--output", dist.as_str()];
        npm_settings(&sandbox, sandbox.program(xtask.as_str(), arguments), "")
            .run()
            .expect_exit(0)
            .says("laid out: ");
        let registry = Registry::serve(dist.join("npm"));
        Some(Shop { sandbox, registry })
    }

    fn npm<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Invocation {
        npm_settings(&self.sandbox, self.sandbox.program("npm", arguments), &self.registry.url)
    }

    /// As `npm install --global` does it.
    fn installed(&self) -> Utf8PathBuf {
        let prefix = self.sandbox.path("prefix");
        self.npm(["install", "--global", "--prefix", prefix.as_str(), "gulf-loop"]).run().expect_exit(0);
        prefix.join("bin/gulf")
    }
}

fn npm_settings(sandbox: &Sandbox, npm: Invocation, registry: &str) -> Invocation {
    npm.variable("npm_config_registry", registry)
        .variable("npm_config_cache", sandbox.path("npm cache"))
        .variable("npm_config_audit", "false")
        .variable("npm_config_fund", "false")
        .variable("npm_config_update_notifier", "false")
        .variable("npm_config_fetch_retries", "0")
}

/// The real gulf, which need not be packed for that.
fn real() -> String {
    format!("exec {} \"$@\"", quote(gulf().as_str()))
}

#[test]
fn npm_brings_the_binary_of_this_machine_and_a_launcher_that_hands_everything_on() {
    let Some(shop) = Shop::with(&real()) else { return };
    let gulf = shop.installed();
    let call = |arguments: &[&str]| shop.sandbox.program(gulf.as_str(), arguments.iter().copied());
    call(&["--version"]).run().expect_exit(0).says(&format!("gulf {}", env!("CARGO_PKG_VERSION")));
    let npx = shop.sandbox.program("npx", ["--yes", "gulf-loop", "--version"]);
    npm_settings(&shop.sandbox, npx, &shop.registry.url).run().expect_exit(0).says("gulf ");
    call(&["no such command"]).run().expect_exit(2).says("no such command");
    call(&["align", "--init"]).run().expect_exit(0);
    assert!(
        shop.sandbox.file("gulf-align.md").exists() || shop.sandbox.file(".claude/gulf-align.md").exists()
    );
}

#[test]
fn the_launcher_dies_of_what_its_program_dies_of_and_outlasts_a_ctrl_c() {
    let ready = "if [ \"$1\" = die ]; then kill -TERM $$; fi\ntrap 'exit 7' INT\necho ready\nwhile :; do read -r line; done";
    let Some(shop) = Shop::with(ready) else { return };
    let gulf = shop.installed();
    let died = shop.sandbox.program(gulf.as_str(), ["die"]).run();
    assert_eq!(died.exit, None, "{died:?}");
    let terminal = shop.sandbox.program(gulf.as_str(), []).on_terminal(SCREEN);
    terminal.wait_for("ready");
    terminal.press(Key::Control('c'));
    assert_eq!(terminal.finish(), 7);
}

#[test]
fn the_plugin_that_is_laid_out_brings_its_binary_as_claude_code_fetches_it() {
    let Some(shop) = Shop::with(&real()) else { return };
    let plugin = shop.sandbox.path("dist/plugin");
    // The lock file holds the digest of what was packed: another tarball would be refused.
    shop.npm(["ci", "--ignore-scripts"]).directory(&plugin).run().expect_exit(0);
    let shim = plugin.join("bin/gulf");
    let call = shop.sandbox.program(shim.as_str(), ["--version"]).variable("PATH", "/usr/bin:/bin");
    call.run().expect_exit(0).says(&format!("gulf {}", env!("CARGO_PKG_VERSION")));
    let packages = plugin.join("node_modules/@gulf-loop").read_dir_utf8().unwrap().count();
    assert_eq!(packages, 1, "only the one for this machine");
}

#[test]
fn a_tarball_that_is_not_the_packed_one_is_refused() {
    let Some(shop) = Shop::with("echo one") else { return };
    let plugin = shop.sandbox.path("dist/plugin");
    let npm = shop.sandbox.path("dist/npm");
    let tarballs = npm.read_dir_utf8().unwrap().map(|entry| entry.unwrap().into_path());
    let binary =
        tarballs.filter(|path| path.extension() == Some("tgz")).find(|path| path.as_str().contains("-cli-"));
    fs::copy(npm.join(format!("gulf-loop-{}.tgz", env!("CARGO_PKG_VERSION"))), binary.unwrap()).unwrap();
    // It is optional, so npm goes on without it; the shim then says what is missing.
    shop.npm(["ci", "--ignore-scripts"]).directory(&plugin).run().says("corrupted");
    let shim = plugin.join("bin/gulf");
    let call = shop.sandbox.program(shim.as_str(), ["--version"]).variable("PATH", "/usr/bin:/bin");
    call.run().expect_exit(127).says("hint: ");
}

#[test]
fn the_plugin_that_is_laid_out_is_the_repositorys_with_packages() {
    let Some(shop) = Shop::with("echo") else { return };
    let laid_out = shop.sandbox.path("dist/plugin");
    for path in ["hooks/hooks.json", "bin/gulf", ".claude-plugin/plugin.json", "skills/help/SKILL.md"] {
        assert_eq!(fs::read(laid_out.join(path)).unwrap(), fs::read(plugin().join(path)).unwrap(), "{path}");
    }
    for path in ["package.json", "package-lock.json", "npm-shrinkwrap.json", "../npm/gulf-loop/package.json"]
    {
        let text = fs::read_to_string(laid_out.join(path)).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(document["version"], env!("CARGO_PKG_VERSION"), "{path}");
    }
}
