//! The connections of a server, and the choice of the connection that gives way to a new one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::Notify;

/// The connections of a server, limited in number.
pub(super) struct Connections {
    most: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    connections: BTreeMap<u64, Arc<Connection>>,
}

/// The activity of a connection. The server shares it with the requests of the connection.
pub(crate) struct Connection {
    doing: Mutex<Doing>,
    /// Notified when the connection must give way.
    leave: Notify,
}

struct Doing {
    /// The number of answers that are being made.
    answers: usize,
    /// Whether the client must still send the body of a request.
    lacks_body: bool,
    /// Whether the client must read before more can be sent.
    lacks_reader: bool,
    /// The time of the last change.
    since: Instant,
}

/// The place of a connection in its server. It becomes free when this is dropped.
pub(super) struct Admission {
    connections: Arc<Connections>,
    number: u64,
    pub(super) connection: Arc<Connection>,
}

/// Marks a connection as being answered until it is dropped.
pub(crate) struct Answering(Arc<Connection>);

/// The state behind a lock. A panic leaves no state half changed, so a poisoned lock is fine.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Connections {
    pub(super) fn new(most: usize) -> Arc<Connections> {
        Arc::new(Connections { most, open: Mutex::default() })
    }

    /// A place for a new connection. If all are taken, the connection that has waited longest for
    /// its client gives way. `None` if none waits: all of them are being answered.
    pub(super) fn admit(self: &Arc<Self>) -> Option<Admission> {
        let mut open = lock(&self.open);
        if open.connections.len() >= self.most && !open.close_idlest() {
            return None;
        }
        let number = open.next;
        open.next += 1;
        let connection = Arc::new(Connection::new());
        open.connections.insert(number, Arc::clone(&connection));
        Some(Admission { connections: Arc::clone(self), number, connection })
    }

    /// Closes the connection that has waited longest for its client. Returns whether there was one.
    pub(super) fn close_idlest(&self) -> bool {
        lock(&self.open).close_idlest()
    }
}

impl Open {
    fn close_idlest(&mut self) -> bool {
        let idle = self.connections.iter();
        let idle = idle.filter_map(|(&number, one)| Some((one.idle_since()?, number)));
        let Some((_, number)) = idle.min() else { return false };
        if let Some(connection) = self.connections.remove(&number) {
            connection.leave.notify_one();
        }
        true
    }
}

impl Connection {
    fn new() -> Connection {
        let since = Instant::now();
        let doing = Doing { answers: 0, lacks_body: false, lacks_reader: false, since };
        Connection { doing: Mutex::new(doing), leave: Notify::new() }
    }

    /// The time since which the connection waits for its client; `None` while an answer is being
    /// made.
    fn idle_since(&self) -> Option<Instant> {
        let doing = lock(&self.doing);
        let waits = doing.answers == 0 || doing.lacks_body || doing.lacks_reader;
        waits.then_some(doing.since)
    }

    /// Waits until the connection must give way.
    pub(super) async fn has_to_leave(&self) {
        self.leave.notified().await;
    }

    fn change(&self, change: impl FnOnce(&mut Doing)) {
        let mut doing = lock(&self.doing);
        change(&mut doing);
        doing.since = Instant::now();
    }

    /// Records whether the next bytes wait until the client reads.
    pub(super) fn wrote(&self, waits: bool) {
        if !waits || !lock(&self.doing).lacks_reader {
            self.change(|doing| doing.lacks_reader = waits);
        }
    }

    /// Records whether the client must still send the body of a request.
    pub(crate) fn lacks_body(&self, lacks: bool) {
        self.change(|doing| doing.lacks_body = lacks);
    }
}

impl Answering {
    pub(crate) fn new(connection: &Arc<Connection>) -> Answering {
        connection.change(|doing| doing.answers += 1);
        Answering(Arc::clone(connection))
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.change(|doing| {
            doing.answers = doing.answers.saturating_sub(1);
            doing.lacks_body &= doing.answers > 0;
        });
    }
}

impl Drop for Admission {
    fn drop(&mut self) {
        lock(&self.connections.open).connections.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_to_leave(admission: &Admission) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let limit = std::time::Duration::from_millis(1);
        let leaves =
            async { tokio::time::timeout(limit, admission.connection.has_to_leave()).await };
        runtime.block_on(leaves).is_ok()
    }

    #[test]
    fn the_connection_that_waits_longest_gives_way() {
        let connections = Connections::new(2);
        let first = connections.admit().unwrap();
        let second = connections.admit().unwrap();
        // The connection that is read now has waited less long than the later one.
        std::thread::sleep(std::time::Duration::from_millis(2));
        first.connection.wrote(false);
        let third = connections.admit().unwrap();
        assert_eq!([&first, &second, &third].map(has_to_leave), [false, true, false]);
    }

    #[test]
    fn what_is_being_answered_stays_unless_its_client_does_nothing() {
        let connections = Connections::new(1);
        let place = connections.admit().unwrap();
        let answering = Answering::new(&place.connection);
        assert!(connections.admit().is_none());
        place.connection.lacks_body(true);
        assert!(place.connection.idle_since().is_some(), "the body is not there");
        place.connection.lacks_body(false);
        place.connection.wrote(true);
        assert!(place.connection.idle_since().is_some(), "nobody reads the answer");
        place.connection.wrote(false);
        assert!(connections.admit().is_none());
        drop(answering);
        assert!(connections.admit().is_some() && has_to_leave(&place));
    }

    #[test]
    fn a_place_is_free_again_when_its_connection_ends() {
        let connections = Connections::new(1);
        let place = connections.admit().unwrap();
        let _answering = Answering::new(&place.connection);
        drop(place);
        assert!(connections.admit().is_some_and(|place| !has_to_leave(&place)));
    }
}
