//! A port on loopback and the threads that serve it, all of them joined when it is dropped.
//!
//! The model server and the trap differ only in what they do with a connection.

use std::any::Any;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Agents open a handful; one more is closed without a word.
const CONNECTIONS_MAX: usize = 256;

/// Serves until it is dropped.
#[derive(Debug)]
pub(crate) struct Listener {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
    accepting: Option<JoinHandle<Connections>>,
}

/// Those that are served, and the first failure of one that was.
#[derive(Debug, Default)]
struct Connections {
    open: Vec<Connection>,
    failure: Option<Box<dyn Any + Send>>,
}

/// A second handle on the stream: closing it ends whatever the thread waits for.
#[derive(Debug)]
struct Connection {
    stream: TcpStream,
    thread: JoinHandle<()>,
}

/// Closed at the end of its thread, also at a sudden one: the second handle would keep it open.
struct Served(TcpStream);

impl Listener {
    /// On a port that the system chooses; each connection is served on a thread of its own.
    pub(crate) fn start(serve: impl Fn(&TcpStream) + Send + Sync + 'static) -> Listener {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        let stopped = Arc::new(AtomicBool::new(false));
        let is_stopped = Arc::clone(&stopped);
        let accepting = thread::spawn(move || accept(&listener, &is_stopped, &Arc::new(serve)));
        Listener { address, stopped, accepting: Some(accepting) }
    }

    /// `http://127.0.0.1:PORT`
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Accepting waits for a connection, and this is the last one.
        drop(TcpStream::connect(self.address));
        let Some(mut connections) = self.accepting.take().and_then(|thread| thread.join().ok()) else {
            return;
        };
        connections.close();
        if let (Some(failure), false) = (connections.failure, thread::panicking()) {
            // An assertion in a test's function counts, whichever thread it was made on.
            panic::resume_unwind(failure);
        }
    }
}

impl Connections {
    /// Joins what has come to its end: each holds a file open.
    fn reap(&mut self) {
        for connection in self.open.extract_if(.., |connection| connection.thread.is_finished()) {
            self.failure = self.failure.take().or(connection.thread.join().err());
        }
    }

    fn close(&mut self) {
        for connection in self.open.drain(..) {
            // One that is closed already is where it should be.
            drop(connection.stream.shutdown(Shutdown::Both));
            self.failure = self.failure.take().or(connection.thread.join().err());
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // A client that went first has closed it already.
        drop(self.0.shutdown(Shutdown::Both));
    }
}

fn accept(
    listener: &TcpListener,
    stopped: &AtomicBool,
    serve: &Arc<impl Fn(&TcpStream) + Send + Sync + 'static>,
) -> Connections {
    let mut connections = Connections::default();
    for stream in listener.incoming() {
        if stopped.load(Ordering::SeqCst) {
            break;
        }
        connections.reap();
        let Ok(stream) = stream else { continue };
        let Ok(handle) = stream.try_clone() else { continue };
        if connections.open.len() < CONNECTIONS_MAX {
            let serve = Arc::clone(serve);
            let served = Served(stream);
            let thread = thread::spawn(move || serve(&served.0));
            connections.open.push(Connection { stream: handle, thread });
        }
    }
    connections
}
