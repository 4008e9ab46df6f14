//! `docs/HTTP.md`: its requests are sent to a server, and get the answers that the page shows.

mod request;
mod shortened;

use crate::check_or_bless;
use crate::client::Server;
use crate::console::{as_printed, with_outputs};
use crate::program::Folder;
use crate::read;
use request::Request;

const PAGE: &str = "docs/HTTP.md";

/// The table that the page solves, and then asks about.
const TABLE: &str = "park.rtb";

#[test]
fn the_requests_of_the_page_get_the_answers_that_it_shows() {
    let mut folder = Some(Folder::new());
    let path = folder.as_ref().expect("a folder").path("");
    let mut server = None;
    let run = |command: &str, shown: &str| match Request::read(command, &path) {
        None => as_printed(command, shown, &path),
        Some(request) => {
            let server = server.get_or_insert_with(|| {
                let folder = folder.take().expect("the server starts once");
                Server::of(folder, &[TABLE])
            });
            request.send(server, &path)
        }
    };
    let page = with_outputs(&read(PAGE), 16, |_| (), run);
    check_or_bless(PAGE, &page);
}
