//! What a person may ask of `cargo xtask dist`.

use super::glibc::Floor;
use super::platform::Platform;
use crate::failure::Failure;
use crate::program;
use std::path::PathBuf;

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Order {
    Pack(Build),
    /// Build in two folders, and compare what is packed.
    Twice(Build),
    /// Install what was packed for this machine, and run it.
    Try {
        output: PathBuf,
    },
    /// Make one release of what several machines have packed.
    Gather {
        parts: PathBuf,
        from: String,
        output: PathBuf,
    },
}

/// What to lay out, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Build {
    pub(super) extent: Extent,
    pub(super) platform: Platform,
    /// Was it named? Without a name cargo builds for this machine.
    pub(super) is_named: bool,
    /// Linked against this one by cargo-zigbuild.
    pub(super) glibc: Option<Floor>,
    /// A binary that somebody has built already.
    pub(super) binary: Option<PathBuf>,
    /// What is built and packed.
    pub(super) sources: PathBuf,
    pub(super) output: PathBuf,
}

/// How much is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// npm packages and the plugin alone.
    Npm,
    Everything,
}

impl Order {
    /// `None` where nobody can tell what was said.
    pub(crate) fn read(words: &[&str]) -> Option<Result<Order, Failure>> {
        match words {
            ["try", words @ ..] => {
                let flags = Flags::read(words, &["--output"])?;
                Some(Ok(Order::Try { output: flags.output() }))
            }
            ["gather", parts, words @ ..] => {
                let flags = Flags::read(words, &["--from", "--output"])?;
                let from = flags.value("--from")?.to_owned();
                Some(Ok(Order::Gather { parts: PathBuf::from(parts), from, output: flags.output() }))
            }
            ["twice", words @ ..] => {
                Build::read(words, Extent::Everything).map(|build| build.map(Order::Twice))
            }
            ["npm", words @ ..] => Build::read(words, Extent::Npm).map(|build| build.map(Order::Pack)),
            words => Build::read(words, Extent::Everything).map(|build| build.map(Order::Pack)),
        }
    }
}

impl Build {
    fn read(words: &[&str], extent: Extent) -> Option<Result<Build, Failure>> {
        let flags = Flags::read(words, &["--target", "--glibc", "--binary", "--output"])?;
        let glibc = match flags.value("--glibc") {
            Some(text) => Some(Floor::parse(text)?),
            None => None,
        };
        let target = flags.value("--target");
        let platform = target.map_or_else(Platform::here, Platform::find);
        Some(platform.map(|platform| Build {
            extent,
            platform,
            is_named: target.is_some(),
            glibc,
            binary: flags.value("--binary").map(PathBuf::from),
            sources: program::root(),
            output: flags.output(),
        }))
    }

    /// As cargo, or cargo-zigbuild, is told it.
    pub(super) fn target(&self) -> Option<String> {
        let triple = self.platform.triple;
        match self.glibc {
            Some(floor) => Some(format!("{triple}.{floor}")),
            None => self.is_named.then(|| triple.to_owned()),
        }
    }
}

/// Flags with a value each.
struct Flags<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Flags<'a> {
    fn read(words: &[&'a str], known: &[&str]) -> Option<Self> {
        let mut found = Vec::new();
        let mut words = words.iter();
        while let Some(flag) = words.next() {
            found.push((*flag, *words.next()?));
        }
        found.iter().all(|(flag, _)| known.contains(flag)).then_some(Self(found))
    }

    fn value(&self, flag: &str) -> Option<&'a str> {
        self.0.iter().find(|(found, _)| *found == flag).map(|(_, value)| *value)
    }

    fn output(&self) -> PathBuf {
        self.value("--output").map_or_else(|| program::root().join("target/dist"), PathBuf::from)
    }
}
