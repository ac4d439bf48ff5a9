//! Ports of this machine, leased to one checkout at a time.
//!
//! Two loops that start the same server must never meet on one port, and only the kernel can say that the holder of a
//! number is gone: a lease is a lock on a file of that number.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, TcpListener};

use camino::Utf8Path;

use crate::crash;
use crate::digest::Digest;
use crate::files::{self, Durability, WriteError};
use crate::lock::{Lock, LockError};

#[cfg(test)]
mod tests;

/// Which ports are wanted.
#[derive(Debug)]
pub struct PortRequest<'a> {
    /// The folder of all leases of this machine.
    pub directory: &'a Utf8Path,
    pub first: u16,
    pub last: u16,
    pub count: usize,
    /// Who holds them, such as the path of a checkout: the same holder gets the same ports again while they are free.
    pub whose: &'a str,
}

/// Ports that nobody else gets until this value is dropped or the process dies.
#[derive(Debug, Default)]
pub struct PortLeases {
    leases: Vec<(u16, Lock)>,
}

/// Why there are not enough ports.
#[derive(Debug, thiserror::Error, miette::Diagnostic)]
pub enum PortError {
    #[error("only {found} of {wanted} ports from {first} to {last} are free")]
    #[diagnostic(help("stop what listens there, or choose a wider or another range"))]
    Exhausted { first: u16, last: u16, wanted: usize, found: usize },
    #[error(transparent)]
    #[diagnostic(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    #[diagnostic(transparent)]
    Write(#[from] WriteError),
}

impl PortLeases {
    /// In the order in which they were leased.
    pub fn numbers(&self) -> Vec<u16> {
        self.leases.iter().map(|(number, _)| *number).collect()
    }
}

/// Leases so many ports that nobody has leased and nothing listens on.
pub fn lease(request: &PortRequest) -> Result<PortLeases, PortError> {
    let mut leases = Vec::new();
    if request.count > 0 {
        files::create_private_directories(request.directory, Durability::Buffered)?;
    }
    for number in numbers(request) {
        if leases.len() == request.count {
            break;
        }
        if let Some(lock) = take(&request.directory.join(number.to_string()), request.whose)?
            && is_free(number)
        {
            leases.push((number, lock));
        }
    }
    if leases.len() < request.count {
        let (first, last, wanted, found) = (request.first, request.last, request.count, leases.len());
        return Err(PortError::Exhausted { first, last, wanted, found });
    }
    Ok(PortLeases { leases })
}

fn take(path: &Utf8Path, whose: &str) -> Result<Option<Lock>, LockError> {
    crash::point("ports.lease");
    match Lock::try_acquire(path, whose.as_bytes()) {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::Held { .. }) => Ok(None),
        Err(error @ LockError::Failed { .. }) => Err(error),
    }
}

/// All numbers of the range, from one that the holder's name decides.
fn numbers(request: &PortRequest) -> impl Iterator<Item = u16> + use<> {
    let (first, last) = (request.first, request.last.max(request.first));
    let size = u32::from(last - first) + 1;
    let digest = Digest::of_bytes(request.whose.as_bytes()).to_string();
    let start = u32::from_str_radix(&digest[..7], 16).unwrap_or_default() % size;
    let number = move |step: u32| u16::try_from(u32::from(first) + (start + step) % size).unwrap_or(first);
    (0..size).map(number)
}

/// Can a server listen there, on either loopback?
fn is_free(number: u16) -> bool {
    TcpListener::bind((Ipv4Addr::LOCALHOST, number)).is_ok() && {
        match TcpListener::bind((Ipv6Addr::LOCALHOST, number)) {
            Ok(_) => true,
            // A machine without IPv6 has other reasons.
            Err(error) => error.kind() != io::ErrorKind::AddrInUse,
        }
    }
}
