"""A section: how its figures are measured, and how the page shows them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .bench import Bench


def nothing_missing(_bench: Bench) -> str | None:
    return None


@dataclass(frozen=True)
class Section:
    # The name on the command line and in the page's marker.
    name: str
    # For the list of sections.
    about: str
    # Figures that JSON can hold.
    measure: Callable[[Bench], Any]
    # Lines of Markdown for such figures.
    show: Callable[[Any], list[str]]
    # Whether it takes more than some minutes.
    is_long: bool = False
    # Whether it runs benches, which take minutes to build, and not the program alone.
    has_benches: bool = True
    # Whether it has times, which a busy machine would spoil.
    is_timed: bool = True
    # Why it can't be measured here.
    missing: Callable[[Bench], str | None] = nothing_missing
