//! Pages made of the program itself: the reference that `cargo xtask gen` writes.

use std::fmt::Write as _;

use camino::Utf8Path;
use clap_complete::Shell;
use gulf_spec::handle;

use crate::cli::ReferencePage;
use crate::failure::{Failure, Result};
use crate::screen::say;
use crate::{glossary, help, place};

pub fn reference(page: ReferencePage) -> Result<u8> {
    let page = match page {
        ReferencePage::Cli => cli(),
        ReferencePage::Config => config(),
        ReferencePage::Glossary => glossary::page(),
        ReferencePage::Schema => gulf_spec::config::schema(),
    };
    say(&page)?;
    Ok(0)
}

// The pages of the command line and of the settings.

/// As wide as the help is on the widest terminal.
const COLUMNS: usize = 100;

/// Every command's help, as `--help` prints it.
fn cli() -> String {
    let mut page = String::from("# Command line\n\nWhat `gulf COMMAND --help` prints.\n");
    let mut command = at_width(help::command());
    command.build();
    write_command(&mut page, &mut command, "gulf");
    page
}

/// Every key of gulf.toml.
fn config() -> String {
    format!(
        "# Settings\n\n\
         Who speaks later outranks who speaks earlier: defaults, `~/.config/gulf/gulf.toml`, the project's\n\
         `gulf.toml`, environment variables, flags. `gulf config explain` shows each value in force and who said it.\n\
         `group.name` stands in the file as `name` in the table `[group]`; `check.…` are the keys of a `[[check]]`.\n\n\
         {}",
        gulf_spec::config::reference()
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

// Completion scripts and man pages: made of the table of commands, and the loops looked up when somebody presses the key.

/// Asks gulf itself, and says nothing where there is no loop.
const ASK: &str = "gulf __loops 2>/dev/null";

pub fn completions(shell: Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut help::command(), "gulf", &mut script);
    let script = with_loops(shell, &String::from_utf8_lossy(&script));
    say(&script)?;
    Ok(0)
}

/// A page for gulf and one for each of its commands.
pub fn man(folder: &Utf8Path) -> Result<u8> {
    let failed =
        |error: std::io::Error| Failure::world(&error, Some("name a folder where you can write".to_owned()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    clap_mangen::generate_to(help::command(), folder).map_err(failed)?;
    Ok(0)
}

/// The handles of this repository's loops, a line each.
pub fn loops() -> Result<u8> {
    let place = place::here()?;
    let names = place.repository.loop_names().map_err(gulf_runner::error::RunError::from)?;
    let names: Vec<&str> = names.iter().map(gulf_host::home::Name::as_str).collect();
    handle::handles(&names).iter().for_each(|handle| outln!("{handle}"));
    Ok(0)
}

/// The commands that take a loop by its place on the line.
fn commands() -> Vec<String> {
    let takes_loop = |arg: &clap::Arg| {
        let names = arg.get_value_names().into_iter().flatten();
        arg.is_positional() && names.into_iter().any(|name| name.starts_with("LOOP"))
    };
    let command = help::command();
    let named = command.get_subcommands().filter(|one| one.get_arguments().any(takes_loop));
    named.map(|one| one.get_name().to_owned()).collect()
}

fn with_loops(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => format!("{script}\n{}", bash()),
        Shell::Zsh => zsh(script),
        Shell::Fish => format!(
            "{script}\ncomplete -c gulf -n \"__fish_seen_subcommand_from {}\" -f -a \"({ASK})\"\n\
             complete -c gulf -l loop -x -a \"({ASK})\"\n",
            commands().join(" ")
        ),
        // Their scripts have no place for words that are found out, and clap may come to know more shells.
        Shell::Elvish | Shell::PowerShell | _ => script.to_owned(),
    }
}

fn bash() -> String {
    format!(
        "_gulf_with_loops() {{\n    _gulf \"$@\"\n    local current=\"${{COMP_WORDS[COMP_CWORD]}}\" before=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n    \
         case \"$before\" in\n        --loop|{}) COMPREPLY+=($(compgen -W \"$({ASK})\" -- \"$current\")) ;;\n    esac\n}}\n\
         complete -F _gulf_with_loops -o bashdefault -o default gulf\n",
        commands().join("|")
    )
}

/// `_default` offers files; where a loop belongs, loops are offered.
fn zsh(script: &str) -> String {
    let line = |line: &str| {
        let is_loop =
            ["'::id -- ", "'::point -- ", "'::span -- "].iter().any(|start| line.starts_with(start));
        if is_loop || line.contains(":LOOP:_default") {
            line.replace(":_default'", ":_gulf_loops'")
        } else {
            line.to_owned()
        }
    };
    let lines: Vec<String> = script.lines().map(line).collect();
    let (first, rest) = lines.split_first().map_or(("", &[][..]), |(first, rest)| (first.as_str(), rest));
    format!(
        "{first}\n\n_gulf_loops() {{\n    local -a loops=(${{(f)\"$({ASK})\"}})\n    compadd -a loops\n}}\n{}\n",
        rest.join("\n")
    )
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
