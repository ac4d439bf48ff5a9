//! Files that take the place of others when a program looks a name up: the tests are as they were, and something else
//! runs (SPEC B3).

/// Python's own modules and its runners', whose names a file in the first folder of the path takes.
const MODULES: &str = "_pytest abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb \
    binascii bisect builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop \
    collections colorsys compileall concurrent configparser contextlib contextvars copy copyreg crypt \
    csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings \
    ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch fractions ftplib functools gc \
    genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib \
    imaplib imghdr imp importlib iniconfig inspect io ipaddress itertools json keyword lib2to3 linecache \
    locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt \
    multiprocessing netrc nis nntplib nose nt ntpath nturl2path numbers opcode operator optparse os \
    ossaudiodev pathlib pdb pickle pickletools pipes pkgutil platform plistlib pluggy poplib posix \
    posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat pytest queue \
    quopri random re readline reprlib resource rlcompleter runpy sched secrets select selectors shelve \
    shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile \
    sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys \
    sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit \
    tkinter token tokenize tomllib tox trace traceback tracemalloc tty turtle turtledemo types typing \
    unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref \
    xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo";

/// Is this a module of Python's own, or of its runners?
pub(super) fn is_of_python(name: &str) -> bool {
    MODULES.split(' ').any(|known| known == name)
}

/// What an added file hides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shadow {
    /// Something outside of the project.
    Outside(String),
    /// These files of the project, where one is there.
    Files(Vec<String>),
    /// This file of the project, from those who check types.
    Types(String),
}

/// What a file that is added at this path hides from whoever looks for a name. In `folders`, programs of the checks look for
/// names first.
pub fn shadow(path: &str, folders: &[&str]) -> Option<Shadow> {
    let outside = |what: &str| Some(Shadow::Outside(what.to_owned()));
    let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
    let mut parts = folder.split('/');
    if parts.clone().any(|part| part == "node_modules") {
        return outside("what node finds by its name");
    }
    let is_metadata = |part: &str| part.ends_with(".dist-info") || part.ends_with(".egg-info");
    if parts.any(is_metadata) || ["sitecustomize.py", "usercustomize.py"].contains(&file) {
        return outside("what Python reads by itself");
    }
    if file.ends_with(".pth") || file.ends_with(".pyc") {
        return outside("what Python reads in place of sources");
    }
    if let Some(module) = path.strip_suffix(".pm") {
        let name = module.rsplit("lib/").next().unwrap_or(module);
        let is_of_perl = ["Test", "Test2", "TAP"].contains(&name.split('/').next().unwrap_or(name));
        return is_of_perl.then(|| Shadow::Outside(format!("Perl's module {}", name.replace('/', "::"))));
    }
    if let Some(typed) = path.strip_suffix('i').filter(|typed| typed.ends_with(".py")) {
        return Some(Shadow::Types(typed.to_owned()));
    }
    // `same.cpython-313-x86_64-linux-gnu.so`
    let compiled = [".so", ".pyd"].iter().any(|ending| file.ends_with(ending));
    let compiled = compiled.then(|| &path[..path.len() - file.len() + file.find('.').unwrap_or_default()]);
    let package = path.strip_suffix("/__init__.py");
    let Some(module) = package.or_else(|| path.strip_suffix(".py")).or(compiled) else {
        return of_script(path);
    };
    let of_folder = |place: &&str| module.strip_prefix(*place)?.strip_prefix('/');
    let name = ["src"].iter().chain(folders).find_map(of_folder).unwrap_or(module);
    if is_of_python(name) {
        return Some(Shadow::Outside(format!("Python's module {name}")));
    }
    package.or(compiled).map(|module| Shadow::Files(vec![format!("{module}.py")]))
}

/// Of JavaScript and TypeScript, a file goes before the folder of its name.
fn of_script(path: &str) -> Option<Shadow> {
    let (stem, ending) = path.rsplit_once('.')?;
    let later: &[&str] = match ending {
        "js" => &["jsx", "ts", "tsx"],
        "ts" | "jsx" => &["tsx"],
        _ => return None,
    };
    let index = ["js", "jsx", "ts", "tsx"].map(|ending| format!("{stem}/index.{ending}"));
    Some(Shadow::Files(later.iter().map(|ending| format!("{stem}.{ending}")).chain(index).collect()))
}
