//! A real browser without a window, spoken to by its own protocol (Chrome DevTools Protocol, JSON with a zero byte at each
//! end) through two FIFOs, so that no port is open and no driver has to be installed.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use camino::Utf8PathBuf;
use serde_json::{Value, json};

use crate::programs::{chromium, quote};
use crate::sandbox::Sandbox;

/// Only a test that fails waits so long.
const PATIENCE_MS: u32 = 60_000;

/// With one page. Killed when dropped.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    asked: File,
    told: BufReader<File>,
    /// Of the page.
    session: String,
    number: u64,
    /// What was told while something else was waited for.
    events: Vec<Value>,
}

/// One of a browser's windows that is not looked at.
#[derive(Debug)]
pub struct Window(String);

impl Browser {
    /// A loud word where there is none; in CI that is a failure.
    pub fn start(sandbox: &Sandbox) -> Option<Browser> {
        let program = chromium()?;
        let folder = sandbox.path("a browser");
        std::fs::create_dir(&folder).unwrap();
        let [asked, told] = ["asked", "told"].map(|name| fifo(folder.join(name)));
        let flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync \
            --disable-background-networking --disable-component-update --remote-debugging-pipe";
        let script = format!(
            "exec {} {flags} --user-data-dir={} 3<{} 4>{}",
            quote(program.as_str()),
            quote(folder.as_str()),
            quote(asked.as_str()),
            quote(told.as_str())
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]).env("HOME", sandbox.home()).env("TMPDIR", sandbox.path("tmp"));
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let asked = File::options().write(true).open(asked).unwrap();
        let told = BufReader::new(File::open(told).unwrap());
        let mut browser =
            Browser { child, asked, told, session: String::new(), number: 0, events: Vec::new() };
        browser.open_window();
        Some(browser)
    }

    /// Another window, which all that follows is about; the one before, to be turned to again.
    pub fn open_window(&mut self) -> Window {
        let before = Window(std::mem::take(&mut self.session));
        let page = self.ask("Target.createTarget", &json!({ "url": "about:blank", "newWindow": true }));
        let attached =
            self.ask("Target.attachToTarget", &json!({ "targetId": page["targetId"], "flatten": true }));
        self.session = attached["sessionId"].as_str().unwrap().to_owned();
        self.ask("Page.enable", &json!({}));
        // Windows stand beside each other: none is hidden by another one.
        self.ask("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        self.ask("Page.setLifecycleEventsEnabled", &json!({ "enabled": true }));
        before
    }

    /// Back to a window; the one before, again.
    pub fn turn_to(&mut self, window: Window) -> Window {
        Window(std::mem::replace(&mut self.session, window.0))
    }

    /// Waits until the page, with all that belongs to it, is there.
    pub fn open(&mut self, address: &str) {
        let went = self.ask("Page.navigate", &json!({ "url": address }));
        assert!(went.get("errorText").is_none(), "{address}: {went}");
        // Others may still tell of the page before.
        let is_there = |event: &Value| {
            event["params"]["name"] == "load" && event["params"]["loaderId"] == went["loaderId"]
        };
        self.wait_until(is_there);
    }

    /// Does what leads to another page, such as a click on a button, and waits for that page.
    pub fn go(&mut self, script: &str) {
        self.events.clear();
        let session = self.session.clone();
        self.evaluate(script);
        self.wait_until(|event| event["params"]["name"] == "load" && event["sessionId"] == session.as_str());
    }

    fn wait_until(&mut self, is_there: impl Fn(&Value) -> bool) {
        while !self.events.iter().any(&is_there) {
            let event = self.hear();
            self.events.push(event);
        }
        self.events.clear();
    }

    /// Waits until the page that is open comes to show this text, without being opened anew.
    pub fn wait_for(&mut self, text: &str) {
        let text = json!(text);
        self.evaluate(&format!(
            "new Promise((done, failed) => {{
                const look = () => document.body.innerText.includes({text}) && done(true);
                setTimeout(() => failed(new Error('no ' + {text} + ' in ' + document.body.innerText)), {PATIENCE_MS});
                new MutationObserver(look).observe(document, {{ subtree: true, childList: true, characterData: true }});
                look();
            }})"
        ));
    }

    /// What a script of the page would get, whatever the page's policy says of scripts; a promise's word is waited for.
    pub fn evaluate(&mut self, script: &str) -> Value {
        let said = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let mut answer = self.ask("Runtime.evaluate", &said);
        assert!(answer.get("exceptionDetails").is_none(), "{answer:#}");
        answer["result"]["value"].take()
    }

    /// As if the person had chosen these colours.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.ask("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// As wide as this, in CSS pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.ask("Emulation.setDeviceMetricsOverride", &size);
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": parameters });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.asked.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut answer = self.hear();
            if answer["id"] == self.number {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    fn hear(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.told.read_until(0, &mut bytes).unwrap();
        assert_eq!(bytes.pop(), Some(0), "the browser has ended");
        serde_json::from_slice(&bytes).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Its helpers end with it, and are waited for by it.
        let closed = self.asked.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        if closed.is_err() {
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

fn fifo(path: Utf8PathBuf) -> Utf8PathBuf {
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}
