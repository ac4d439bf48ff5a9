//! A registry of packages on loopback, with what `cargo xtask dist` has packed and nothing else.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::{Value, json};

/// It serves until the test process ends.
#[derive(Debug)]
pub(super) struct Registry {
    pub(super) url: String,
}

impl Registry {
    /// Of the packages and tarballs in a folder that `dist` has filled.
    pub(super) fn serve(folder: Utf8PathBuf) -> Registry {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let base = url.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (folder, base) = (folder.clone(), base.clone());
                thread::spawn(move || drop(answer(&stream, &folder, &base)));
            }
        });
        Registry { url }
    }
}

/// One request on each connection.
fn answer(stream: &TcpStream, folder: &Utf8Path, base: &str) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let request = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let path = request.split(' ').nth(1).unwrap_or_default().replace("%2f", "/");
    let found = match path.strip_prefix("/tarballs/") {
        Some(name) => fs::read(folder.join(name)).ok(),
        None => described(path.trim_start_matches('/'), folder, base),
    };
    let (status, body) = found.map_or(("404 Not Found", Vec::new()), |body| ("200 OK", body));
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len())?;
    stream.write_all(&body)
}

/// What a registry says of a package: its manifest, and where its tarball is.
fn described(name: &str, folder: &Utf8Path, base: &str) -> Option<Vec<u8>> {
    // npm names tarballs so.
    let (short, tarball) = match name.strip_prefix("@gulf-loop/") {
        Some(short) => (short, format!("gulf-loop-{short}")),
        None => (name, name.to_owned()),
    };
    let text = fs::read_to_string(folder.join(short).join("package.json")).ok()?;
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    let version = manifest["version"].as_str()?.to_owned();
    manifest["dist"] = json!({"tarball": format!("{base}/tarballs/{tarball}-{version}.tgz")});
    let mut versions = serde_json::Map::new();
    versions.insert(version.clone(), manifest);
    let document = json!({"name": name, "dist-tags": {"latest": version}, "versions": versions});
    Some(document.to_string().into_bytes())
}
