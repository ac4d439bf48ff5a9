//! What a worker sees of the machine: all of it to read, but for a person's keys and what others listen on; and to write
//! its checkout, what is its own of the home, and folders for what is temporary, but nothing that checks are run with, and
//! nothing of gulf's.

use std::collections::BTreeSet;

use camino::{Utf8Path, Utf8PathBuf};
use gulf_host::files::{self, Durability};
use gulf_host::isolation::{self, Bubblewrap, Inhabitant, Mount, MountAccess, Network, Walls};
use gulf_host::process::Program;

use super::home::WorkerHome;
use super::{or_refused, room};
use crate::agreement::WorkerWalls;
use crate::error::Result;
use crate::held_out;
use crate::resources::Resources;

/// Keys of a person's, in their home.
const KEYS: [&str; 17] = [
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".config/gh", ".config/glab-cli",
    ".config/gcloud", ".config/op", ".password-store", ".netrc", ".git-credentials", ".pypirc",
    ".cargo/credentials.toml", ".local/share/keyrings", TERRAFORM,
];
const TERRAFORM: &str = ".terraform.d/credentials.tfrc.json";
/// Where programs leave what is temporary; of what others listen on there, nothing is seen.
pub(super) const SHARED: [&str; 3] = ["/dev/shm", "/tmp", "/var/tmp"];
/// What a resolver of names reads below `/run`.
const NAMES: [&str; 2] = ["/run/systemd/resolve", "/run/resolvconf"];
impl Resources {
    /// Puts a program that a worker has a say in behind a worker's walls; it may write where it runs.
    pub(crate) fn confined(
        &self,
        program: Program,
        directory: &Utf8Path,
        signed_in_by: &[&str],
    ) -> Result<Program> {
        if self.agreement.agent.sandbox == WorkerWalls::Off {
            return Ok(program);
        }
        let walls = self.walls_of_worker(directory, signed_in_by)?;
        Ok(or_refused(Bubblewrap::find())?.around(program, &walls))
    }

    fn walls_of_worker(&self, directory: &Utf8Path, signed_in_by: &[&str]) -> Result<Walls> {
        let home = WorkerHome::in_loop(self);
        let machine = &home.machine;
        let reach = self.agreement.agent.reach.iter().map(String::as_str).chain(signed_in_by.iter().copied());
        let reach = reach.map(|path| self.spelled_out(path));
        let reach: Vec<Utf8PathBuf> = reach.filter_map(|path| path.canonicalize_utf8().ok()).collect();
        let of_home = |paths: &[&str]| -> Vec<Utf8PathBuf> {
            let named = machine.of_home(paths).filter_map(|path| path.canonicalize_utf8().ok());
            named.filter(|path| !reach.contains(path)).collect()
        };
        let layout = self.repository.layout();
        let own = [self.project(), directory, &layout.common_dir, &layout.git_dir];
        let is_own = |path: &Utf8Path| own.iter().any(|own| path.starts_with(own) || own.starts_with(path));
        let shared = room::real(SHARED.map(Utf8Path::new));
        let writable = shared.iter().cloned().chain(home.writable()).collect::<Vec<_>>();
        let is_writable = |path: &Utf8Path| writable.iter().any(|folder| path.starts_with(folder));
        let blank = self.folder.root().join("sealed").join("blank");
        files::replace(&blank, b"", Durability::Buffered)?;
        let nothing = |at: Utf8PathBuf| match at.is_dir() {
            true => Mount::Empty(at),
            false => Mount::Instead { at, from: blank.clone(), access: MountAccess::Read },
        };
        // A command may be found where everybody's programs are.
        let is_around =
            |path: &Utf8Path| ["/usr", "/bin", "/lib", "/etc"].iter().any(|folder| path.starts_with(folder));
        let mut places: Vec<Mount> = shared.iter().cloned().map(Mount::Write).collect();
        places.extend(room::real([Utf8Path::new("/run")]).into_iter().map(Mount::Empty));
        places.extend(shared.iter().flat_map(|folder| isolation::sockets(folder)).map(&nothing));
        places.extend(room::real(NAMES.map(Utf8Path::new)).into_iter().map(Mount::Read));
        let needed =
            own.iter().copied().chain([self.home.as_path()]).chain(reach.iter().map(Utf8PathBuf::as_path));
        places.extend(home.places(&room::real(needed))?);
        places.extend(of_home(&KEYS).into_iter().map(&nothing));
        // Over a link nothing can be mounted; where it leads is what is run.
        let programs = machine.programs();
        let mut programs = room::real(programs.iter().map(Utf8PathBuf::as_path));
        // What is to be written need not be there yet.
        let is_around_writable = |path: &Utf8Path| writable.iter().any(|folder| folder.starts_with(path));
        programs.retain(|path| is_writable(path) && !is_own(path) && !is_around_writable(path));
        places.extend(programs.into_iter().map(Mount::Read));
        places.extend(reach.iter().cloned().map(Mount::Write));
        places.push(Mount::Read(self.home.clone()));
        // Held-out checks run there, and what a product did with them lies there still.
        places.extend(room::real([self.folder.rooms().as_path()]).into_iter().map(Mount::Empty));
        // What lies in another of them comes with it, and can be removed like anything there.
        let own = room::real(own);
        let is_outermost =
            |path: &&Utf8PathBuf| !own.iter().any(|other| *path != other && path.starts_with(other));
        places.extend(own.iter().filter(is_outermost).cloned().map(Mount::Write));
        places.extend(self.own_of_worker()?);
        let secret = held_out::secret(&self.agreement.checks, &self.folder).into_iter();
        let is_seen = |path: &Utf8PathBuf| !is_own(path) && !is_around(path);
        places.extend(secret.filter(is_seen).map(&nothing));
        let (places, directory) = (held(places, &shared), directory.to_owned());
        Ok(Walls { places, directory, network: Network::Machine, inhabitant: Inhabitant::Agent })
    }

    /// Where it leaves its words, and what its agent keeps of a session. What lies there is a worker's, whoever it says
    /// has written it.
    fn own_of_worker(&self) -> Result<Vec<Mount>> {
        let (asked, agents) = (self.folder.asked(), self.folder.root().join("agents"));
        let notes = self.folder.notes();
        for folder in [asked.directory(), &agents, &notes] {
            files::create_private_directories(folder, Durability::Buffered)?;
        }
        let at = self.folder.requests().directory().to_owned();
        Ok(vec![
            Mount::Instead { at, from: asked.directory().to_owned(), access: MountAccess::Write },
            Mount::Write(agents),
            Mount::Write(notes),
        ])
    }

    pub(super) fn spelled_out(&self, path: &str) -> Utf8PathBuf {
        self.environment.spelled_out(path, self.project())
    }
}

/// With a mount of its own for each folder around what is mounted: any other one could be renamed, and what is protected in
/// it with it. What holds others comes first.
fn held(places: Vec<Mount>, writable: &[Utf8PathBuf]) -> Vec<Mount> {
    let mut around: BTreeSet<Utf8PathBuf> = writable.iter().cloned().collect();
    for place in &places {
        let within = place.path().ancestors().skip(1);
        let within = within.filter(|folder| writable.iter().any(|root| folder.starts_with(root)));
        around.extend(within.map(Utf8Path::to_owned));
    }
    let is_first = |place: &Mount| matches!(place, Mount::Write(path) if writable.contains(path));
    let rest: Vec<Mount> = places.into_iter().filter(|place| !is_first(place)).collect();
    around.into_iter().map(Mount::Write).chain(rest).collect()
}
