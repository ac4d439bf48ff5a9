//! What becomes of a change where nothing of it is implemented.

use super::*;

fn kinds(path: &str, base: Option<&str>, text: &str, tests: &str) -> Vec<String> {
    let file = Changed {
        base: base.map(|base| base.as_bytes().to_vec()),
        candidate: Some(text.as_bytes().to_vec()),
    };
    let kinds = stubs(&BTreeMap::from([(path.to_owned(), file)]), tests);
    let text = |stub: StubbedChange| {
        let [edit] = stub.edits.as_slice() else { panic!("{stub:?}") };
        String::from_utf8(edit.bytes.clone().unwrap()).unwrap()
    };
    kinds.into_iter().map(text).collect()
}

#[track_caller]
fn check(path: &str, text: &str, wanted: [&str; 2]) {
    assert_eq!(kinds(path, None, text, "")[..2], wanted, "{text}");
}

#[test]
fn a_function_fails_or_returns_nothing() {
    check(
        "a.py",
        "def f(a, b={}):\n    \"\"\"Of a and b.\"\"\"\n    c = a\n    return c\n",
        [
            "def f(a, b={}):\n    \"\"\"Of a and b.\"\"\"\n    raise NotImplementedError(\"not implemented\")\n    c = a\n    return c\n",
            "def f(a, b={}):\n    \"\"\"Of a and b.\"\"\"\n    return\n    c = a\n    return c\n",
        ],
    );
    check(
        "a.py",
        "async def f(): return a\n",
        [
            "async def f(): raise NotImplementedError(\"not implemented\"); return a\n",
            "async def f(): return; return a\n",
        ],
    );
    check(
        "a.js",
        "export const f = (a) => a.b();\n",
        [
            "export const f = (a) => true ? (() => { throw new Error(\"not implemented\"); })() : a.b();\n",
            "export const f = (a) => true ? undefined : a.b();\n",
        ],
    );
    check(
        "src/a.rs",
        "pub fn f<F: Fn(u8)>(a: F) -> u8 {\n    g(a)\n}\n",
        [
            "pub fn f<F: Fn(u8)>(a: F) -> u8 { if true { ::core::panic!(\"not implemented\") } \n    g(a)\n}\n",
            "pub fn f<F: Fn(u8)>(a: F) -> u8 { if true { return ::core::default::Default::default(); } \n    g(a)\n}\n",
        ],
    );
    check(
        "a.go",
        "package a\n\nfunc (t T) F(a interface{}) (int, error) {\n\treturn g(a)\n}\n",
        [
            "package a\n\nfunc (t T) F(a interface{}) (int, error) { if true { panic(\"not implemented\") }; \n\treturn g(a)\n}\n",
            "package a\n\nfunc (t T) F(a interface{}) (int, error) { if true { return *new(int), *new(error) }; \n\treturn g(a)\n}\n",
        ],
    );
}

#[test]
fn heads_of_many_forms_are_read() {
    for (path, text, count) in [
        ("a.js", "class A {\n  async go(a) {\n    if (a) {\n      b();\n    }\n  }\n}\n", 1),
        ("a.js", "const o = {\n  get a() {\n    return b;\n  },\n};\n", 1),
        ("a.js", "function f({ a }) {\n  return [a].map((b) => b);\n}\n", 2),
        ("a.ts", "export function f(a: T): Map<string, T> {\n  return g(a);\n}\n", 1),
        (
            "a.go",
            "package a\n\nfunc F() (n int, err error) {\n\treturn\n}\n\nvar G = func() struct{} { return h() }\n",
            2,
        ),
        ("src/a.rs", "trait T {\n    fn a(&self);\n    fn b(&self) {\n        c()\n    }\n}\n", 1),
        (
            "a.py",
            "class A:\n    def a(\n        self,\n    ):\n        return 1\n\n    def b(self):\n        yield 2\n",
            2,
        ),
    ] {
        let found = kinds(path, None, text, "");
        let marks = found[0].matches("not implemented").count();
        assert_eq!(marks, count, "{}", found[0]);
    }
    assert!(
        kinds("a.go", None, "package a\n\nfunc F() (n int, err error) {\n\treturn g()\n}\n", "")[1]
            .contains("return  }")
    );
}

/// Of many types there is no nothing.
#[test]
fn where_nothing_may_not_build_whoever_calls_the_function_ends() {
    let of = |path: &str, text: &str| {
        let file = Changed { base: None, candidate: Some(text.into()) };
        stubs(&BTreeMap::from([(path.to_owned(), file)]), "")
    };
    let rust = of("src/a.rs", "fn a() -> A {\n    A::of(1)\n}\n");
    assert_eq!(rust.iter().map(|stub| stub.may_not_build).collect::<Vec<_>>(), [false, true, false]);
    let last = String::from_utf8(rust[2].edits[0].bytes.clone().unwrap()).unwrap();
    assert!(last.contains("fn a() -> A { if true { ::std::process::abort() } "), "{last}");
    assert_eq!(of("a.py", "def a():\n    return 1\n").len(), 3);
    assert!(of("a.go", "package a\n\nfunc A() int {\n\treturn 1\n}\n")[1].may_not_build);
}

#[test]
fn only_what_was_changed_is_a_stub() {
    let (base, text) = ("def a():\n    return 1\n", "def a():\n    return 1\n\n\ndef b():\n    return 2\n");
    assert!(
        kinds("a.py", Some(base), text, "")[0].starts_with("def a():\n    return 1\n\n\ndef b():\n    raise")
    );
    assert!(kinds("a.py", Some(text), text, "").is_empty());
    let inline = "fn a() {}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn b() {}\n}\n";
    assert_eq!(kinds("src/lib.rs", None, inline, "")[0].matches("panic").count(), 1);
}

#[test]
fn new_functions_that_do_nothing_or_give_back_their_argument_tell_alone() {
    let alone = |path: &str, base: &str, text: &str| {
        let file = Changed { base: Some(base.into()), candidate: Some(text.into()) };
        let stubs = stubs(&BTreeMap::from([(path.to_owned(), file)]), "");
        let text = |stub: &StubbedChange| {
            String::from_utf8_lossy(stub.edits[0].bytes.as_deref().unwrap()).into_owned()
        };
        stubs.iter().filter(|stub| stub.tells_alone).map(text).collect::<Vec<_>>()
    };
    let of_python = "class A:\n    def pack(self, data: bytes = b\"\") -> bytes:\n        return zip(data)\n";
    let found = alone("a.py", "import b\n", of_python);
    assert!(found[0].contains("        return\n") && found[1].contains("        return data\n"), "{found:?}");
    let found = alone(
        "a.js",
        "",
        "export const pack = (a, b) => zip(a);\nfunction go(c) {\n  return c.map((d) => d + 1);\n}\n",
    );
    assert!(
        found[1].contains("=> true ? a : zip(a)") && found[1].contains("go(c) { if (true) return c;"),
        "{found:?}"
    );
    let rust = alone("src/a.rs", "", "pub fn check(a: &str) -> Result<u8, E> {\n    Ok(a.len())\n}\n");
    assert!(rust[0].contains("{ if true { return Ok(::core::default::Default::default()); }"), "{rust:?}");
    assert_eq!(
        alone("a.go", "package a\n", "package a\n\nfunc (c *Cart) Off() {\n\tc.off = 1\n}\n").len(),
        1
    );
    // What was there may have to do nothing, or give back what it was given, from now on.
    let (base, now) =
        ("def pack(data):\n    return zip(data)\n", "def pack(data, level):\n    return zip(data, level)\n");
    assert_eq!(alone("a.py", base, now), [""; 0]);
    let more = format!("{base}\n\ndef unpack(data):\n    return unzip(data)\n");
    assert_eq!(alone("a.py", base, &more).len(), 2);
    assert_eq!(alone("a.py", base, &more.replace("zip(data)\n\n", "zip(data) or data\n\n")), [""; 0]);
}

#[test]
fn what_is_a_stub_already_is_not_asked_to_do_nothing() {
    for (path, text) in [
        ("a.py", "def a():\n    raise NotImplementedError\n"),
        ("a.js", "function a() {\n  throw new Error('Not implemented');\n}\n"),
        ("src/a.rs", "fn a() -> u8 {\n    todo!()\n}\n"),
    ] {
        assert_eq!(kinds(path, None, text, "").len(), 1, "{text}");
    }
}

#[test]
fn a_value_that_tests_may_see_leaves_the_question_open() {
    let text = "LIMIT = 3\n\n\ndef a():\n    return LIMIT\n";
    assert_eq!(kinds("a.py", None, text, "a()").len(), 3);
    assert!(kinds("a.py", None, text, "assert a.LIMIT").is_empty());
    assert!(kinds("a.py", Some("LIMIT = 2\n"), text, "a()").is_empty());
    let table = "const NAMES = {\n  a: 'b',\n};\n\nexport function a() {\n  return NAMES;\n}\n";
    assert_eq!(kinds("a.js", None, table, "a()").len(), 3);
    assert!(kinds("a.js", None, table, "NAMES.a").is_empty());
    assert!(kinds("a.py", None, "register(3)\n\n\ndef a():\n    return 1\n", "a()").is_empty());
    assert!(kinds("data.json", None, "{}", "").is_empty());
    assert!(kinds("a.py", None, "import b\n\n__all__ = [\"c\"]\n", "").is_empty());
}

#[test]
fn a_new_function_that_looks_at_nothing_that_tests_give_it_is_found() {
    let found = |path: &str, text: &str, tests: &str| {
        let file = Changed { base: Some(b"x\n".to_vec()), candidate: Some(text.into()) };
        let found = heedless(&BTreeMap::from([(path.to_owned(), file)]), tests);
        found.into_iter().map(|one| format!("{}:{}", one.line, one.what)).collect::<Vec<_>>()
    };
    let python = "def to_roman(n: int) -> str:\n    return \"MCMXCIV\"\n";
    assert_eq!(found("a.py", python, "assert to_roman(1994) == 'MCMXCIV'"), ["1:to_roman"]);
    assert_eq!(found("a.py", python, "assert callable(to_roman)"), [""; 0]);
    assert_eq!(found("a.py", &python.replace("\"MC", "n * \"MC"), "to_roman(1994)"), [""; 0]);
    assert_eq!(found("a.py", &format!("@app.route('/')\n{python}"), "to_roman(1994)"), [""; 0]);
    let rust =
        "impl Invoice {\n    pub fn gross(&self, _tax: u32) -> Money {\n        self.net()\n    }\n}\n";
    assert_eq!(found("src/a.rs", rust, "sample().gross(19)"), ["2:gross"]);
    assert_eq!(
        found("src/a.rs", &rust.replace("impl Invoice", "impl Priced for Invoice"), "sample().gross(19)"),
        [""; 0]
    );
    let dropped = rust.replace("_tax", "tax").replace("self.net()", "let _ = tax;\n        self.net()");
    assert_eq!(found("src/a.rs", &dropped, "sample().gross(19)"), ["2:gross"]);
    let go = "package a\n\nfunc (c *Cart) Discount(percent int) (int, error) {\n\tc.off = 86\n\treturn 1, nil\n}\n";
    assert_eq!(found("a.go", go, "c.Discount(10)"), ["3:Discount"]);
    let script =
        "export const slug = (text) => 'a-b';\nfunction later(a) {\n  return [1].map((b) => b + a);\n}\n";
    assert_eq!(found("a.js", script, "slug('a b'); later(2)"), ["1:slug"]);
    assert_eq!(found("a.js", "function now() {\n  return 1;\n}\n", "now(1)"), [""; 0]);
    let formatted = [
        ("a.py", "def label(n):\n    return f\"{n} items\"\n"),
        ("a.py", "def label(n):\n    return f'{n:>3} items'\n"),
        ("a.ts", "export function label(n: number) {\n  return `${n} items`;\n}\n"),
        ("src/a.rs", "pub fn label(n: u32) -> String {\n    format!(\"{n} items\")\n}\n"),
        ("src/a.rs", "pub fn label(n: u32) -> String {\n    format!(\"{n:>3} items\")\n}\n"),
    ];
    for (path, source) in formatted {
        assert_eq!(found(path, source, "label(3)"), [""; 0], "{source}");
    }
    let several = [
        (
            "a.py",
            "class Flat:\n    def cost(self, kilos):\n        return 5\n\nclass Each:\n    def cost(self, kilos):\n        return kilos\n",
        ),
        ("a.py", "def cost(kilos):\n    return 5\n\nRATES = {\"flat\": cost}\n"),
        (
            "a.go",
            "package a\n\nfunc (f Flat) Cost(kilos int) int {\n\treturn 5\n}\n\nfunc (e Each) Cost(kilos int) int {\n\treturn kilos\n}\n",
        ),
        (
            "a.js",
            "class Flat {\n  cost(kilos) {\n    return 5;\n  }\n}\n\nclass Each {\n  cost(kilos) {\n    return kilos;\n  }\n}\n",
        ),
    ];
    for (path, source) in several {
        assert_eq!(found(path, source, "cost(3); Cost(3)"), [""; 0], "{source}");
    }
    let exported = "function slug(text) {\n  return 'a-b';\n}\n\nmodule.exports = { slug };\n";
    assert_eq!(found("a.js", exported, "slug('a b')"), ["1:slug"]);
    let twice = format!("{python}\n\n{python}");
    assert_eq!(found("a.py", &twice, "to_roman(1994)"), ["1:to_roman", "5:to_roman"]);
}

#[test]
fn a_function_that_only_lost_a_comment_is_no_work() {
    let base =
        "def wide(a):  # type: ignore\n    # Twice.\n    return a + a\n\n\ndef high(a):\n    return a\n";
    let [gone, other] =
        [base.replace("  # type: ignore", "").replace("    # Twice.\n", ""), base.replace("a + a", "a * 2")];
    assert!(kinds("a.py", Some(base), &gone, "").is_empty());
    assert_eq!(kinds("a.py", Some(base), &other, "").len(), 2);
}
