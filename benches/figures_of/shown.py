"""Figures as the pages show them."""

from .bench import median


def seconds(figure):
    """Three digits; minutes and hours from two minutes on."""
    if figure is None:
        return ""
    if figure < 1e-3:
        return f"{figure * 1e3:.3f} ms"
    if figure < 0.1:
        return f"{figure:.3f} s"
    if figure < 10:
        return f"{figure:.2f} s"
    if figure < 100:
        return f"{figure:.1f} s"
    if figure < 120:
        return f"{figure:.0f} s"
    minutes, rest = divmod(round(figure), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"


def times(slow, fast):
    """How many times as fast the second is."""
    ratio = slow / fast
    return f"{ratio:.2f}x" if ratio < 1 else f"{ratio:.1f}x" if ratio < 10 else f"{ratio:.0f}x"


def beside(own, *rivals):
    """A time of the engine; in brackets, how many times as fast it is as each rival."""
    return f"{seconds(own)} ({', '.join(times(rival, own) for rival in rivals)})"


def count(figure):
    """A number, rounded to three digits from a million on."""
    if figure is None:
        return ""
    if figure < 1_000_000:
        return f"{figure:,.0f}"
    for one, name in ((10**12, "million million"), (10**9, "thousand million"), (10**6, "million")):
        if figure >= one:
            part = figure / one
            return f"{part:.2f} {name}" if part < 10 else f"{part:.1f} {name}" if part < 100 else f"{part:.0f} {name}"
    return ""


def megabytes(figure):
    """Millions of bytes."""
    if figure is None:
        return ""
    digits = 2 if figure < 1e6 else 1 if figure < 10e6 else 0
    return f"{figure / 1e6:,.{digits}f} MB"


def counts(wins):
    """How many positions the player to move wins, and loses."""
    return wins["mover"], wins["opponent"]


def plies_of(plies):
    """The longest win, in moves of the winner and in plies."""
    return "none" if plies is None else f"{(plies + 1) // 2} ({plies} plies)"


def a_state(figure, states):
    """Bytes a state."""
    return "" if figure is None else f"{figure / states:.2f}" if figure < 10 * states else f"{figure / states:.0f}"


def table(head, rows):
    """The lines of a table in Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines]


def runs(number):
    """How often each was run: the median of two runs is their mean."""
    if number == 1:
        return "One run of each."
    return f"{'Means' if number == 2 else 'Medians'} of {number} runs of each, in turns."


def seen(*entries):
    """Where, when and at which commits something was measured: a line for each machine."""
    machines = {}
    for entry in entries:
        dates = machines.setdefault(machine_of(entry["machine"]), {})
        dates[f"{entry['day']}, commit {entry['commit']}"] = None
    return [f"{machine}; {'; '.join(dates)}." for machine, dates in machines.items()]


def machine_of(machine):
    """A machine, as its description has it."""
    virtual = ", virtual" if machine["virtual"] else ""
    cache = f", {machine['cache'] / 1024:g} MiB of cache" if machine["cache"] else ""
    cores = f"{machine['cores']} core{'s' if machine['cores'] != 1 else ''}"
    return f"{machine['processor']}{virtual}, {cores}{cache}, {machine['gigabytes']} GB of memory"


def of_solver(lines, solver, game=None):
    """The line of a solver of a bench."""
    return next(line for line in lines if line["solver"] == solver and (game is None or line["game"] == game))


def middle(line):
    """The median of a line's seconds."""
    return median(line["seconds"])
