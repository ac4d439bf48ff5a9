//! Sources that a runner's own settings have it load beside the tests: `setupFiles`, `require`, `moduleNameMapper`, plugins.
//!
//! No test imports such a file, and nothing in its path tells it from a product: only who names it does.

use super::super::tokens::{Lexeme, tokens};
use super::{SourceTexts, file_of, joined, parent_of};

/// Words of the settings under which runners load what belongs to tests. A build's entry, or a list of what is measured, is none.
const KEYS: [&str; 14] = [
    "setup", "teardown", "require", "mapper", "reporter", "runner", "environment", "serializer", "resolver",
    "transform", "plugin", "preset", "addopts", "sequencer",
];

/// Does one of these settings name the file under such a key?
pub(super) fn is_loaded(path: &str, settings: &SourceTexts) -> bool {
    settings.iter().any(|(setting, text)| stands_in([setting, path], &tokens(setting, text), &KEYS))
}

/// Of these files, those with which settings begin: `extend = "base.toml"`, `"extends": "./base.json"`, `import base from
/// "./base.js"`.
pub fn extended<'path>(setting: &str, text: &str, paths: &[&'path str]) -> Vec<&'path str> {
    let tokens = tokens(setting, text);
    let is_import = |before: &[Lexeme]| match before {
        [.., call, bracket] if bracket.is("(") => matches!(call.word(), Some("require" | "import")),
        [.., word] => matches!(word.word(), Some("from" | "import")),
        [] => false,
    };
    let literals = tokens.iter().enumerate().filter_map(|(at, token)| Some((at, token.literal()?)));
    let imported = literals.filter(|(at, _)| is_import(&tokens[..*at]));
    let imported: Vec<&str> = imported.map(|(_, value)| value.trim_matches('"')).collect();
    let is_extended = |path: &&&str| {
        **path != setting
            && (stands_in([setting, path], &tokens, &["extend"])
                || imported.iter().any(|value| means([setting, path], value)))
    };
    paths.iter().filter(is_extended).copied().collect()
}

/// Does the setting, which has these tokens, name the file under such a key?
fn stands_in(file: [&str; 2], tokens: &[Lexeme], keys: &[&str]) -> bool {
    // The key of each bracket that is open, and the last one within.
    let (mut open, mut key) = (Vec::new(), String::new());
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1);
        let name = token.word().or_else(|| token.literal()).map(|name| name.trim_matches('"'));
        let sets = |sign: &str| next.is_some_and(|next| next.is(sign));
        if let Some(name) = name.filter(|_| sets(":") || sets("=")) {
            key = name.to_ascii_lowercase();
        } else if token.opens() {
            open.push(key.clone());
        } else if token.closes() {
            key = open.pop().unwrap_or_default();
        } else if let Some(value) = token.literal() {
            let is_key = |key: &String| keys.iter().any(|word| key.contains(word));
            let value = value.trim_matches('"');
            let is_named = (is_key(&key) || open.iter().any(is_key)) && means(file, value);
            if is_named || after_flags(value).any(|other| means(file, other)) {
                return true;
            }
        }
    }
    false
}

/// `./src/setup.ts`, `<rootDir>/src/setup`, and of Python `-p shop.plugin`
fn means([setting, path]: [&str; 2], value: &str) -> bool {
    let stem = |path: &str| {
        let folder = parent_of(path);
        let file = file_of(path).split('.').next().unwrap_or_default();
        if folder.is_empty() { file.to_owned() } else { format!("{folder}/{file}") }
    };
    let own = stem(path);
    if path.ends_with(".py") {
        let is_module = |word: &str| word == own || own.ends_with(&format!("/{word}"));
        return value.split_whitespace().any(|word| is_module(&word.replace('.', "/")));
    }
    let plain = value.trim_start_matches("<rootDir>/");
    !plain.is_empty() && stem(&joined(parent_of(setting), plain)) == own
}

/// What a script of package.json has its runner load: `mocha --require scripts/setup.js`
fn after_flags(command: &str) -> impl Iterator<Item = &str> {
    let flags = command.split([' ', '=']).zip(command.split([' ', '=']).skip(1));
    flags.filter(|(flag, _)| ["-r", "--require", "--import", "--loader"].contains(flag)).map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(setting: &str, text: &str, path: &str, is_named: bool) {
        let settings = vec![(setting.to_owned(), text.to_owned())];
        assert_eq!(is_loaded(path, &settings), is_named, "{path} in {text}");
    }

    #[test]
    fn a_file_that_a_runner_is_set_to_load_is_told_from_one_that_is_built_or_measured() {
        let vitest = "export default defineConfig({\n  build: { lib: { entry: './src/index.ts' } },\n  test: { \
                      setupFiles: ['./src/setup.ts'], coverage: { include: ['src/main.ts'] } },\n});\n";
        check("vite.config.ts", vitest, "src/setup.ts", true);
        check("packages/a/vite.config.ts", vitest, "packages/a/src/setup.ts", true);
        check("vite.config.ts", vitest, "src/index.ts", false);
        check("vite.config.ts", vitest, "src/main.ts", false);
        let jest = "module.exports = {\n  moduleNameMapper: { '^x$': '<rootDir>/support/x' },\n  globals: { a: \
                    './src/a.js' },\n};\n";
        check("jest.config.js", jest, "support/x.ts", true);
        check("jest.config.js", jest, "src/a.js", false);
        check(
            "package.json",
            "{\"main\": \"./a.js\", \"jest\": {\"setupFiles\": [\"./b.js\"]}}",
            "b.js",
            true,
        );
        check(
            "package.json",
            "{\"main\": \"./a.js\", \"jest\": {\"setupFiles\": [\"./b.js\"]}}",
            "a.js",
            false,
        );
        let mocha = "{\"scripts\": {\"test\": \"mocha --require scripts/setup.js scripts/all.js\"}}";
        check("package.json", mocha, "scripts/setup.js", true);
        check("package.json", mocha, "scripts/all.js", false);
        check("conftest.py", "pytest_plugins = ['shop.fixtures']\n", "src/shop/fixtures.py", true);
        check("pyproject.toml", "addopts = \"-q -p shop.quiet\"\n", "shop/quiet.py", true);
        check("pyproject.toml", "packages = [\"shop.quiet\"]\n", "shop/quiet.py", false);
    }

    #[test]
    fn settings_say_what_they_extend() {
        let extends = |setting, text, path| !extended(setting, text, &[path]).is_empty();
        let ruff = "extend = \"config/base.toml\"\n[lint]\nexclude = [\"tools/old.toml\"]\n";
        assert!(extends("ruff.toml", ruff, "config/base.toml"));
        assert!(!extends("ruff.toml", ruff, "tools/old.toml"));
        assert!(extends("app/.eslintrc.json", "{\"extends\": [\"../lint/base.json\"]}", "lint/base.json"));
        assert!(extends("eslint.config.js", "import base from './lint/base.js';\n", "lint/base.js"));
        assert!(!extends("eslint.config.js", "import base from '@lint/base';\n", "lint/base.js"));
        assert!(!extends("eslint.config.js", "export default [{ files: ['./src/a.js'] }];\n", "src/a.js"));
    }
}
