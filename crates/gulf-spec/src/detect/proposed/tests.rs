//! What is proposed from each kind of file, and what is not.

use super::super::tests::detected;
use super::steps;

/// Each proposal on a line: `name: command  (place)`.
fn page(files: &[(&str, &str)]) -> String {
    let proposed = detected(files).proposed;
    let line = |check: &super::DetectedCheck| {
        let otherwise =
            check.otherwise.as_ref().map_or_else(String::new, |command| format!(", else {command}"));
        format!("{}: {}{otherwise}  ({})", check.name, check.command, check.why)
    };
    proposed.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(files: &[(&str, &str)], expected: &str) {
    assert_eq!(page(files), expected);
}

/// A workflow with this job.
fn workflow(job: &str) -> String {
    format!("name: CI\non: [push]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n{job}")
}

#[test]
fn the_only_check_of_a_project_is_found_in_its_workflow() {
    let ci = workflow(
        "      - uses: actions/checkout@v4\n      - run: pip install -r requirements.txt\n      - run: python test.py\n",
    );
    check(&[(".github/workflows/ci.yml", &ci)], "test: python test.py  (.github/workflows/ci.yml:9)");
}

#[test]
fn steps_that_install_publish_or_need_a_secret_are_not_proposed() {
    let ci = workflow(concat!(
        "      - run: npm ci && npm test\n",
        "      - run: python test.py ${{ matrix.arguments }}\n",
        "      - run: python test.py --key $KEY\n",
        "      - run: ./test.sh\n        env:\n          TOKEN: ${{ secrets.TOKEN }}\n",
        "      - run: ./test.sh\n        if: github.ref == 'refs/heads/main'\n",
        "      - run: ./test.ps1\n        shell: pwsh\n",
        "      - run: twine upload dist/*\n",
        "      - run: python test.py || true\n",
        "      - run: git push && ./test.sh\n",
    ));
    check(&[(".github/workflows/ci.yml", &ci)], "");
    let deploy = workflow("      - run: python test.py\n");
    check(&[(".github/workflows/release.yml", &deploy)], "");
    check(
        &[(".github/workflows/ci.yml", &deploy.replace("[push]", "{schedule: [{cron: '0 0 * * *'}]}"))],
        "",
    );
}

#[test]
fn a_script_of_several_lines_is_taken_line_by_line_with_its_folder_and_variables() {
    let ci = workflow(concat!(
        "      - run: |\n          pip install .\n          # all of them\n          python \\\n            run_tests.py -v\n",
        "        env: {SLOW: 1}\n",
        "      - run: bash test.sh\n        working-directory: ./sub dir\n",
        "      - run: bash test.sh\n        working-directory: ./sub\n",
        "      - run: flake8 .\n",
    ));
    check(
        &[(".github/workflows/a.yaml", &ci)],
        "test: SLOW='1' python run_tests.py -v  (.github/workflows/a.yaml)\n\
         test-2: cd sub && bash test.sh  (.github/workflows/a.yaml:13)\n\
         lint: flake8 .  (.github/workflows/a.yaml:17)",
    );
}

#[test]
fn each_source_is_read_in_its_own_form() {
    let gitlab = "stages: [test]\nunit:\n  stage: test\n  script:\n    - pip install .\n    - python3 -m unittest\nship:\n  stage: deploy\n  script: ./test.sh\n";
    check(&[(".gitlab-ci.yml", gitlab)], "test: python3 -m unittest  (.gitlab-ci.yml:6)");
    let tox = "[tox]\nenvlist = py3\n[testenv]\ndeps = x\ncommands =\n    python test.py {posargs:-q}\n    python {toxinidir}/test.py\n[testenv:docs]\ncommands = ./test\n";
    check(&[("sub/x", ""), ("tox.ini", tox)], "test: tox -e py, else python test.py  (tox.ini:6)");
    let toml = "[tool.tox.env_run_base]\ncommands = [[\"python\", \"test.py\", { replace = \"posargs\" }]]\n";
    check(&[("pyproject.toml", toml)], "test: python test.py  (pyproject.toml:2)");
    let nox = "import nox\n\n@nox.session\ndef tests(session):\n    session.install('.')\n    session.run('python', 'test.py', external=True)\n    session.run(*session.posargs)\n";
    check(&[("noxfile.py", nox)], "test: nox -s tests, else python test.py  (noxfile.py:6)");
    check(&[("Makefile", "check: build\n\t./x\n")], "test: make check  (Makefile:1)");
    check(&[("justfile", "tests:\n  ./x\n")], "test: just tests  (justfile:1)");
    let taskfile = "version: '3'\ntasks:\n  test:\n    cmds: [./x]\n  lint: ./y\n";
    check(
        &[("Taskfile.yml", taskfile)],
        "test: task test  (Taskfile.yml:3)\nlint: task lint  (Taskfile.yml:5)",
    );
    let package = r#"{"scripts": {"build": "x", "check": "node test.js", "ci": "npm publish"}}"#;
    check(&[("package.json", package), ("yarn.lock", "")], "test: yarn run check  (package.json:1)");
}

#[test]
fn a_rakefile_names_the_task_that_tests() {
    let rake =
        "require 'rake/testtask'\n\nRake::TestTask.new do |t|\n  t.pattern = 'test/**/*_test.rb'\nend\n";
    check(&[("Rakefile", rake)], "test: rake test  (Rakefile:3)");
    check(&[("Rakefile", rake), ("Gemfile", "")], "test: bundle exec rake test  (Rakefile:3)");
    for (rake, wanted) in [
        ("begin\n  RSpec::Core::RakeTask.new(:spec)\nrescue LoadError\nend\n", "rake spec  (Rakefile:2)"),
        ("RSpec::Core::RakeTask.new\n", "rake spec  (Rakefile:1)"),
        ("Minitest::TestTask.create { |t| t.warning = true }\n", "rake test  (Rakefile:1)"),
        ("Rake::TestTask.new(\"test:units\") do\nend\n", "rake test:units  (Rakefile:1)"),
        ("Rake::TestTask.new :units do\nend\ntask test: [:units]\n", "rake test  (Rakefile:3)"),
        ("task :test => :x do\nend\n", "rake test  (Rakefile:1)"),
        ("task 'test' do\nend\n", "rake test  (Rakefile:1)"),
        ("task(:spec)\n", "rake spec  (Rakefile:1)"),
    ] {
        check(&[("Rakefile", rake)], &format!("test: {wanted}"));
    }
    for other in [
        "task default: :test\ntasks = :test\ntask :test_data do\nend\n",
        "namespace :x do\n  task :test do\n  end\nend\n",
        "# Rake::TestTask.new\n",
    ] {
        check(&[("Rakefile", other)], "");
    }
}

#[test]
fn a_language_that_says_how_to_test_needs_no_proposal() {
    let ci = workflow("      - run: python test.py\n");
    check(&[("Cargo.toml", ""), (".github/workflows/ci.yml", &ci)], "");
    check(&[("Makefile", "test:\n\ttrue\n"), (".github/workflows/ci.yml", &ci)], "");
}

#[test]
fn a_workflow_that_is_no_yaml_or_a_bomb_says_nothing() {
    check(&[(".github/workflows/ci.yml", "on: [push\njobs: ]{")], "");
    let bomb = "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g]\n";
    check(&[(".github/workflows/ci.yml", bomb), (".gitlab-ci.yml", bomb)], "");
}

#[test]
fn a_line_checks_only_where_a_program_that_checks_is_plainly_called() {
    use super::super::CheckKind::{Format, Lint, Test, Types};
    let cases = [
        ("pytest -q", Some(Test)),
        ("python -m pytest tests", Some(Test)),
        ("poetry run pytest", Some(Test)),
        ("coverage run -m unittest", Some(Test)),
        ("npm run test:unit", Some(Test)),
        ("npx ava", Some(Test)),
        ("bundle exec rspec", Some(Test)),
        ("vendor/bin/phpunit", Some(Test)),
        ("./gradlew test", Some(Test)),
        ("cargo clippy -- -D warnings", Some(Lint)),
        ("cargo fmt --check", Some(Format)),
        ("black --check .", Some(Format)),
        ("black .", None),
        ("mypy src", Some(Types)),
        ("pytest && flake8", Some(Test)),
        ("pip install pytest", None),
        ("python setup.py sdist", None),
        ("echo test", None),
        ("cat test.txt", None),
        ("pytest > out.txt", None),
        ("pytest 2>&1", Some(Test)),
        ("npm publish --tag test", None),
    ];
    for (line, expected) in cases {
        assert_eq!(steps::kind(line), expected, "{line}");
    }
}
