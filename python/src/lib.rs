//! The compiled half of the Python package `retrograde`. Texts and JSON cross the boundary, and bytes of
//! arrays; the half in Python makes classes and arrays of them.

mod call;
mod errors;
mod game;
mod glossary;
mod server;
mod table;

use pyo3::prelude::*;

#[pymodule]
fn _engine(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::PythonGame>()?;
    module.add_class::<server::Server>()?;
    module.add_class::<table::OpenTable>()?;
    module.add_function(wrap_pyfunction!(call::call, module)?)?;
    module.add_function(wrap_pyfunction!(call::main, module)?)
}
