//! Ready-made parts for a game's numbering ([`Indexed`](crate::Indexed)).

mod divisor;

pub use divisor::Divisor;
