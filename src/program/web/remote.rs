//! Files of a web host, which the page reads by parts.

use std::io;
use std::path::Path;

use crate::program::web::boundary;
use crate::table::storage::{FileSystem, Storage};

/// The web host.
pub(super) const HOST: FileSystem<Remote> =
    FileSystem { open, has: |path| boundary::length(&name(path)).is_some() };

/// A file of the web host.
#[derive(Debug)]
pub(super) struct Remote {
    name: String,
    length: u64,
}

/// The address of a file relative to the page.
fn name(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

fn open(path: &Path) -> io::Result<Option<Remote>> {
    let name = name(path);
    let length = boundary::length(&name).ok_or(io::ErrorKind::NotFound)?;
    Ok(Some(Remote { name, length }))
}

impl Storage for Remote {
    fn length(&self) -> io::Result<u64> {
        Ok(self.length)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match offset.checked_add(buffer.len() as u64) {
            Some(end) if end <= self.length => {}
            _ => return Err(io::ErrorKind::UnexpectedEof.into()),
        }
        match boundary::read(&self.name, offset, buffer) {
            true => Ok(()),
            false => Err(io::Error::other(format!("the web host does not send \"{}\"", self.name))),
        }
    }
}
