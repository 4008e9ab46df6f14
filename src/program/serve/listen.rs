//! Accepts connections until the server is stopped.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderValue, Method, Request, header};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate as _, SizeAbove};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::program::answers::tables::Tables;
use crate::program::serve::app::App;
use crate::program::serve::batch::NDJSON;
use crate::program::serve::connections::{Answering, Connections};
use crate::program::serve::guard::LONGEST_HEAD;
use crate::program::serve::private::behind;
use crate::program::serve::routes::{router, spare_router};
use crate::program::serve::stream::Stream;

/// The limits for connections: their number, and their waiting time.
#[derive(Clone, Copy)]
struct Limits {
    /// The most connections at once. For a new one, the one that is idle longest gives way.
    connections: usize,
    /// The most further connections from this machine, which may ask only for `/health`.
    spare: usize,
    /// A client that reads nothing for this time is cut off.
    write: Duration,
}

/// A process usually may have 1,024 files open; some are left for tables.
const LIMITS: Limits = Limits { connections: 768, spare: 16, write: Duration::from_secs(20) };

/// The bytes that the system buffers each way for a connection, roughly. This much is answered, and
/// requests of this size are taken, before the client reads.
const SOCKET_BUFFER: u32 = 128 << 10;

/// The number of connections that the system keeps until the server accepts them.
const BACKLOG: u32 = 1_024;

/// The time between two tries to accept a connection when too many files are open.
const BETWEEN_TRIES: Duration = Duration::from_millis(10);

/// Answers with fewer bytes than this fit in one packet as they are.
const LEAST_COMPRESSED: u64 = 1_024;

/// The number of threads that may wait for the disk.
const READERS: usize = 16;

/// A client that takes longer to send a request is cut off, as is a client that sends none.
const LONGEST_HEADER: Duration = Duration::from_secs(30);

/// The time that a stopped server waits for answers to end, and the same time again for threads
/// that read.
const LONGEST_FAREWELL: Duration = Duration::from_secs(2);

/// The settings of a server.
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    /// The origins of pages elsewhere that may read answers; `*` for all.
    pub(crate) origins: Vec<HeaderValue>,
    /// The host names that requests may be meant for.
    pub(crate) hosts: Vec<String>,
    /// The beginning of all addresses, if they are a secret.
    pub(crate) secret: Option<String>,
    /// Prints a line for the operator of the server.
    pub(crate) report: fn(&str),
}

/// Stops a server, from any thread.
#[derive(Clone)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Stop {
    pub(crate) fn new() -> Stop {
        Stop(watch::Sender::new(false))
    }

    /// Stops the server. Returns whether it had already been stopped.
    pub(crate) fn stop(&self) -> bool {
        self.0.send_replace(true)
    }
}

/// Serves tables until `stop` is set. `ready` is called with the address once requests are
/// accepted.
///
/// # Errors
/// When the address can't be listened on.
pub(crate) fn serve(
    tables: Tables,
    settings: Settings,
    stop: &Stop,
    ready: impl FnOnce(SocketAddr),
) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(READERS)
        .enable_io()
        .enable_time()
        .build()?;
    let served = runtime.block_on(async {
        let listener = listen(settings.listen)?;
        ready(listener.local_addr()?);
        let app = Arc::new(App::new(tables, settings.hosts, settings.report));
        let usual = compressed(router(&app));
        let usual = match &settings.secret {
            Some(secret) => behind(secret, usual),
            None => usual,
        };
        let [usual, spare] =
            [usual, spare_router(&app)].map(|router| with_origins(router, &settings.origins));
        Server::new(usual, spare, LIMITS).run(listener, stop.0.subscribe()).await;
        Ok(())
    });
    runtime.shutdown_timeout(LONGEST_FAREWELL);
    served
}

/// Listens on an address. The accepted connections inherit the buffers of this socket.
fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4()?,
        SocketAddr::V6(_) => TcpSocket::new_v6()?,
    };
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SOCKET_BUFFER)?;
    socket.set_recv_buffer_size(SOCKET_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Compresses answers for clients that take them so. The answers of a batch are sent as they are found,
/// and would wait for each other in a compressor.
fn compressed(router: Router) -> Router {
    let is_worth_it = SizeAbove::new(LEAST_COMPRESSED).and(NotForContentType::const_new(NDJSON));
    router.layer(CompressionLayer::new().compress_when(is_worth_it))
}

/// Allows pages of these origins to read the answers.
fn with_origins(router: Router, origins: &[HeaderValue]) -> Router {
    if origins.is_empty() {
        return router;
    }
    let cors = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE])
        .expose_headers([header::ETAG]);
    let is_any = origins.iter().any(|origin| origin == "*");
    router.layer(match is_any {
        true => cors.allow_origin(Any),
        false => cors.allow_origin(AllowOrigin::list(origins.to_vec())),
    })
}

/// The places for connections, and the router that answers them.
struct Service {
    connections: Arc<Connections>,
    router: Router,
}

/// The server of connections.
struct Server {
    http: http1::Builder,
    limits: Limits,
    graceful: GracefulShutdown,
    usual: Service,
    /// For connections from this machine that got no usual place; answers only `/health`.
    spare: Service,
}

impl Server {
    fn new(usual: Router, spare: Router, limits: Limits) -> Server {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new());
        http.header_read_timeout(LONGEST_HEADER).max_buf_size(LONGEST_HEAD);
        let service = |most, router| Service { connections: Connections::new(most), router };
        let graceful = GracefulShutdown::new();
        let (usual, spare) = (service(limits.connections, usual), service(limits.spare, spare));
        Server { http, limits, graceful, usual, spare }
    }

    /// Accepts connections until the server must stop.
    async fn run(self, listener: TcpListener, mut stopped: watch::Receiver<bool>) {
        let stop = async move { drop(stopped.wait_for(|stopped| *stopped).await) };
        tokio::pin!(stop);
        loop {
            tokio::select! {
                () = &mut stop => break,
                accepted = listener.accept() => match accepted {
                    Ok((tcp, from)) => self.take(tcp, from),
                    Err(error) if is_of_client(&error) => {}
                    // Too many files are open.
                    Err(_) => {
                        self.usual.connections.close_idlest();
                        tokio::time::sleep(BETWEEN_TRIES).await;
                    }
                },
            }
        }
        drop(listener);
        let _ = tokio::time::timeout(LONGEST_FAREWELL, self.graceful.shutdown()).await;
    }

    /// Serves a connection, if there is a place for it.
    fn take(&self, tcp: TcpStream, from: SocketAddr) {
        let mut service = &self.usual;
        let mut place = service.connections.admit();
        if place.is_none() && from.ip().to_canonical().is_loopback() {
            service = &self.spare;
            place = service.connections.admit();
        }
        let Some(place) = place else { return };
        // Answers are short, and written at once.
        let _ = tcp.set_nodelay(true);
        let connection = Arc::clone(&place.connection);
        let answers = TowerToHyperService::new(service.router.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Arc::clone(&connection));
            let answering = Answering::new(&connection);
            let answer = answers.call(request);
            async move {
                let _answering = answering;
                answer.await
            }
        });
        let stream = Stream::new(tcp, Arc::clone(&place.connection), self.limits.write);
        let served = self.http.serve_connection(TokioIo::new(stream), service);
        let served = self.graceful.watch(served);
        tokio::spawn(async move {
            tokio::select! {
                // A client that breaks off is not an error of the server.
                _ = served => {}
                () = place.connection.has_to_leave() => {}
            }
        });
    }
}

/// Whether a connection could not be accepted because its client had already left.
fn is_of_client(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted)
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::sync::mpsc;
    use std::time::Instant;

    use axum::routing::get;

    use super::*;

    /// Serves these routes, and calls `ask` with the address.
    fn while_serving(usual: Router, limits: Limits, ask: impl FnOnce(SocketAddr)) {
        let app = Arc::new(App::new(Tables::default(), Vec::new(), |_| {}));
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let _inside = runtime.enter();
        let listener = listen("127.0.0.1:0".parse().unwrap()).unwrap();
        let address = listener.local_addr().unwrap();
        let stop = Stop::new();
        let server = Server::new(usual, spare_router(&app), limits);
        let served = runtime.spawn(server.run(listener, stop.0.subscribe()));
        ask(address);
        let begin = Instant::now();
        stop.stop();
        runtime.block_on(served).unwrap();
        assert!(begin.elapsed() < LONGEST_FAREWELL + Duration::from_secs(2));
    }

    fn request(address: SocketAddr, path: &str) -> std::net::TcpStream {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        stream
    }

    #[test]
    fn a_client_that_does_not_read_is_cut_off() {
        const LONG: usize = 32 << 20;
        let usual = Router::new().route("/", get(async || vec![b'a'; LONG]));
        let write = Duration::from_millis(100);
        while_serving(usual, Limits { write, ..LIMITS }, |address| {
            let mut slow = request(address, "/");
            std::thread::sleep(Duration::from_secs(1));
            let mut answer = Vec::new();
            let _ = slow.read_to_end(&mut answer);
            assert!(answer.len() < LONG, "{}", answer.len());
            // A client that reads gets the whole answer.
            let mut answer = Vec::new();
            request(address, "/").read_to_end(&mut answer).unwrap();
            assert!(answer.len() > LONG, "{}", answer.len());
        });
    }

    #[test]
    fn health_is_said_while_all_connections_are_being_answered() {
        let (begun, begins) = mpsc::channel();
        let usual = Router::new().route(
            "/slow",
            get(async move || {
                begun.send(()).unwrap();
                std::future::pending::<()>().await;
            }),
        );
        let limits = Limits { connections: 1, spare: 1, ..LIMITS };
        while_serving(usual, limits, |address| {
            let _slow = request(address, "/slow");
            begins.recv_timeout(Duration::from_secs(10)).unwrap();
            for _ in 0..3 {
                let said = io::read_to_string(request(address, "/health")).unwrap();
                assert!(said.starts_with("HTTP/1.1 200 "), "{said}");
                let said = io::read_to_string(request(address, "/slow")).unwrap();
                assert!(
                    said.starts_with("HTTP/1.1 503 ") && said.contains("problem+json"),
                    "{said}"
                );
            }
        });
    }
}
