//! A server of tables, in a thread of its own.

use std::net::{Ipv4Addr, SocketAddr};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;

use pyo3::prelude::*;
use retrograde::cli::{Caller, CliError, Stopper};

use crate::errors::{error, failed};
use crate::game::{PythonGame, registry};

/// A server that runs until it is stopped.
#[pyclass(frozen, module = "retrograde._engine")]
pub(crate) struct Server {
    url: String,
    stopper: Stopper,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// Nobody reads what a server has to say, except that it could not start.
struct Nobody;

impl Caller for Nobody {
    fn progress(&self, _: &str) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn note(&self, _: &str) {}
}

#[pymethods]
impl Server {
    #[new]
    #[pyo3(signature = (path, game, port, secret=None))]
    fn start(
        py: Python<'_>,
        path: PathBuf,
        game: Option<Py<PythonGame>>,
        port: u16,
        secret: Option<String>,
    ) -> PyResult<Server> {
        let stopper = Stopper::new();
        let stop = stopper.clone();
        let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let begin = secret.clone();
        let (tell, told) = mpsc::channel::<Result<SocketAddr, CliError>>();
        let thread = std::thread::spawn(move || {
            // The thread holds the game, so that nobody frees it before the server ends.
            let registry = registry(game.as_ref().map(Py::get));
            let ready = |address| drop(tell.send(Ok(address)));
            let served = registry.serve(&[path], listen, begin, Arc::new(Nobody), &stop, ready);
            if let Err(problem) = served {
                let _ = tell.send(Err(problem));
            }
        });
        match py.detach(move || told.recv()) {
            Ok(Ok(address)) => {
                let begin = secret.map_or_else(String::new, |secret| format!("{secret}/"));
                let url = format!("http://{address}/{begin}");
                Ok(Server { url, stopper, thread: Mutex::new(Some(thread)) })
            }
            Ok(Err(problem)) => Err(failed(py, "RetrogradeError", &problem)),
            Err(_) => Err(error(py, "RetrogradeError", "the server has not started")),
        }
    }

    /// The address of the page.
    #[getter]
    fn url(&self) -> &str {
        &self.url
    }

    /// Stops the server, and waits for its end.
    fn stop(&self, py: Python<'_>) {
        self.stopper.stop();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            let _ = py.detach(|| thread.join());
        }
    }
}
