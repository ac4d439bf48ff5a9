//! What a check sees of the machine: its checkout and the tools it is run with, and nothing else that anybody may write.

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::isolation::{Inhabitant, Mount, MountAccess, Network, Walls};
use gulf_host::provision;

use super::seen::{self, Machine, SETTINGS_OF_TOOLS, SHARED};
use crate::agreement::{SealedCheck, WorkerWalls};
use crate::error::Failure;
use crate::held_out;
use crate::room::Room;
use crate::workshop::Workshop;

/// Where a check's caches of the home are looked for, and what the room has of them.
const CACHES: [(&str, &str); 2] = [(".cache/go-build", "go-build"), (".cargo/registry/src", "cargo-src")];
/// Set for every check: no downloads, and none is tried again for minutes.
const SET: [(&str, &str); 2] = [("CARGO_NET_OFFLINE", "true"), ("npm_config_fetch_retries", "0")];
/// What these name is not in the room.
const ELSEWHERE: [&str; 10] = [
    "TMPDIR", "TMP", "TEMP", "GOCACHE", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "SSH_AUTH_SOCK",
    "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY",
];

impl Workshop {
    /// What a check in this room sees and may do.
    pub(crate) fn walls_of_room(
        &self,
        room: Room,
        checkout: &Utf8Path,
        check: &SealedCheck,
    ) -> Result<Walls, Failure> {
        provision::remove_byte_code(checkout, &self.terms().dependency_folders)
            .map_err(|error| Failure::Refused(format!("cannot remove byte code in {checkout}: {error}")))?;
        let machine = self.machine();
        // The worker's checkout is nobody's tool.
        let own = [self.project(), &self.terms().person, &self.home];
        let is_own = |path: &Utf8Path| own.iter().any(|own| path.starts_with(own) || own.starts_with(path));
        let hidden = seen::real(SHARED.map(Utf8Path::new).into_iter().chain(own).chain(machine.home));
        let mut visible = machine.programs();
        visible.extend(machine.downloads());
        if self.agreement.agent.sandbox == WorkerWalls::On {
            visible.extend(machine.of_home(&SETTINGS_OF_TOOLS));
        }
        visible.extend(self.agreement.verification.visible.iter().map(Utf8PathBuf::from));
        visible.extend(held_out::named_paths(&check.command));
        visible.retain(|path| !is_own(path) && !hidden.contains(path));
        visible.extend(self.repository.object_folders());
        visible.push(held_out::brought(&self.folder, check.name.as_str()));
        visible.extend(self.terms().links.iter().map(|link| self.terms().person.join(link)));
        visible.retain(|path| path.exists() && hidden.iter().any(|folder| path.starts_with(folder)));
        visible.sort();
        visible.dedup();
        let caches = self.caches(room, &machine)?;
        let written = [checkout.to_owned(), self.folder.room(&format!("{}.reports", room.name()))];
        let places = hidden.into_iter().map(Mount::Empty).chain(visible.into_iter().map(Mount::Read));
        let places = places.chain(caches).chain(written.map(Mount::Write)).collect();
        let directory = checkout.join(&check.directory);
        Ok(Walls { places, directory, network: Network::Loopback, inhabitant: Inhabitant::Check })
    }

    /// What a build may keep of its own beside the checkout. Sources of crates are unpacked here, by what the lock file
    /// says of their archives.
    fn caches(&self, room: Room, machine: &Machine<'_>) -> Result<Vec<Mount>, Failure> {
        let mut places = Vec::new();
        for (cache, name) in CACHES {
            for at in machine.of_home(&[cache]) {
                let is_wanted = at.exists() || name == "go-build";
                let from = self.folder.room(&format!("{}.cache", room.name())).join(name);
                if is_wanted {
                    files::create_private_directories(&from, Durability::Buffered)?;
                    places.push(Mount::Instead { at, from, access: MountAccess::Write });
                }
            }
        }
        Ok(places)
    }

    pub(super) fn machine(&self) -> Machine<'_> {
        let home = self.environment.value("HOME").map(Utf8Path::new);
        Machine { home, environment: &self.environment }
    }
}

/// The variables of a check behind walls.
pub(crate) fn variables(mut environment: Vec<(String, String)>) -> Vec<(String, String)> {
    let is_set = |name: &str| SET.iter().any(|(set, _)| *set == name) || ELSEWHERE.contains(&name);
    environment.retain(|(name, _)| !is_set(name));
    environment.extend(SET.map(|(name, value)| (name.to_owned(), value.to_owned())));
    environment
}
