//! Code that a product takes from a file that is no source, where no linter and no reader looks.

use super::super::Language;
use super::super::scan::is_word;
use super::super::support::file_of;

/// What such a product does.
pub(super) const SHOWN: &str = "runs code of a file that is no source";

/// Does this line run the text of a file? `files` are those that the change adds and that are no sources.
pub(super) fn is_from_file(language: Language, line: &str, lines: &[String], files: &[&str]) -> bool {
    let runs: &[&str] = match language {
        Language::Python => &["exec(", "eval("],
        Language::Script => &["eval(", "new Function(", "new vm.Script("],
        Language::Rust => &["include!("],
        Language::Ruby => &["eval(", "eval "],
        Language::Go | Language::Java => &[],
    };
    let begins = |at: usize| !line[..at].ends_with(|before: char| is_word(before) || before == '.');
    let is_run = |call: &&str| line.match_indices(*call).any(|(at, _)| begins(at));
    let is_run_in = |context: &&str| language == Language::Script && line.contains(*context);
    // A file is named whole, or by its ending alone.
    let is_named = |file: &&str| {
        let name = file_of(file);
        let ending = name.rfind('.').map_or(name, |at| &name[at..]);
        let names = [name.to_owned(), format!("\"{ending}\""), format!("'{ending}'")];
        lines.iter().any(|text| names.iter().any(|name| text.contains(name)))
    };
    let contexts = [".runInThisContext(", ".runInNewContext(", ".runInContext("];
    (runs.iter().any(is_run) || contexts.iter().any(is_run_in)) && files.iter().any(is_named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(language: Language, line: &str, is_found: bool) {
        let lines = [line.to_owned()];
        assert_eq!(is_from_file(language, line, &lines, &["shop/text.txt"]), is_found, "{line}");
    }

    #[test]
    fn the_text_of_an_added_file_is_run() {
        check(Language::Python, "exec(Path(__file__).with_suffix(\".txt\").read_text())", true);
        check(Language::Script, "vm.runInThisContext(fs.readFileSync('shop/text.txt', 'utf8'))", true);
        check(Language::Rust, "include!(\"text.txt\");", true);
        check(Language::Rust, "const TEXT: &str = include_str!(\"text.txt\");", false);
        check(Language::Python, "text = Path(\"text.txt\").read_text()", false);
        check(Language::Python, "model.eval(open(\"text.txt\").read())", false);
        check(Language::Python, "exec(open(\"other.cfg\").read())", false);
    }
}
