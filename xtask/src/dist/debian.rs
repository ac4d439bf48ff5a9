//! The Debian package: the same files below `/usr`, and what apt has to know.

use super::archive::{self, Tree};
use super::glibc::Floor;
use super::platform::Platform;
use crate::failure::Failure;

/// Its name, as in `apt install`.
pub(super) const PACKAGE: &str = "gulf-loop";

/// Debian's name of the processor; none where there is no Debian.
pub(super) fn architecture(platform: &Platform) -> Option<&'static str> {
    match (platform.os, platform.cpu) {
        ("linux", "x64") => Some("amd64"),
        ("linux", "arm64") => Some("arm64"),
        _ => None,
    }
}

pub(super) fn file_name(version: &str, architecture: &str) -> String {
    format!("{PACKAGE}_{version}_{architecture}.deb")
}

/// The package's bytes.
pub(super) fn package(
    version: &str,
    architecture: &str,
    floor: Option<Floor>,
    files: &Tree,
    seconds: u64,
) -> Result<Vec<u8>, Failure> {
    let mut data = Tree::default();
    data.add("./usr/", files);
    let mut control = Tree::default();
    control.text("./control", self::control(version, architecture, floor, data.bytes()));
    let control = archive::gzip(control.tar(seconds)?)?;
    let data = archive::gzip(data.tar(seconds)?)?;
    let members: [(&str, &[u8]); 3] =
        [("debian-binary", b"2.0\n"), ("control.tar.gz", &control), ("data.tar.gz", &data)];
    Ok(archive::ar(&members, seconds))
}

fn control(version: &str, architecture: &str, floor: Option<Floor>, bytes: usize) -> String {
    let libc = floor.map_or_else(|| "libc6".to_owned(), |floor| format!("libc6 (>= {floor})"));
    let size = bytes.div_ceil(1024);
    format!(
        "Package: {PACKAGE}\nVersion: {version}\nArchitecture: {architecture}\nMaintainer: the gulf contributors\n\
         Installed-Size: {size}\nDepends: {libc}, git (>= 1:2.38)\nRecommends: bubblewrap\nSection: devel\nPriority: optional\n\
         Description: keeps a coding agent working until the work is verified\n \
         gulf runs a coding agent in a loop until independent evidence says that the\n work is done: checks on one commit, in a checkout of their own, and something\n \
         that was seen to fail without the change.\n"
    )
}
