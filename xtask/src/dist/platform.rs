//! The platforms that gulf is shipped for: Rust's name of each, and npm's.

use crate::failure::Failure;

/// A machine that a binary is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Platform {
    /// As in `cargo build --target`.
    pub(crate) triple: &'static str,
    /// npm's `os`.
    pub(crate) os: &'static str,
    /// npm's `cpu`.
    pub(crate) cpu: &'static str,
    /// npm's `libc`, where there are several.
    pub(crate) libc: Option<&'static str>,
}

/// The same as in deny.toml: what is shipped has been looked through.
pub(crate) const PLATFORMS: [Platform; 3] = [
    Platform { triple: "x86_64-unknown-linux-gnu", os: "linux", cpu: "x64", libc: Some("glibc") },
    Platform { triple: "aarch64-unknown-linux-gnu", os: "linux", cpu: "arm64", libc: Some("glibc") },
    Platform { triple: "aarch64-apple-darwin", os: "darwin", cpu: "arm64", libc: None },
];

impl Platform {
    pub(crate) fn find(triple: &str) -> Result<Platform, Failure> {
        let found = PLATFORMS.iter().find(|platform| platform.triple == triple);
        found.copied().ok_or_else(|| Failure::Found {
            what: format!("gulf is not shipped for {triple}"),
            hint: "the platforms stand in xtask/src/dist/platform.rs",
        })
    }

    /// The machine that this runs on.
    pub(crate) fn here() -> Result<Platform, Failure> {
        let cpu = match std::env::consts::ARCH {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => other,
        };
        let os = match std::env::consts::OS {
            "macos" => "darwin",
            other => other,
        };
        let found = PLATFORMS.iter().find(|platform| (platform.os, platform.cpu) == (os, cpu));
        found.copied().ok_or_else(|| Failure::Found {
            what: format!("gulf is not shipped for {os} on {cpu}"),
            hint: "name another with `--target`",
        })
    }

    /// The last part of its package's name: what `bin/gulf` of the plugin and the launcher look for.
    pub(crate) fn package(&self) -> String {
        format!("cli-{}-{}", self.os, self.cpu)
    }
}
