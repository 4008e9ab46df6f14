//! Taking connections, until the server is told to stop.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderValue, Method, header};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tower_http::cors::{AllowOrigin, Any, CorsLayer};

use crate::serve::routes::{App, router};
use crate::serve::tables::Tables;

/// How many connections there may be at once; more wait.
const MOST_CONNECTIONS: usize = 1_024;

/// How many threads may wait for the disk.
const READERS: usize = 16;

/// A client that takes longer to send a request is cut off, and so is one that sends none.
const LONGEST_HEADER: Duration = Duration::from_secs(30);

/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 64 << 10;

/// So long the server waits for answers to end when it stops.
const LONGEST_FAREWELL: Duration = Duration::from_secs(5);

/// How a server listens.
pub(crate) struct Settings {
    pub(crate) listen: SocketAddr,
    /// The origins of pages elsewhere that may read answers; `*` for all.
    pub(crate) origins: Vec<HeaderValue>,
    /// The names of hosts that requests may be meant for.
    pub(crate) hosts: Vec<String>,
}

/// Stops a server, from any thread.
#[derive(Clone)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Stop {
    pub(crate) fn new() -> Stop {
        Stop(watch::Sender::new(false))
    }

    /// Stops the server. Returns whether it had been stopped before.
    pub(crate) fn stop(&self) -> bool {
        self.0.send_replace(true)
    }
}

/// Serves tables until `stop` says to stop. `ready` is called with the address, once requests are
/// taken.
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
        let listener = TcpListener::bind(settings.listen).await?;
        ready(listener.local_addr()?);
        accept(listener, tables, settings, stop.0.subscribe()).await;
        Ok(())
    });
    runtime.shutdown_timeout(LONGEST_FAREWELL);
    served
}

async fn accept(
    listener: TcpListener,
    tables: Tables,
    settings: Settings,
    mut stopped: watch::Receiver<bool>,
) {
    let app = Arc::new(App::new(tables, settings.hosts));
    let mut router = router(app);
    if !settings.origins.is_empty() {
        let cors = CorsLayer::new()
            .allow_methods([Method::GET, Method::POST])
            .allow_headers([header::CONTENT_TYPE]);
        let is_any = settings.origins.iter().any(|origin| origin == "*");
        router = router.layer(match is_any {
            true => cors.allow_origin(Any),
            false => cors.allow_origin(AllowOrigin::list(settings.origins)),
        });
    }
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let graceful = GracefulShutdown::new();
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(LONGEST_HEADER).max_buf_size(LONGEST_HEAD);
    while let Some(stream) = next(&listener, &mut stopped).await {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { break };
        // Answers are short, and written at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(server.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that breaks off is no error of ours.
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(LONGEST_FAREWELL, graceful.shutdown()).await;
}

/// The next connection; `None` once the server is to stop.
async fn next(listener: &TcpListener, stopped: &mut watch::Receiver<bool>) -> Option<TcpStream> {
    loop {
        tokio::select! {
            _ = stopped.wait_for(|stopped| *stopped) => return None,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => return Some(stream),
                // Too many files are open, or the client is gone already.
                Err(_) => tokio::time::sleep(Duration::from_millis(50)).await,
            },
        }
    }
}
