//! Projects as they are found in the wild, by their files.

use proptest::prelude::*;

use super::{Detected, ProjectLanguage, detect};

pub(super) fn detected(files: &[(&str, &str)]) -> Detected {
    let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    detect(&paths, &|path| files.iter().find(|(known, _)| *known == path).map(|(_, text)| (*text).to_owned()))
}

/// All of a detection, one thing a line.
fn page(files: &[(&str, &str)]) -> String {
    let found = detected(files);
    let mut lines: Vec<String> = found.languages.iter().map(ToString::to_string).collect();
    lines.extend(
        found.checks.iter().map(|check| format!("{}: {}  ({})", check.name, check.command, check.why)),
    );
    lines.extend(found.lockfiles.iter().map(|path| format!("lockfile {path}")));
    lines.extend(found.setup_command.map(|command| format!("setup {command}")));
    lines.extend(found.pip_arguments.map(|arguments| format!("pip install {arguments}")));
    lines.extend(found.notes);
    lines.join("\n")
}

#[test]
fn nothing_is_detected_in_nothing() {
    assert_eq!(detected(&[]), Detected::default());
    assert_eq!(detected(&[("README.md", ""), ("Makefile", "all:\n\techo\n")]), Detected::default());
}

#[test]
fn rust_is_tested_linted_and_formatted() {
    insta::assert_snapshot!(page(&[("Cargo.toml", ""), ("Cargo.lock", ""), ("Makefile", "test:\n\tcargo test\n")]), @r#"
        Rust
        test: cargo test  (Cargo.toml is there)
        lint: cargo clippy --all-targets -- -D warnings  (Cargo.toml is there)
        format: cargo fmt --check  (Cargo.toml is there)
        lockfile Cargo.lock
        setup cargo fetch --locked
        "#);
}

#[test]
fn node_runs_its_scripts_with_the_manager_of_its_lockfile() {
    let package =
        r#"{"scripts": {"test": "vitest run", "lint": "eslint ."}, "devDependencies": {"typescript": "5"}}"#;
    insta::assert_snapshot!(page(&[("package.json", package), ("tsconfig.json", ""), ("package-lock.json", "")]), @r#"
        JavaScript (Node)
        test: npm test  (package.json: scripts.test is `vitest run`)
        lint: npm run lint  (package.json: scripts.lint is `eslint .`)
        types: npx --no-install tsc --noEmit  (tsconfig.json, and typescript is a dependency)
        lockfile package-lock.json
        setup npm ci
        "#);
    insta::assert_snapshot!(page(&[("package.json", package), ("tsconfig.json", ""), ("pnpm-lock.yaml", "")]), @r#"
        JavaScript (Node)
        test: pnpm test  (package.json: scripts.test is `vitest run`)
        lint: pnpm run lint  (package.json: scripts.lint is `eslint .`)
        types: pnpm exec tsc --noEmit  (tsconfig.json, and typescript is a dependency)
        lockfile pnpm-lock.yaml
        setup pnpm install --frozen-lockfile
        "#);
    insta::assert_snapshot!(page(&[("package.json", package), ("yarn.lock", ""), (".yarnrc.yml", "")]), @r#"
        JavaScript (Node)
        test: yarn test  (package.json: scripts.test is `vitest run`)
        lint: yarn run lint  (package.json: scripts.lint is `eslint .`)
        lockfile yarn.lock
        setup yarn install --immutable
        "#);
    insta::assert_snapshot!(page(&[("package.json", package), ("bun.lock", "")]), @r#"
        JavaScript (Node)
        test: bun run test  (package.json: scripts.test is `vitest run`)
        lint: bun run lint  (package.json: scripts.lint is `eslint .`)
        lockfile bun.lock
        setup bun install --frozen-lockfile
        "#);
}

#[test]
fn the_package_manager_field_outranks_a_lockfile() {
    let package = r#"{"packageManager": "pnpm@9.1.0", "scripts": {"test": "x"}}"#;
    insta::assert_snapshot!(page(&[("package.json", package), ("package-lock.json", "")]), @r#"
        JavaScript (Node)
        test: pnpm test  (package.json: scripts.test is `x`)
        "#);
}

#[test]
fn npms_stub_is_no_test_and_test_files_are_run_by_node() {
    let stub = r#"{"scripts": {"test": "echo \"Error: no test specified\" && exit 1"}}"#;
    assert_eq!(page(&[("package.json", stub)]), "JavaScript (Node)");
    insta::assert_snapshot!(page(&[("package.json", stub), ("lib/sum.test.mjs", "")]), @r#"
        JavaScript (Node)
        test: node --test  (`lib/sum.test.mjs` is a test file)
        "#);
    insta::assert_snapshot!(page(&[("sum-test.js", "")]), @r#"
        JavaScript (Node)
        test: node --test  (`sum-test.js` is a test file)
        "#);
    assert!(detected(&[("node_modules/x/x.test.js", ""), ("contest.js", "")]).languages.is_empty());
}

#[test]
fn python_is_tested_by_pytest_and_typed_where_configured() {
    let pyproject = "[project]\ndependencies = []\n[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n";
    insta::assert_snapshot!(page(&[("pyproject.toml", pyproject), ("uv.lock", "")]), @r#"
        Python
        test: uv run pytest  (pyproject.toml has [tool.pytest])
        lint: uv run ruff check .  (pyproject.toml has [tool.ruff])
        types: uv run mypy .  (pyproject.toml has [tool.mypy])
        lockfile uv.lock
        setup uv sync --frozen
        "#);
    insta::assert_snapshot!(page(&[("requirements.txt", "pytest==8\n"), ("setup.cfg", "[mypy]\nstrict = true\n")]), @r#"
        Python
        test: python3 -m pytest  (requirements.txt names pytest)
        types: mypy .  (setup.cfg configures mypy)
        lockfile requirements.txt
        pip install -r requirements.txt pytest
        "#);
    insta::assert_snapshot!(page(&[("tests/test_sum.py", "")]), @r#"
        Python
        test: python3 -m pytest  (`tests/test_sum.py` is a test file)
        pip install pytest
        "#);
    assert_eq!(page(&[("pyproject.toml", "[project]\nname = 1 1")]), "Python");
}

#[test]
fn pip_is_given_the_project_with_what_it_names_for_its_tests_and_their_runner() {
    let arguments = |files: &[(&str, &str)]| detected(files).pip_arguments.unwrap_or_default();
    let test = ("tests/test_sum.py", "");
    let extras =
        "[project]\nname = 'a'\n[project.optional-dependencies]\ndocs = []\ntests = ['pytest-cov']\n";
    assert_eq!(arguments(&[("pyproject.toml", extras), test]), "-e '.[tests]' pytest");
    let groups = "[project]\nname = 'a'\n[dependency-groups]\ndev = ['freezegun>1', {include-group = 'x'}]\n";
    assert_eq!(arguments(&[("pyproject.toml", groups), test]), "-e . 'freezegun>1' pytest");
    let lists = [("setup.py", ""), ("dev.requirements.txt", ""), ("requirements.txt", ""), test];
    assert_eq!(arguments(&lists), "-e . -r dev.requirements.txt pytest");
    assert_eq!(arguments(&[("uv.lock", ""), ("pyproject.toml", extras), test]), "");
}

#[test]
fn the_programs_of_a_virtual_environment_are_taken_from_there_and_others_from_the_path() {
    let pyproject = "[tool.ruff]\n[tool.mypy]\n[tool.pytest.ini_options]\n";
    let installed = [("pyproject.toml", pyproject), (".venv/bin/pytest", ""), (".venv/bin/ruff", "")];
    insta::assert_snapshot!(page(&installed), @r#"
        Python
        test: .venv/bin/python -m pytest  (pyproject.toml has [tool.pytest])
        lint: .venv/bin/ruff check .  (pyproject.toml has [tool.ruff])
        types: mypy .  (pyproject.toml has [tool.mypy])
        pip install pytest
        "#);
}

#[test]
fn go_deno_java_and_dot_net_have_their_own_commands() {
    insta::assert_snapshot!(page(&[("go.mod", ""), ("go.sum", "")]), @r#"
        Go
        test: go test -json ./...  (go.mod is there)
        lint: go vet ./...  (go.mod is there)
        lockfile go.sum
        setup go mod download
        "#);
    insta::assert_snapshot!(page(&[("deno.jsonc", ""), ("a.test.js", "")]), @r#"
        JavaScript (Deno)
        test: deno test  (deno.jsonc is there)
        lint: deno lint  (deno.jsonc is there)
        format: deno fmt --check  (deno.jsonc is there)
        "#);
    insta::assert_snapshot!(page(&[("build.gradle.kts", ""), ("gradlew", "")]), @r#"
        Java
        test: ./gradlew test  (build.gradle.kts is there)
        "#);
    insta::assert_snapshot!(page(&[("pom.xml", "")]), @r#"
        Java
        test: mvn -B test  (pom.xml is there)
        "#);
    insta::assert_snapshot!(page(&[("App.sln", ""), ("src/App.csproj", "")]), @r#"
        .NET
        test: dotnet test  (App.sln is there)
        setup dotnet restore
        "#);
}

#[test]
fn ruby_php_cmake_elixir_and_swift_have_their_own_commands() {
    insta::assert_snapshot!(page(&[("Gemfile", ""), ("Gemfile.lock", ""), ("spec/calc_spec.rb", ""), (".rubocop.yml", "")]), @r#"
        Ruby
        test: bundle exec rspec  (`spec/calc_spec.rb` is a spec)
        lint: bundle exec rubocop  (.rubocop.yml is there)
        lockfile Gemfile.lock
        setup bundle install
        "#);
    insta::assert_snapshot!(page(&[("spec/calc_spec.rb", "")]), @r#"
        Ruby
        test: rspec  (`spec/calc_spec.rb` is a spec)
        "#);
    insta::assert_snapshot!(page(&[("Gemfile", ""), ("bin/rails", ""), ("test/models/a_test.rb", "")]), @r#"
        Ruby
        test: bin/rails test -v  (bin/rails is there)
        setup bundle install
        "#);
    insta::assert_snapshot!(page(&[("composer.json", "{}"), ("composer.lock", ""), ("phpunit.xml.dist", "")]), @r#"
        PHP
        test: vendor/bin/phpunit  (phpunit.xml.dist is there)
        lockfile composer.lock
        setup composer install
        "#);
    insta::assert_snapshot!(page(&[("composer.json", r#"{"scripts": {"test": ["@phpunit"]}}"#)]), @r#"
        PHP
        test: composer test  (composer.json: scripts.test)
        setup composer install
        "#);
    insta::assert_snapshot!(page(&[("CMakeLists.txt", "project(a)\nEnable_Testing()\n"), ("Makefile", "test:\n\ttrue\n")]), @r#"
        C or C++ (CMake)
        test: cmake -S . -B build && cmake --build build && ctest --test-dir build --output-on-failure  (CMakeLists.txt has `enable_testing`)
        "#);
    assert_eq!(detected(&[("CMakeLists.txt", "project(a)\n")]), Detected::default());
    insta::assert_snapshot!(page(&[("mix.exs", ""), ("mix.lock", "")]), @r#"
        Elixir
        test: mix test  (mix.exs is there)
        lockfile mix.lock
        setup mix deps.get
        "#);
    insta::assert_snapshot!(page(&[("lib/A.pm", ""), ("t/a.t", "")]), @r#"
        Perl
        test: prove -lvr t  (`t/a.t` is a test file)
        "#);
    assert!(detected(&[("Cargo.toml", ""), ("t/a.t", "")]).languages.len() == 1);
    insta::assert_snapshot!(page(&[("Package.swift", "")]), @r#"
        Swift
        test: swift test  (Package.swift is there)
        "#);
}

#[test]
fn make_and_just_count_by_their_test_target_alone() {
    insta::assert_snapshot!(page(&[("Makefile", "test := 1\nlint: x\ntest: build\n\ttrue\n")]), @r#"
        make
        test: make test  (Makefile has a target `test`)
        lint: make lint  (Makefile has a target `lint`)
        "#);
    insta::assert_snapshot!(page(&[("justfile", "@test filter='':\n  true\n")]), @r#"
        just
        test: just test  (justfile has a target `test`)
        "#);
    assert!(detected(&[("Makefile", "test := 1\ntests:\n\ttest: \n")]).checks.is_empty());
}

#[test]
fn a_stray_test_file_adds_no_second_language() {
    let found = detected(&[("Cargo.toml", ""), ("docs/a.test.js", ""), ("scripts/test_a.py", "")]);
    assert_eq!(found.languages, [ProjectLanguage::Rust]);
}

#[test]
fn checks_of_two_languages_have_names_of_their_own() {
    let found = detected(&[("Cargo.toml", ""), ("go.mod", "")]);
    let names: Vec<_> = found.checks.iter().map(|check| check.name.as_str()).collect();
    assert_eq!(names, ["test-rust", "lint-rust", "format", "test-go", "lint-go"]);
}

#[test]
fn projects_below_one_at_the_top_are_mentioned_and_not_run() {
    let top = ("requirements.txt", "");
    insta::assert_snapshot!(page(&[top, ("api/go.mod", ""), ("web/package.json", ""), ("web/node_modules/x/package.json", "")]), @r#"
        Python
        lockfile requirements.txt
        `api/go.mod` is a project of its own; add a `[[check]]` with `cwd = "api"`
        `web/package.json` is a project of its own; add a `[[check]]` with `cwd = "web"`
        "#);
    let many: Vec<String> = (0..8).map(|index| format!("p{index}/Cargo.toml")).collect();
    assert_eq!(
        detect(&many, &|_| None).notes.last().map(String::as_str),
        Some("3 more projects in sub-folders; add a `[[check]]` with `cwd` for each")
    );
    assert!(detected(&[("Cargo.toml", ""), ("crates/a/Cargo.toml", "")]).notes.is_empty());
}

#[test]
fn a_project_that_only_refers_to_others_is_typed_by_a_build_of_them() {
    let package = r#"{"scripts": {"test": "vitest run"}, "devDependencies": {"typescript": "5"}}"#;
    let refers = r#"{"files": [], "references": [{"path": "./tsconfig.app.json"}]}"#;
    let found = detected(&[("package.json", package), ("tsconfig.json", refers)]);
    assert_eq!(found.checks[1].command, "npx --no-install tsc -b");
}

#[test]
fn without_a_project_at_the_top_each_folder_that_is_one_is_tested_where_it_is() {
    let package = r#"{"scripts": {"test": "vitest run"}, "devDependencies": {"vitest": "3"}}"#;
    let files = [
        (".venv/bin/pytest", ""),
        ("backend/pyproject.toml", "[tool.pytest.ini_options]\n"),
        ("backend/tests/test_a.py", ""),
        ("frontend/package.json", package),
        ("frontend/test/a.test.js", ""),
        ("docs/requirements.txt", "sphinx"),
    ];
    insta::assert_snapshot!(page(&files), @r#"
        Python
        JavaScript (Node)
        test-backend: ../.venv/bin/python -m pytest  (in backend: pyproject.toml has [tool.pytest])
        test-frontend: npm test  (in frontend: package.json: scripts.test is `vitest run`)
        setup (cd 'frontend' && npm install)
        "#);
    let found = detected(&files);
    let folders: Vec<_> = found.checks.iter().map(|check| check.folder.as_str()).collect();
    assert_eq!(folders, ["backend", "frontend"]);
    let with_top = detected(&[("package.json", package), ("backend/pyproject.toml", "[tool.pytest]\n")]);
    assert_eq!(with_top.checks.len(), 1, "the top speaks for all");
    assert!(!with_top.notes.is_empty() && with_top.left_out().is_empty());
    let many: Vec<String> = (0..8).map(|number| format!("p{number}/package.json")).collect();
    let many: Vec<_> = many.iter().map(|path| (path.as_str(), package)).collect();
    let left_out = "3 more projects in sub-folders; add a `[[check]]` with `cwd` for each";
    assert_eq!(detected(&many).left_out(), [left_out]);
}

#[test]
fn django_is_tested_by_its_own_command_unless_pytest_is_set_up() {
    let manage = "import django\n";
    let app = [("manage.py", manage), ("blog/tests.py", "from django.test import TestCase\n")];
    assert_eq!(detected(&app).checks[0].command, "python3 manage.py test");
    let installed = [app[0], app[1], (".venv/bin/django-admin", "")];
    assert_eq!(detected(&installed).checks[0].command, ".venv/bin/python manage.py test");
    let by_pytest = [app[0], app[1], ("pytest.ini", "[pytest]\n")];
    assert_eq!(detected(&by_pytest).checks[0].command, "python3 -m pytest");
}

#[test]
fn a_file_that_cannot_be_read_says_nothing() {
    let paths = ["package.json", "pyproject.toml", "Makefile"].map(str::to_owned);
    let found = detect(&paths, &|_| None);
    assert_eq!(found.languages, [ProjectLanguage::Node, ProjectLanguage::Python]);
    assert!(found.checks.is_empty());
}

proptest! {
    #[test]
    fn any_content_is_survived(text in any::<String>(), json in "[\\[\\]{}\":,a-c0-9]{0,40}") {
        for content in [&text, &json] {
            let names = ["package.json", "pyproject.toml", "setup.cfg", "Makefile", "justfile", "requirements.txt", "deno.json"];
            let files: Vec<_> = names.iter().map(|name| (*name, content.as_str())).collect();
            detected(&files);
        }
    }

    #[test]
    fn any_listing_gives_checks_of_different_names(paths in proptest::collection::vec(
        prop_oneof![Just("Cargo.toml"), Just("go.mod"), Just("pom.xml"), Just("deno.json"), Just("x.csproj"), Just("test_a.py"), Just("a.test.js"), Just("é/go.mod"), Just("/"), Just("")], 0..9)) {
        let paths: Vec<String> = paths.into_iter().map(str::to_owned).collect();
        let found = detect(&paths, &|_| None);
        let mut names: Vec<_> = found.checks.iter().map(|check| &check.name).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), found.checks.len());
    }
}

#[test]
fn unittests_need_no_pytest() {
    let unit = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n";
    let otherwise = |path: &str, text: &str| detected(&[(path, text)]).checks[0].otherwise.clone();
    assert_eq!(otherwise("test_a.py", unit).as_deref(), Some("python3 -m unittest discover -v"));
    let below = "python3 -m unittest discover -v -s tests -p '*_test.py'";
    assert_eq!(otherwise("tests/a_test.py", unit).as_deref(), Some(below));
    assert_eq!(otherwise("test_a.py", "import pytest\nimport unittest\n"), None);
    assert_eq!(otherwise("test_a.py", "def test_a(): pass\n"), None);
}

#[test]
fn a_file_named_test_is_one_where_its_tests_are_unittests() {
    let unit = "import unittest\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        pass\n";
    let command = |files: &[(&str, &str)]| detected(files).checks.first().map(|check| check.command.clone());
    let plain = Some("python3 -m unittest discover -v".to_owned());
    assert_eq!(command(&[("setup.py", ""), ("test.py", unit)]), plain);
    assert_eq!(command(&[("tests.py", unit)]), plain);
    let below = Some("python3 -m unittest discover -v -s app".to_owned());
    assert_eq!(command(&[("setup.py", ""), ("app/tests.py", unit)]), below);
    assert_eq!(command(&[("setup.py", ""), ("test.py", "print('a script')\n")]), None);
    let both = [("setup.py", ""), ("test.py", unit), ("test_a.py", "def test_a(): pass\n")];
    assert_eq!(command(&both).as_deref(), Some("python3 -m pytest"));
}
