//! The Homebrew formula: which archive for which machine, and its digest.

use super::platform::Platform;

/// `from` is where the archives lie; each comes with its platform and its digest.
pub(super) fn text(version: &str, from: &str, archives: &[(Platform, String, String)]) -> String {
    let system = |name: &str, os: &str| {
        let fitting = archives.iter().filter(|(platform, ..)| platform.os == os);
        let blocks: String = fitting.map(|archive| block(from, archive)).collect();
        if blocks.is_empty() { String::new() } else { format!("  {name} do\n{blocks}  end\n\n") }
    };
    format!(
        "class GulfLoop < Formula\n  desc \"Keeps a coding agent working until the work is verified\"\n  homepage \"{from}\"\n  \
         version \"{version}\"\n  license any_of: [\"MIT\", \"Apache-2.0\"]\n\n{}{}  def install\n    bin.install \"bin/gulf\"\n    \
         man1.install Dir[\"share/man/man1/*.1\"]\n    \
         bash_completion.install \"share/bash-completion/completions/gulf\"\n    \
         zsh_completion.install \"share/zsh/site-functions/_gulf\"\n    \
         fish_completion.install \"share/fish/vendor_completions.d/gulf.fish\"\n  end\n\n  \
         test do\n    system bin/\"gulf\", \"demo\"\n  end\nend\n",
        system("on_macos", "darwin"),
        system("on_linux", "linux"),
    )
}

fn block(from: &str, (platform, name, digest): &(Platform, String, String)) -> String {
    let cpu = if platform.cpu == "arm64" { "on_arm" } else { "on_intel" };
    format!("    {cpu} do\n      url \"{from}/{name}\"\n      sha256 \"{digest}\"\n    end\n")
}
