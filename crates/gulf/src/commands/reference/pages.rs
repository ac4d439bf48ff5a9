//! The pages of the command line and of the settings.

use std::fmt::Write as _;

use gulf_spec::config;

use crate::help;

/// As wide as the help is on the widest terminal.
const COLUMNS: usize = 100;

/// Every command's help, as `--help` prints it.
pub(super) fn cli() -> String {
    let mut page = String::from("# Command line\n\nWhat `gulf COMMAND --help` prints.\n");
    let mut command = at_width(help::command());
    command.build();
    write_command(&mut page, &mut command, "gulf");
    page
}

/// Every key of gulf.toml.
pub(super) fn config() -> String {
    format!(
        "# Settings\n\n\
         Who speaks later outranks who speaks earlier: defaults, `~/.config/gulf/gulf.toml`, the project's\n\
         `gulf.toml`, environment variables, flags. `gulf config explain` shows each value in force and who said it.\n\
         `group.name` stands in the file as `name` in the table `[group]`; `check.…` are the keys of a `[[check]]`.\n\n\
         {}",
        config::reference()
    )
}

fn at_width(command: clap::Command) -> clap::Command {
    let command = command.max_term_width(COLUMNS).term_width(COLUMNS);
    command.mut_subcommands(at_width)
}

fn write_command(page: &mut String, command: &mut clap::Command, name: &str) {
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    let _ = write!(page, "\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    for one in command.get_subcommands_mut().filter(|one| !one.is_hide_set() && one.get_name() != "help") {
        let name = format!("{name} {}", one.get_name());
        write_command(page, one, &name);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_has_a_section_for_every_command_that_is_shown() {
        let page = super::cli();
        for command in crate::help::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(page.contains(&format!("\n## gulf {}\n", command.get_name())), "{}", command.get_name());
        }
        assert!(page.contains("\n## gulf config explain\n") && !page.contains("__reference"), "{page}");
    }

    #[test]
    fn no_line_is_wider_than_the_page_and_none_is_coloured() {
        // Command lines in examples are written to be copied, not wrapped.
        let page = super::cli();
        assert!(!page.contains('\u{1b}'));
        let wide: Vec<_> = page.lines().filter(|line| line.chars().count() > super::COLUMNS + 10).collect();
        assert_eq!(wide, Vec::<&str>::new());
    }
}
