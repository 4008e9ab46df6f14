//! The games that come with `retrograde`, as modules for browsers: each example is one.
//!
//! `cargo build --target wasm32-unknown-unknown --profile web -p retrograde-web --example chess`
//!
//! A module is made for each game, since a page loads those of its tables alone.
