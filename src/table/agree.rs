//! Sends a value from the first of several processes to the others.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{SolveError, TableError};
use crate::runtime::codec;
use crate::runtime::pool::WorkerPool;

/// Sends the first process's value to all processes; the others pass `None`. A single process gets
/// back its own value.
///
/// # Errors
/// When another process is lost, or the run is cancelled.
pub(crate) fn of_first<T: Serialize + DeserializeOwned>(
    own: Option<T>,
    pool: &mut WorkerPool<'_>,
) -> Result<T, TableError> {
    let malformed = |problem| TableError::malformed("what the first process says", problem);
    if !pool.has_peers()
        && let Some(own) = own
    {
        return Ok(own);
    }
    let bytes = own.map_or(Ok(Vec::new()), |own| codec::encode(&own)).map_err(malformed)?;
    codec::decode(&pool.of_first(bytes).map_err(SolveError::from)?).map_err(malformed)
}
