//! The file that lists the processes of a run: one line for each, in their order, with the address
//! and the port where it listens. Empty lines and lines that begin with `#` are ignored.

use std::path::Path;

/// The addresses in a hosts file.
///
/// # Errors
/// If the file can't be read, or a line is not an address with a port.
pub(crate) fn read_hosts(path: &Path) -> Result<Vec<String>, String> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("can't read the hosts file {name}: {error}"))?;
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let mut hosts: Vec<String> = Vec::new();
    for (at, line) in lines {
        let port = line.rsplit_once(':').filter(|(host, _)| !host.is_empty());
        let port = port.and_then(|(_, port)| port.parse::<u16>().ok());
        if port.is_none_or(|port| port == 0) {
            return Err(format!(
                "{name}, line {at}: expected an address with a port, as in 10.0.0.1:4100, and not \
                 \"{line}\""
            ));
        }
        if hosts.iter().any(|other| other == line) {
            return Err(format!("{name}, line {at}: {line} is listed twice"));
        }
        hosts.push(line.to_owned());
    }
    match hosts.is_empty() {
        true => Err(format!("the hosts file {name} lists no addresses: it takes one a line")),
        false => Ok(hosts),
    }
}
