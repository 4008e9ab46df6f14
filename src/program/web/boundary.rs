//! What the module and the page exchange: bytes in the module's memory.
//!
//! The page calls `room` with a number of bytes, writes a text there, and calls `ask` or `open_table`. What
//! they return is the status of the answer, whose text is at `answer_start` and `answer_length`. Meanwhile
//! the module calls the functions that the page gives it.
#![allow(unsafe_code)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// A status, and the text of an answer.
pub(super) type Response = (u16, String);

/// The text of a question, and afterwards of its answer.
static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

/// Whether a part of a file was missing since the question was asked.
static LACKED: AtomicBool = AtomicBool::new(false);

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// The length of the file with this name; -1 if there is none. Both must lie in this memory.
    fn file_length(name: *const u8, name_length: usize) -> f64;

    /// Writes a part of a file to this memory, and returns whether that worked.
    fn read_file(
        name: *const u8,
        name_length: usize,
        offset: f64,
        to: *mut u8,
        length: usize,
    ) -> u32;

    /// Whether the answer has taken long enough.
    safe fn late() -> u32;
}

/// The length of the file with this name.
pub(super) fn length(name: &str) -> Option<u64> {
    // SAFETY: the page reads these bytes before it returns, and they are borrowed until then.
    let length = unsafe { file_length(name.as_ptr(), name.len()) };
    (length >= 0.0).then_some(length as u64)
}

/// Fills the buffer with the bytes of the file from `offset`. Returns whether that worked.
pub(super) fn read(name: &str, offset: u64, buffer: &mut [u8]) -> bool {
    // A number of the page is exact up to 2^53, which no file reaches.
    let (offset, to) = (offset as f64, buffer.as_mut_ptr());
    // SAFETY: the page reads the name and writes `buffer.len()` bytes from `to` on before it returns. The
    // name is borrowed until then, and the buffer is borrowed by nobody else.
    let is_there = unsafe { read_file(name.as_ptr(), name.len(), offset, to, buffer.len()) != 0 };
    if !is_there {
        LACKED.store(true, Ordering::Relaxed);
    }
    is_there
}

/// Whether a part of a file was missing since the question was asked.
pub(super) fn has_lacked() -> bool {
    LACKED.load(Ordering::Relaxed)
}

/// Whether the answer has taken long enough.
pub(super) fn is_late() -> bool {
    late() != 0
}

/// Replaces the question by its answer, and returns the answer's status.
pub(super) fn answer(respond: impl FnOnce(&str) -> Response) -> u32 {
    LACKED.store(false, Ordering::Relaxed);
    let mut text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
    let (status, body) = respond(&String::from_utf8_lossy(&text));
    *text = body.into_bytes();
    u32::from(status)
}

/// Makes room for a question of this many bytes, and returns where it is to be written.
// SAFETY: no other function has this name in a module.
#[unsafe(no_mangle)]
extern "C" fn room(length: usize) -> *mut u8 {
    let mut text = TEXT.lock().unwrap_or_else(PoisonError::into_inner);
    text.clear();
    text.resize(length, 0);
    text.as_mut_ptr()
}

// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn answer_start() -> *const u8 {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

// SAFETY: as above.
#[unsafe(no_mangle)]
extern "C" fn answer_length() -> usize {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner).len()
}
