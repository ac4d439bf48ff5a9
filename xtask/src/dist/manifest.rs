//! The package.json of each package and the plugin's lock file, as text.
//!
//! These files say what others install: they are made of the version, the platforms and nothing else. Scripts they
//! have none: hosts and careful people do not run them.

use super::platform::{PLATFORMS, Platform};

/// What people install: `npm install --global gulf-loop`, `npx gulf-loop demo`.
pub(crate) const LAUNCHER: &str = "gulf-loop";

/// The names of what that package brings begin so.
pub(crate) const SCOPE: &str = "@gulf-loop";

const LICENSE: &str = "MIT OR Apache-2.0";

/// The package that was packed here: of those for other machines nobody here knows the digest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packed<'a> {
    pub(crate) platform: Platform,
    pub(crate) digest: &'a str,
}

/// A binary with what npm must know to take it only where it runs.
pub(crate) fn of_platform(platform: &Platform, version: &str) -> String {
    let Platform { os, cpu, .. } = platform;
    let libc = platform.libc.map(|libc| format!("  \"libc\": [\"{libc}\"],\n")).unwrap_or_default();
    let name = platform.package();
    format!(
        "{{\n  \"name\": \"{SCOPE}/{name}\",\n  \"version\": \"{version}\",\n  \"description\": \"The gulf binary for {os} on {cpu}\",\n  \"license\": \"{LICENSE}\",\n  \"os\": [\"{os}\"],\n  \"cpu\": [\"{cpu}\"],\n{libc}  \"files\": [\"bin\"]\n}}\n"
    )
}

/// What people install: a launcher, and the binary of their machine.
pub(crate) fn of_cli(version: &str) -> String {
    format!(
        "{{\n  \"name\": \"{LAUNCHER}\",\n  \"version\": \"{version}\",\n  \"description\": \"Keeps a coding agent working until the work is verified\",\n  \"license\": \"{LICENSE}\",\n  \"bin\": {{\n    \"gulf\": \"bin/gulf.js\"\n  }},\n  \"files\": [\"bin\"],\n  \"engines\": {{\n    \"node\": \">=18\"\n  }},\n{}\n}}\n",
        optional_dependencies(version, "  ")
    )
}

/// What makes a host that knows npm fetch the binary with the plugin.
pub(crate) fn of_plugin(version: &str) -> String {
    format!(
        "{{\n  \"name\": \"{SCOPE}/plugin\",\n  \"version\": \"{version}\",\n  \"description\": \"The plugin gulf-loop with the gulf binary of the machine\",\n  \"license\": \"{LICENSE}\",\n{}\n}}\n",
        optional_dependencies(version, "  ")
    )
}

/// The lock file of the plugin.
pub(crate) fn lock_of_plugin(version: &str, packed: Option<&Packed<'_>>) -> String {
    let entries: Vec<String> =
        PLATFORMS.iter().map(|platform| lock_entry(platform, version, packed)).collect();
    format!(
        "{{\n  \"name\": \"{SCOPE}/plugin\",\n  \"version\": \"{version}\",\n  \"lockfileVersion\": 3,\n  \"requires\": true,\n  \"packages\": {{\n    \"\": {{\n      \"name\": \"{SCOPE}/plugin\",\n      \"version\": \"{version}\",\n      \"license\": \"{LICENSE}\",\n{}\n    }},\n{}\n  }}\n}}\n",
        optional_dependencies(version, "      "),
        entries.join(",\n")
    )
}

fn lock_entry(platform: &Platform, version: &str, packed: Option<&Packed<'_>>) -> String {
    let digest = packed.filter(|packed| packed.platform == *platform).map(|packed| packed.digest);
    let integrity = digest.map(|digest| format!("      \"integrity\": \"{digest}\",\n")).unwrap_or_default();
    let libc = platform.libc.map(|libc| format!("      \"libc\": [\"{libc}\"],\n")).unwrap_or_default();
    format!(
        "    \"node_modules/{SCOPE}/{}\": {{\n      \"version\": \"{version}\",\n{integrity}      \"cpu\": [\"{}\"],\n{libc}      \"license\": \"{LICENSE}\",\n      \"optional\": true,\n      \"os\": [\"{}\"]\n    }}",
        platform.package(),
        platform.cpu,
        platform.os
    )
}

/// One of them fits; npm passes over the others.
fn optional_dependencies(version: &str, indent: &str) -> String {
    let lines: Vec<String> = PLATFORMS
        .iter()
        .map(|platform| format!("{indent}  \"{SCOPE}/{}\": \"{version}\"", platform.package()))
        .collect();
    format!("{indent}\"optionalDependencies\": {{\n{}\n{indent}}}", lines.join(",\n"))
}
