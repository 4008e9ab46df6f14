"""Plain data as text, and back: what ``repr`` writes, with members of enumerations by their names."""

from __future__ import annotations

import ast
import dataclasses
import enum
from collections.abc import Mapping
from typing import Any

import numpy as np


def write(data: Any) -> str:
    """The text that :func:`parse` reads as this data."""
    if isinstance(data, enum.Enum):
        return f"{type(data).__name__}.{data.name}"
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        parts = ", ".join(f"{name}={write(getattr(data, name))}" for name in data._fields)
        return f"{type(data).__name__}({parts})"
    if type(data) is tuple:
        parts = ", ".join(map(write, data))
        return f"({parts},)" if len(data) == 1 else f"({parts})"
    if isinstance(data, frozenset):
        return "{" + ", ".join(sorted(map(write, data))) + "}" if data else "frozenset()"
    if dataclasses.is_dataclass(data):
        fields = dataclasses.fields(data)
        parts = ", ".join(f"{one.name}={write(getattr(data, one.name))}" for one in fields)
        return f"{type(data).__name__}({parts})"
    if isinstance(data, np.ndarray) and data.ndim:
        raise TypeError(
            "an array can change, and is not hashable: a state is never changed, so use a tuple, as in "
            "tuple(array.tolist())"
        )
    # Numbers of numpy are numbers.
    return repr(int(data)) if not isinstance(data, bool) and hasattr(data, "__index__") else repr(data)


def short(value: Any) -> str:
    """What a value looks like, on one line that is not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= 80 else text[:80] + "…"


def parse(text: str, classes: Mapping[str, type]) -> Any:
    """The data that a text stands for. Only these classes are called, and nothing else is run."""
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError) as problem:
        raise ValueError(f"expected a state as Python writes it: {problem}") from None
    return _data(tree.body, classes)


def _data(node: ast.expr, classes: Mapping[str, type]) -> Any:
    match node:
        case ast.Constant(value=value) if value is not Ellipsis:
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Tuple(elts=items):
            return tuple(_data(item, classes) for item in items)
        case ast.Set(elts=items):
            return frozenset(_data(item, classes) for item in items)
        case ast.Call(func=ast.Name(id="frozenset"), args=[], keywords=[]):
            return frozenset()
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in classes:
            named = {one.arg: _data(one.value, classes) for one in keywords if one.arg}
            return classes[name](*(_data(one, classes) for one in args), **named)
        case ast.Attribute(value=ast.Name(id=name), attr=member) if name in classes:
            return classes[name][member]  # type: ignore[index]
    known = ", ".join(["numbers", "texts", "tuples", "sets", *classes])
    raise ValueError(f"expected a state made of {known}, not {ast.unparse(node)}")
