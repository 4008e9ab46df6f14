//! The bytes between the server and a client.
//!
//! The HTTP library writes to a [`Stream`]. A stream waits a bounded time for a client to read, and ends
//! without cutting off the last answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use crate::program::serve::connections::Connection;

/// The time for which the rest of a request is read and discarded after the last answer. If bytes
/// are left unread when a connection ends, the client may lose the answer.
const LONGEST_END: Duration = Duration::from_secs(1);

/// A connection to a client.
pub(super) struct Stream {
    tcp: TcpStream,
    connection: Arc<Connection>,
    /// The longest time that a client may take to read something.
    longest_write: Duration,
    /// The end of the current wait.
    limit: Option<Pin<Box<Sleep>>>,
    is_ending: bool,
}

impl Stream {
    pub(super) fn new(
        tcp: TcpStream,
        connection: Arc<Connection>,
        longest_write: Duration,
    ) -> Stream {
        Stream { tcp, connection, longest_write, limit: None, is_ending: false }
    }

    /// Passes on the result of writing, or an error if the client has not read for too long.
    fn within_limit(
        &mut self,
        cx: &mut Context<'_>,
        wrote: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        self.connection.wrote(wrote.is_pending());
        if wrote.is_ready() {
            self.limit = None;
            return wrote;
        }
        let longest = self.longest_write;
        let limit = self.limit.get_or_insert_with(|| Box::pin(sleep(longest)));
        ready!(limit.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client does not read")))
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Stream {
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.poll_write_vectored(cx, &[IoSlice::new(bytes)])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.tcp).poll_write_vectored(cx, bytes);
        self.within_limit(cx, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        true
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    /// Closes the sending side, and reads what the client still sends, for a bounded time.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if !self.is_ending {
            ready!(Pin::new(&mut self.tcp).poll_shutdown(cx))?;
            self.is_ending = true;
            self.limit = Some(Box::pin(sleep(LONGEST_END)));
        }
        if self.limit.as_mut().is_none_or(|limit| limit.as_mut().poll(cx).is_ready()) {
            return Poll::Ready(Ok(()));
        }
        let mut bytes = [0; 16 << 10];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            let read = ready!(Pin::new(&mut self.tcp).poll_read(cx, &mut buffer));
            if read.is_err() || buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
    }
}
