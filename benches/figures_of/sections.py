"""The sections of the page, in its order."""

from . import all_endings, endings, files, gamesman, large, peers, sets, stored, whole
from .section import Section

ALL: tuple[Section, ...] = (
    peers.PARK,
    peers.RANDOM,
    peers.EXPLORE,
    endings.CHESS,
    gamesman.QUIXO,
    peers.TEEKO,
    peers.STRANGERS,
    peers.SCORES,
    whole.WHOLE,
    sets.COPS,
    large.DOBUTSU,
    large.AWARI,
    large.PLACING,
    large.BOBAIL,
    large.FLEXIBLE,
    large.GOBBLET,
    large.GOBBLET_NUMBERED,
    large.GOBBLET_ON_DISK,
    large.FAIRY,
    large.HOPPERS,
    all_endings.FOUR_MEN,
    all_endings.FIVE_MEN,
    files.SCRATCH,
    files.VAST,
    stored.PROBE,
    stored.SERVE,
    stored.SIZES,
)

NAMES = [section.name for section in ALL]
