"""Commands with the options of each game, for type checkers and editors. Made by `python/stubs`."""

from collections.abc import Sequence
from os import PathLike
from pathlib import PurePath
from typing import Any, Literal, overload

from ._answers import Lawful, Survey
from ._commands import Progress
from ._games import BatchGame, Game
from ._table import Table

# fmt: off

@overload
def solve(
    game: Literal['awari'], *, seeds: int | None = 9,
    grand_slam: Literal['illegal', 'captures-nothing', 'captures'] | None = 'illegal',
    tier: str | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Awari (oware) with few seeds: sow them, and capture the other player's."""
@overload
def solve(
    game: Literal['bobail'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 5,
    n: int | None = None, men: int | None = None, rules: Literal['official', 'flexible'] | None = 'official',
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Bobail: a piece of both players, which each wants on the own home row."""
@overload
def solve(
    game: Literal['cat-mouse'], *, graph: str | Sequence[object], directed: bool = False,
    mouse: int | None = 1, cat: int | None = 2, hole: int | None = 0,
    stuck: Literal['draw', 'mouse', 'cat'] | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Cat and Mouse on a graph (LeetCode 913)."""
@overload
def solve(
    game: Literal['cat-mouse-grid'], *, grid: str | Sequence[object], cat_jump: int | None = 1,
    mouse_jump: int | None = 1, ply_limit: int | None = 1000, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Cat and Mouse II, on a grid and with jumps (LeetCode 1728)."""
@overload
def solve(
    game: Literal['chess'], *, material: str | None = 'KQvKR', all: str | None = None,
    piece: str | None = None, board: str | None = None,
    variant: Literal['chess', 'shatranj', 'makruk', 'racing-kings', 'king-of-the-hill', 'giveaway', 'losers', 'selfmate', 'atomic'] | None = None,
    stalemate: Literal['won', 'drawn', 'lost'] | None = None,
    bare_king: Literal['plays-on', 'loses', 'loses-unless-both', 'wins'] | None = None,
    double_step: int | None = None, promote: str | None = None, hill: str | None = None,
    start: str | None = None, numbering: Literal['tiers', 'packed'] | None = None, tier: str | None = None,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Chess endings of up to five men, with distances to mate."""
@overload
def solve(
    game: Literal['connect-four'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 4,
    n: int | None = None, in_a_row: int | None = 4, k: int | None = None, fold: bool = False,
    start: str | None = None, numbering: Literal['packed', 'tiers', 'packed-tiers'] | None = None,
    tier: str | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Connect Four on any board."""
@overload
def solve(
    game: Literal['cops'], *, graph: str | Sequence[object], graphs: str | None = None, cops: int | None = 1,
    cop_number: bool = False, directed: bool = False,
    passing: Literal['both', 'cops', 'robber', 'nobody'] | None = 'both', lazy: bool = False,
    robber_speed: int | None = 1, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Cops and robbers: cops chase a robber on a graph."""
@overload
def solve(
    game: Literal['dobutsu'], *, no_elephants: bool = False, no_giraffes: bool = False,
    start: str | None = None, numbering: Literal['dense', 'packed'] | None = None,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Dobutsu shogi: 3 x 4 squares, with drops."""
@overload
def solve(
    game: Literal['dots-and-boxes'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 2,
    n: int | None = None, tier: str | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Dots and boxes: draw lines, complete boxes and move again."""
@overload
def solve(
    game: Literal['gobblet'], *, small: int | None = 2, medium: int | None = 2, large: int | None = 2,
    uncovered: Literal['all', 'first'] | None = 'all', start: str | None = None,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Gobblet Gobblers: on 3 x 3, larger pieces cover smaller ones."""
@overload
def solve(
    game: Literal['hexapawn'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, start: str | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Hexapawn: pawns that race and block each other."""
@overload
def solve(
    game: Literal['kalah'], *, houses: int | None = 4, seeds: int | None = 3, empty_capture: bool = False,
    ends: Literal['no-move', 'side-empty'] | None = 'no-move', start: str | None = None,
    tier: str | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Kalah: sow seeds, capture and move again."""
@overload
def solve(
    game: Literal['mnk'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, in_a_row: int | None = 3, k: int | None = None, fold: bool = False,
    start: str | None = None, numbering: Literal['packed', 'dense', 'packed-tiers'] | None = None,
    tier: str | None = None, compression: int | str | None = None,
    outcomes_only: bool | str | PurePath | None = None, force: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """m,n,k: tic-tac-toe on any board."""
@overload
def solve(
    game: Literal['morris'], *, board: Literal['six', 'seven', 'nine', 'twelve'] | None = 'six',
    men: int | None = None, flying: bool = False, sliding: bool = False, start: str | None = None,
    numbering: Literal['tiers', 'packed'] | None = None, tier: str | None = None,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Six, seven, nine and twelve men's morris."""
@overload
def solve(
    game: Literal['othello'], *, columns: int | None = 4, m: int | None = None, rows: int | None = 4,
    n: int | None = None, fold: bool = False, start: str | None = None,
    numbering: Literal['packed', 'packed-tiers'] | None = None, tier: str | None = None,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Othello on small boards, by the difference in discs."""
@overload
def solve(
    game: Literal['quixo'], *, size: int | None = 4, unfolded: bool = False,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Quixo: cubes pushed in from the border, a full line wins."""
@overload
def solve(
    game: Game | BatchGame, *, start: Any = None, tier: str | None = None,
    compression: int | str | None = None, outcomes_only: bool | str | PurePath | None = None,
    force: bool = False, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, scratch: str | PurePath | None = None,
    checkpoint: str | PurePath | None = None, checkpoint_every: str | None = None,
    output: str | PathLike[str] | None = None, progress: Progress = None,
) -> Table:
    """Solves a game completely, and returns its table."""
@overload
def laws(
    game: Literal['awari'], *, seeds: int | None = 9,
    grand_slam: Literal['illegal', 'captures-nothing', 'captures'] | None = 'illegal',
    sample: int | None = None, seed: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Awari (oware) with few seeds: sow them, and capture the other player's."""
@overload
def laws(
    game: Literal['bobail'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 5,
    n: int | None = None, men: int | None = None, rules: Literal['official', 'flexible'] | None = 'official',
    sample: int | None = None, seed: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Bobail: a piece of both players, which each wants on the own home row."""
@overload
def laws(
    game: Literal['cat-mouse'], *, graph: str | Sequence[object], directed: bool = False,
    mouse: int | None = 1, cat: int | None = 2, hole: int | None = 0,
    stuck: Literal['draw', 'mouse', 'cat'] | None = None, sample: int | None = None, seed: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Cat and Mouse on a graph (LeetCode 913)."""
@overload
def laws(
    game: Literal['cat-mouse-grid'], *, grid: str | Sequence[object], cat_jump: int | None = 1,
    mouse_jump: int | None = 1, ply_limit: int | None = 1000, sample: int | None = None,
    seed: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Lawful:
    """Cat and Mouse II, on a grid and with jumps (LeetCode 1728)."""
@overload
def laws(
    game: Literal['chess'], *, material: str | None = 'KQvKR', all: str | None = None,
    piece: str | None = None, board: str | None = None,
    variant: Literal['chess', 'shatranj', 'makruk', 'racing-kings', 'king-of-the-hill', 'giveaway', 'losers', 'selfmate', 'atomic'] | None = None,
    stalemate: Literal['won', 'drawn', 'lost'] | None = None,
    bare_king: Literal['plays-on', 'loses', 'loses-unless-both', 'wins'] | None = None,
    double_step: int | None = None, promote: str | None = None, hill: str | None = None,
    start: str | None = None, numbering: Literal['tiers', 'packed'] | None = None, sample: int | None = None,
    seed: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Lawful:
    """Chess endings of up to five men, with distances to mate."""
@overload
def laws(
    game: Literal['connect-four'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 4,
    n: int | None = None, in_a_row: int | None = 4, k: int | None = None, fold: bool = False,
    start: str | None = None, numbering: Literal['packed', 'tiers', 'packed-tiers'] | None = None,
    sample: int | None = None, seed: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Connect Four on any board."""
@overload
def laws(
    game: Literal['cops'], *, graph: str | Sequence[object], graphs: str | None = None, cops: int | None = 1,
    cop_number: bool = False, directed: bool = False,
    passing: Literal['both', 'cops', 'robber', 'nobody'] | None = 'both', lazy: bool = False,
    robber_speed: int | None = 1, sample: int | None = None, seed: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Cops and robbers: cops chase a robber on a graph."""
@overload
def laws(
    game: Literal['dobutsu'], *, no_elephants: bool = False, no_giraffes: bool = False,
    start: str | None = None, numbering: Literal['dense', 'packed'] | None = None, sample: int | None = None,
    seed: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Lawful:
    """Dobutsu shogi: 3 x 4 squares, with drops."""
@overload
def laws(
    game: Literal['dots-and-boxes'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 2,
    n: int | None = None, sample: int | None = None, seed: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Dots and boxes: draw lines, complete boxes and move again."""
@overload
def laws(
    game: Literal['gobblet'], *, small: int | None = 2, medium: int | None = 2, large: int | None = 2,
    uncovered: Literal['all', 'first'] | None = 'all', start: str | None = None, sample: int | None = None,
    seed: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Lawful:
    """Gobblet Gobblers: on 3 x 3, larger pieces cover smaller ones."""
@overload
def laws(
    game: Literal['hexapawn'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, start: str | None = None, sample: int | None = None, seed: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Hexapawn: pawns that race and block each other."""
@overload
def laws(
    game: Literal['kalah'], *, houses: int | None = 4, seeds: int | None = 3, empty_capture: bool = False,
    ends: Literal['no-move', 'side-empty'] | None = 'no-move', start: str | None = None,
    sample: int | None = None, seed: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Kalah: sow seeds, capture and move again."""
@overload
def laws(
    game: Literal['mnk'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, in_a_row: int | None = 3, k: int | None = None, fold: bool = False,
    start: str | None = None, numbering: Literal['packed', 'dense', 'packed-tiers'] | None = None,
    sample: int | None = None, seed: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """m,n,k: tic-tac-toe on any board."""
@overload
def laws(
    game: Literal['morris'], *, board: Literal['six', 'seven', 'nine', 'twelve'] | None = 'six',
    men: int | None = None, flying: bool = False, sliding: bool = False, start: str | None = None,
    numbering: Literal['tiers', 'packed'] | None = None, sample: int | None = None, seed: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Six, seven, nine and twelve men's morris."""
@overload
def laws(
    game: Literal['othello'], *, columns: int | None = 4, m: int | None = None, rows: int | None = 4,
    n: int | None = None, fold: bool = False, start: str | None = None,
    numbering: Literal['packed', 'packed-tiers'] | None = None, sample: int | None = None,
    seed: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Lawful:
    """Othello on small boards, by the difference in discs."""
@overload
def laws(
    game: Literal['quixo'], *, size: int | None = 4, unfolded: bool = False, sample: int | None = None,
    seed: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Lawful:
    """Quixo: cubes pushed in from the border, a full line wins."""
@overload
def laws(
    game: Game | BatchGame, *, start: Any = None, sample: int | None = None, seed: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Lawful:
    """Checks that the rules of a game are consistent, on all states or on a random sample."""
@overload
def explore(
    game: Literal['awari'], *, seeds: int | None = 9,
    grand_slam: Literal['illegal', 'captures-nothing', 'captures'] | None = 'illegal',
    threads: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Survey:
    """Awari (oware) with few seeds: sow them, and capture the other player's."""
@overload
def explore(
    game: Literal['bobail'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 5,
    n: int | None = None, men: int | None = None, rules: Literal['official', 'flexible'] | None = 'official',
    threads: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Survey:
    """Bobail: a piece of both players, which each wants on the own home row."""
@overload
def explore(
    game: Literal['cat-mouse'], *, graph: str | Sequence[object], directed: bool = False,
    mouse: int | None = 1, cat: int | None = 2, hole: int | None = 0,
    stuck: Literal['draw', 'mouse', 'cat'] | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Cat and Mouse on a graph (LeetCode 913)."""
@overload
def explore(
    game: Literal['cat-mouse-grid'], *, grid: str | Sequence[object], cat_jump: int | None = 1,
    mouse_jump: int | None = 1, ply_limit: int | None = 1000, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Cat and Mouse II, on a grid and with jumps (LeetCode 1728)."""
@overload
def explore(
    game: Literal['chess'], *, material: str | None = 'KQvKR', all: str | None = None,
    piece: str | None = None, board: str | None = None,
    variant: Literal['chess', 'shatranj', 'makruk', 'racing-kings', 'king-of-the-hill', 'giveaway', 'losers', 'selfmate', 'atomic'] | None = None,
    stalemate: Literal['won', 'drawn', 'lost'] | None = None,
    bare_king: Literal['plays-on', 'loses', 'loses-unless-both', 'wins'] | None = None,
    double_step: int | None = None, promote: str | None = None, hill: str | None = None,
    start: str | None = None, numbering: Literal['tiers', 'packed'] | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Chess endings of up to five men, with distances to mate."""
@overload
def explore(
    game: Literal['connect-four'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 4,
    n: int | None = None, in_a_row: int | None = 4, k: int | None = None, fold: bool = False,
    start: str | None = None, numbering: Literal['packed', 'tiers', 'packed-tiers'] | None = None,
    threads: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Survey:
    """Connect Four on any board."""
@overload
def explore(
    game: Literal['cops'], *, graph: str | Sequence[object], graphs: str | None = None, cops: int | None = 1,
    cop_number: bool = False, directed: bool = False,
    passing: Literal['both', 'cops', 'robber', 'nobody'] | None = 'both', lazy: bool = False,
    robber_speed: int | None = 1, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Cops and robbers: cops chase a robber on a graph."""
@overload
def explore(
    game: Literal['dobutsu'], *, no_elephants: bool = False, no_giraffes: bool = False,
    start: str | None = None, numbering: Literal['dense', 'packed'] | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Dobutsu shogi: 3 x 4 squares, with drops."""
@overload
def explore(
    game: Literal['dots-and-boxes'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 2,
    n: int | None = None, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Dots and boxes: draw lines, complete boxes and move again."""
@overload
def explore(
    game: Literal['gobblet'], *, small: int | None = 2, medium: int | None = 2, large: int | None = 2,
    uncovered: Literal['all', 'first'] | None = 'all', start: str | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Gobblet Gobblers: on 3 x 3, larger pieces cover smaller ones."""
@overload
def explore(
    game: Literal['hexapawn'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, start: str | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Hexapawn: pawns that race and block each other."""
@overload
def explore(
    game: Literal['kalah'], *, houses: int | None = 4, seeds: int | None = 3, empty_capture: bool = False,
    ends: Literal['no-move', 'side-empty'] | None = 'no-move', start: str | None = None,
    threads: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Survey:
    """Kalah: sow seeds, capture and move again."""
@overload
def explore(
    game: Literal['mnk'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, in_a_row: int | None = 3, k: int | None = None, fold: bool = False,
    start: str | None = None, numbering: Literal['packed', 'dense', 'packed-tiers'] | None = None,
    threads: int | None = None, memory: int | str | None = None, max_states: int | None = None,
    progress: Progress = None,
) -> Survey:
    """m,n,k: tic-tac-toe on any board."""
@overload
def explore(
    game: Literal['morris'], *, board: Literal['six', 'seven', 'nine', 'twelve'] | None = 'six',
    men: int | None = None, flying: bool = False, sliding: bool = False, start: str | None = None,
    numbering: Literal['tiers', 'packed'] | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Six, seven, nine and twelve men's morris."""
@overload
def explore(
    game: Literal['othello'], *, columns: int | None = 4, m: int | None = None, rows: int | None = 4,
    n: int | None = None, fold: bool = False, start: str | None = None,
    numbering: Literal['packed', 'packed-tiers'] | None = None, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Othello on small boards, by the difference in discs."""
@overload
def explore(
    game: Literal['quixo'], *, size: int | None = 4, unfolded: bool = False, threads: int | None = None,
    memory: int | str | None = None, max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Quixo: cubes pushed in from the border, a full line wins."""
@overload
def explore(
    game: Game | BatchGame, *, start: Any = None, threads: int | None = None, memory: int | str | None = None,
    max_states: int | None = None, progress: Progress = None,
) -> Survey:
    """Counts the states that play can reach, without solving them."""
@overload
def rules(
    game: Literal['awari'], *, seeds: int | None = 9,
    grand_slam: Literal['illegal', 'captures-nothing', 'captures'] | None = 'illegal',
) -> str:
    """Awari (oware) with few seeds: sow them, and capture the other player's."""
@overload
def rules(
    game: Literal['bobail'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 5,
    n: int | None = None, men: int | None = None, rules: Literal['official', 'flexible'] | None = 'official',
) -> str:
    """Bobail: a piece of both players, which each wants on the own home row."""
@overload
def rules(
    game: Literal['cat-mouse'], *, graph: str | Sequence[object], directed: bool = False,
    mouse: int | None = 1, cat: int | None = 2, hole: int | None = 0,
    stuck: Literal['draw', 'mouse', 'cat'] | None = None,
) -> str:
    """Cat and Mouse on a graph (LeetCode 913)."""
@overload
def rules(
    game: Literal['cat-mouse-grid'], *, grid: str | Sequence[object], cat_jump: int | None = 1,
    mouse_jump: int | None = 1, ply_limit: int | None = 1000,
) -> str:
    """Cat and Mouse II, on a grid and with jumps (LeetCode 1728)."""
@overload
def rules(
    game: Literal['chess'], *, material: str | None = 'KQvKR', all: str | None = None,
    piece: str | None = None, board: str | None = None,
    variant: Literal['chess', 'shatranj', 'makruk', 'racing-kings', 'king-of-the-hill', 'giveaway', 'losers', 'selfmate', 'atomic'] | None = None,
    stalemate: Literal['won', 'drawn', 'lost'] | None = None,
    bare_king: Literal['plays-on', 'loses', 'loses-unless-both', 'wins'] | None = None,
    double_step: int | None = None, promote: str | None = None, hill: str | None = None,
    start: str | None = None,
) -> str:
    """Chess endings of up to five men, with distances to mate."""
@overload
def rules(
    game: Literal['connect-four'], *, columns: int | None = 5, m: int | None = None, rows: int | None = 4,
    n: int | None = None, in_a_row: int | None = 4, k: int | None = None, fold: bool = False,
    start: str | None = None,
) -> str:
    """Connect Four on any board."""
@overload
def rules(
    game: Literal['cops'], *, graph: str | Sequence[object], graphs: str | None = None, cops: int | None = 1,
    cop_number: bool = False, directed: bool = False,
    passing: Literal['both', 'cops', 'robber', 'nobody'] | None = 'both', lazy: bool = False,
    robber_speed: int | None = 1,
) -> str:
    """Cops and robbers: cops chase a robber on a graph."""
@overload
def rules(
    game: Literal['dobutsu'], *, no_elephants: bool = False, no_giraffes: bool = False,
    start: str | None = None,
) -> str:
    """Dobutsu shogi: 3 x 4 squares, with drops."""
@overload
def rules(
    game: Literal['dots-and-boxes'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 2,
    n: int | None = None,
) -> str:
    """Dots and boxes: draw lines, complete boxes and move again."""
@overload
def rules(
    game: Literal['gobblet'], *, small: int | None = 2, medium: int | None = 2, large: int | None = 2,
    uncovered: Literal['all', 'first'] | None = 'all', start: str | None = None,
) -> str:
    """Gobblet Gobblers: on 3 x 3, larger pieces cover smaller ones."""
@overload
def rules(
    game: Literal['hexapawn'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, start: str | None = None,
) -> str:
    """Hexapawn: pawns that race and block each other."""
@overload
def rules(
    game: Literal['kalah'], *, houses: int | None = 4, seeds: int | None = 3, empty_capture: bool = False,
    ends: Literal['no-move', 'side-empty'] | None = 'no-move', start: str | None = None,
) -> str:
    """Kalah: sow seeds, capture and move again."""
@overload
def rules(
    game: Literal['mnk'], *, columns: int | None = 3, m: int | None = None, rows: int | None = 3,
    n: int | None = None, in_a_row: int | None = 3, k: int | None = None, fold: bool = False,
    start: str | None = None,
) -> str:
    """m,n,k: tic-tac-toe on any board."""
@overload
def rules(
    game: Literal['morris'], *, board: Literal['six', 'seven', 'nine', 'twelve'] | None = 'six',
    men: int | None = None, flying: bool = False, sliding: bool = False, start: str | None = None,
) -> str:
    """Six, seven, nine and twelve men's morris."""
@overload
def rules(
    game: Literal['othello'], *, columns: int | None = 4, m: int | None = None, rows: int | None = 4,
    n: int | None = None, fold: bool = False, start: str | None = None,
) -> str:
    """Othello on small boards, by the difference in discs."""
@overload
def rules(
    game: Literal['quixo'], *, size: int | None = 4, unfolded: bool = False,
) -> str:
    """Quixo: cubes pushed in from the border, a full line wins."""
@overload
def rules(
    game: Game | BatchGame, *, start: Any = None,
) -> str:
    """The rules of a game in words."""
