//! A solve that is interrupted, however often and wherever, ends in the same file.

mod hostile;
mod interrupted;
mod memory;
mod refused;
mod stairs;
