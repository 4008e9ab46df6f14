//! A module for browsers: it answers what the server answers, about tables that lie on a web host.
//!
//! Nothing in it runs by itself. A worker of the page opens tables, asks questions, and reads parts of files
//! for the module (`worker.js`).

#[cfg(target_family = "wasm")]
mod boundary;
mod mark;
#[cfg(target_family = "wasm")]
mod module;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod positions;
#[cfg(target_family = "wasm")]
mod remote;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod site;

#[cfg(not(target_family = "wasm"))]
pub(crate) use mark::{Marked, marked};
pub use mark::{mark, mark_length};
#[cfg(target_family = "wasm")]
pub use module::open;

/// Makes the crate a module that answers questions about tables of a game in a browser.
///
/// `publish` of the command line puts the module beside the page and the tables. The crate is a `cdylib`,
/// compiled for `wasm32-unknown-unknown`; for other targets this is nothing. The
/// [guide](crate::documentation) shows it whole.
///
/// ```
/// # use kit::games::Nim;
/// retrograde::web_module!(Nim);
/// ```
#[macro_export]
macro_rules! web_module {
    ($game:ty) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            const NAME: &str = <$game as $crate::table::Stored>::NAME;
            static MARK: [u8; $crate::web::mark_length(NAME)] = $crate::web::mark(NAME);

            // SAFETY: nothing else in a module has this name.
            #[allow(unsafe_code)]
            #[unsafe(no_mangle)]
            extern "C" fn open_table() -> u32 {
                $crate::web::open::<$game>(&MARK)
            }
        };
    };
}
