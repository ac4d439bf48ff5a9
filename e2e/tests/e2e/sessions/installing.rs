//! The plugin comes by each host's own commands.

use gulf_testkit::Sample;
use gulf_testkit::model::Script;

use super::{HOSTS, Scene};

#[test]
fn each_host_installs_the_plugin_by_its_own_commands_and_lists_it() {
    for host in HOSTS {
        let Some(scene) = Scene::with(host, &Sample::shell(), |_| Script::new()) else { return };
        scene.call(["plugin", "list"]).run().expect_exit(0).says("gulf-loop");
        scene.close();
    }
}

#[test]
fn a_session_without_a_loop_is_as_it_would_be_without_the_plugin() {
    for host in HOSTS {
        let Some(scene) = Scene::with(host, &Sample::shell(), |_| Script::new()) else { return };
        let said = scene.say("What is in value.txt?");
        let said =
            said.finished.expect_exit(0).says("Done.").does_not_say("[gulf]").does_not_say("Gulf Loop");
        assert_eq!(scene.server.model_calls().len(), 1, "{said:?}");
        scene.close();
    }
}
