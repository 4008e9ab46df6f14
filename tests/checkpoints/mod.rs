//! A solve that is interrupted anywhere, any number of times, ends in the same file.

mod hostile;
mod interrupted;
mod memory;
mod refused;
mod stairs;
