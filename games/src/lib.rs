//! The games that come with retrograde.
