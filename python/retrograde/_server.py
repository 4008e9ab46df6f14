"""The server of a table, as Python holds it."""

from __future__ import annotations

import atexit
from html import escape
from types import TracebackType
from typing import TYPE_CHECKING

from . import _engine

if TYPE_CHECKING:
    from ._table import Table

__all__ = ["Server", "Shown"]


class Server:
    """A server of one table. ``with`` stops it."""

    def __init__(self, server: _engine.Server, table: Table) -> None:
        self._server = server
        # The file of the table stays as long as it is served.
        self._table = table
        # A question that is being answered would meet an interpreter that is gone.
        atexit.register(server.stop)

    @property
    def url(self) -> str:
        """The address of the page."""
        return self._server.url

    def stop(self) -> None:
        """Stops the server."""
        self._server.stop()
        atexit.unregister(self._server.stop)

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def __repr__(self) -> str:
        return f"<serving {self._table.path.name} at {self.url}>"

    def _repr_html_(self) -> str:
        return f'<a href="{self.url}">{self.url}</a>'


class Shown:
    """The page of a position in a frame of a notebook.

    ``url``
        The address of the page. Whoever on this machine knows it can look at the table.
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def __repr__(self) -> str:
        return f"<{self.url}>"

    def _repr_html_(self) -> str:
        return f'<iframe src="{escape(self.url)}" width="100%" height="700"></iframe>'
