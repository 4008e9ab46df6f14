//! The pages of the documentation.
//!
//! Begin with the [`guide`]. The examples of all pages are compiled and run by the tests.

#![allow(rustdoc::invalid_rust_codeblocks, reason = "the pages show parts of the examples, too")]

#[doc = include_str!(concat!(env!("OUT_DIR"), "/GUIDE.md"))]
pub mod guide {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/ADAPTING.md"))]
pub mod adapting {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/NUMBERING.md"))]
pub mod numbering {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/PICTURES.md"))]
pub mod pictures {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/CLI.md"))]
pub mod cli {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/OPTIONS.md"))]
pub mod options {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/HTTP.md"))]
pub mod http {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/FORMAT.md"))]
pub mod format {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/PERFORMANCE.md"))]
pub mod performance {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/ENDINGS.md"))]
pub mod endings {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/SCALE.md"))]
pub mod scale {}

#[doc = include_str!(concat!(env!("OUT_DIR"), "/ARCHITECTURE.md"))]
pub mod architecture {}
