//! A worker's pushes lead nowhere, whatever its agent lets it run: what is published is a person's to say.
//!
//! Agents' own rules look at the words of a command, and there are more ways to write one than rules. Only the
//! project's own remotes are closed: its tests may push to repositories that they make themselves.

use std::sync::OnceLock;

use gulf_host::git::{GitError, PushTargets, Repository};

/// By which git hands its `-c` settings on.
const PARAMETERS: &str = "GIT_CONFIG_PARAMETERS";
/// What a push reaches instead: no repository, in words that whoever reads git's complaint understands.
const NOWHERE: &str = "/dev/null/gulf-leaves-pushing-to-a-person/";

/// The setting for a worker's git, once somebody has asked for it.
#[derive(Debug, Default)]
pub(crate) struct Pushes {
    parameters: OnceLock<Option<String>>,
}

impl Pushes {
    /// What a worker's git is told, in a variable of this name; nothing where there is no remote.
    pub(crate) fn setting(&self, repository: &Repository) -> Result<Option<(String, String)>, GitError> {
        let parameters = match self.parameters.get() {
            Some(parameters) => parameters,
            None => {
                let targets = repository.push_targets()?;
                self.parameters.get_or_init(|| parameters(&targets))
            }
        };
        Ok(parameters.clone().map(|text| (PARAMETERS.to_owned(), text)))
    }
}

/// `'url.NOWHERE.pushInsteadOf=URL' …`, quoted as a shell would; none where there is no remote.
fn parameters(targets: &PushTargets) -> Option<String> {
    let setting = |key: &str, url: &String| {
        let text = format!("url.{NOWHERE}.{key}={url}");
        format!("'{}'", text.replace('\'', r"'\''").replace('!', r"'\!'"))
    };
    let both = targets.for_both.iter().map(|url| setting("pushInsteadOf", url));
    let pushes = targets.for_pushes.iter().map(|url| setting("insteadOf", url));
    let all: Vec<String> = both.chain(pushes).collect();
    (!all.is_empty()).then(|| all.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{NOWHERE, parameters};
    use gulf_host::git::PushTargets;

    #[test]
    fn every_address_of_a_remote_leads_nowhere_and_none_is_no_setting() {
        assert_eq!(parameters(&PushTargets::default()), None);
        let targets = PushTargets {
            for_both: vec!["/srv/it's.git".to_owned()],
            for_pushes: vec!["git@example.com:shop.git".to_owned()],
        };
        let expected = format!(
            r"'url.{NOWHERE}.pushInsteadOf=/srv/it'\''s.git' 'url.{NOWHERE}.insteadOf=git@example.com:shop.git'"
        );
        assert_eq!(parameters(&targets), Some(expected));
    }
}
