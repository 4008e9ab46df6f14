"""The parts of `benches/figures`."""
