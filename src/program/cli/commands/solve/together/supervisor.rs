//! The supervisor of `solve --processes`. It starts a copy of this program for each process, sends
//! them the ports of the others, and tells them to stop.

use std::collections::VecDeque;
use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use clap::ArgMatches;

use crate::program::cli::CliError;
use crate::program::cli::commands::solve::checkpoints::saved;
use crate::program::cli::commands::solve::together::options::{MEMBER, Options};
use crate::program::cli::session::{Session, print_beside};
use crate::program::cluster::{Token, listen};
use crate::table::Checkpoints;

/// How long processes may take to end after one of them has ended.
const ENDING: Duration = Duration::from_secs(15);

/// How long processes may take to start, and to end after others have done their work.
const PATIENCE: Duration = Duration::from_secs(45);

/// How often the supervisor looks at its processes.
const LOOK: Duration = Duration::from_millis(20);

/// How many lines of the output of a process are kept, and how many bytes of each.
const LAST_LINES: usize = 4;
const LONGEST_LINE: u64 = 1 << 12;

/// The exit code of a program that panicked.
const PANICKED: i32 = 101;

/// The byte that the supervisor sends when the run has to stop.
const STOP: u8 = b's';

/// Starts the processes, and waits for them. They end with this one.
pub(in crate::program::cli) fn supervise(
    options: &ArgMatches,
    session: &mut Session,
) -> Result<(), CliError> {
    let count = Options::of(options)?.processes.map_or(1, usize::from);
    let interrupts = Arc::new(AtomicU32::new(0));
    let on_signal = Arc::clone(&interrupts);
    // On a terminal, the processes get Ctrl-C too.
    let _ = ctrlc::set_handler(move || {
        on_signal.fetch_add(1, Ordering::Relaxed);
    });
    let token = Token::random().map_err(CliError::failed)?;
    let failed =
        |error: std::io::Error| CliError::failed(format!("can't start the processes: {error}"));
    let listener = listen("127.0.0.1:0").map_err(CliError::failed)?;
    let port = listener.local_addr().map_err(failed)?.port();
    let program = env::current_exe().map_err(failed)?;
    let mut members = Members(Vec::new());
    let mut last_words = Vec::new();
    for own in 0..count {
        let mut command = Command::new(&program);
        command
            .args(env::args_os().skip(1))
            .env(MEMBER, format!("{own} {port} {}", token.text()))
            .stdin(Stdio::null());
        if own > 0 {
            // The first process prints the result and the errors, unless another one crashes.
            command.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        let mut member = command.spawn().map_err(failed)?;
        let said = member.stderr.take();
        last_words.push(said.map(|said| thread::spawn(|| last_lines(BufReader::new(said)))));
        members.0.push(member);
    }
    let lines = introduce(&listener, &token, &mut members, &interrupts)?;
    let mut is_stopping = false;
    let mut ended: Vec<Option<ExitStatus>> = vec![None; count];
    let mut first_end = None;
    loop {
        for (member, ended) in members.0.iter_mut().zip(&mut ended) {
            if ended.is_none() {
                *ended = member.try_wait().map_err(failed)?;
            }
        }
        if ended.iter().all(Option::is_some) {
            break;
        }
        if ended.iter().any(Option::is_some) {
            let since = *first_end.get_or_insert_with(Instant::now);
            let has_failed = ended.iter().flatten().any(|status| !status.success());
            if since.elapsed() > if has_failed { ENDING } else { PATIENCE } {
                break;
            }
        }
        match interrupts.load(Ordering::Relaxed) {
            1 if !is_stopping => {
                is_stopping = true;
                for mut line in &lines {
                    // A process that has ended is ignored.
                    let _ = line.write_all(&[STOP]);
                }
            }
            0 | 1 => {}
            _ => break,
        }
        thread::sleep(LOOK);
    }
    session.finish();
    for (at, (status, said)) in ended.iter().zip(last_words).enumerate() {
        let crashed = status.is_some_and(|it| it.code().is_none_or(|code| code == PANICKED));
        if crashed && let Some(lines) = said.and_then(|said: JoinHandle<_>| said.join().ok()) {
            lines.iter().for_each(|line| print_beside(&format!("process {at}: {line}")));
        }
    }
    judge(&ended, saved_by_others(options))
}

/// A text on the progress that an earlier or a failed run of several processes saved in the folder that the
/// options name, if it has.
fn saved_by_others(options: &ArgMatches) -> Option<String> {
    let folder = options.get_one::<PathBuf>("checkpoint")?;
    Checkpoints::progress_in(folder).map(|progress| saved(folder, progress, None))
}

/// How a process has ended; `None` if it has not within this time.
fn wait_for(member: &mut Child, time: Duration) -> std::io::Result<Option<ExitStatus>> {
    let begin = Instant::now();
    loop {
        let status = member.try_wait()?;
        if status.is_some() || begin.elapsed() > time {
            return Ok(status);
        }
        thread::sleep(LOOK);
    }
}

/// The last lines of the output of a process.
fn last_lines(mut said: impl BufRead) -> VecDeque<String> {
    let mut lines = VecDeque::new();
    let mut line = Vec::new();
    while said.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
        if lines.len() == LAST_LINES {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
        line.clear();
    }
    lines
}

/// The result of a run. `ended` is how each process has ended; `None` if it has not. `saved` is a
/// text on where the run can be resumed.
fn judge(ended: &[Option<ExitStatus>], saved: Option<String>) -> Result<(), CliError> {
    // Once the first process is done, so is the work: another one that hangs has nothing left to
    // do.
    if ended[0].is_some() && ended.iter().flatten().all(ExitStatus::success) {
        return Ok(());
    }
    // The first process has printed why, unless something ended it.
    match ended[0] {
        Some(status) if status.code().is_some_and(|code| code != 0) => {
            Err(CliError::said(status.code().unwrap_or(1) as u8))
        }
        _ => {
            let describe = |(at, status): (usize, &Option<ExitStatus>)| match status {
                Some(status) if status.success() => None,
                Some(status) => Some(format!("process {at} ended ({status})")),
                None => Some(format!("process {at} did not end, and was killed")),
            };
            let problems: Vec<String> = ended.iter().enumerate().filter_map(describe).collect();
            let problems = problems.join(", ");
            // A process succeeds only after all is written.
            if ended.iter().flatten().any(ExitStatus::success) {
                return Err(CliError::failed(format!("{problems}, after the table was written")));
            }
            Err(CliError::failed(match saved {
                Some(saved) => format!("{problems}; {saved}"),
                None => format!("nothing was written: {problems}"),
            }))
        }
    }
}

/// The processes that were started. When the supervisor ends, those still running are killed.
struct Members(Vec<Child>);

impl Drop for Members {
    fn drop(&mut self) {
        for member in &mut self.0 {
            let _ = member.kill();
            let _ = member.wait();
        }
    }
}

/// Sends each process the ports of the others. Returns the connections with them.
fn introduce(
    listener: &TcpListener,
    token: &Token,
    members: &mut Members,
    interrupts: &AtomicU32,
) -> Result<Vec<TcpStream>, CliError> {
    let failed =
        |error: std::io::Error| CliError::failed(format!("can't reach the processes: {error}"));
    listener.set_nonblocking(true).map_err(failed)?;
    let count = members.0.len();
    let mut lines: Vec<Option<(TcpStream, u16)>> = (0..count).map(|_| None).collect();
    let begin = Instant::now();
    while let Some(missing) = lines.iter().position(Option::is_none) {
        if begin.elapsed() > PATIENCE {
            let seconds = PATIENCE.as_secs();
            return Err(CliError::failed(format!(
                "nothing was written: process {missing} has not started within {seconds} s"
            )));
        }
        if interrupts.load(Ordering::Relaxed) > 0 {
            return Err(CliError::failed("interrupted: nothing was written"));
        }
        for (at, member) in members.0.iter_mut().enumerate() {
            if let Some(status) = member.try_wait().map_err(failed)? {
                // An error of all processes is printed by the first.
                let said = wait_for(&mut members.0[0], ENDING).map_err(failed)?;
                return Err(match said.and_then(|status| status.code()) {
                    Some(code) if code != 0 => CliError::said(code as u8),
                    _ => CliError::failed(format!("process {at} ended at once ({status})")),
                });
            }
        }
        match listener.accept() {
            Ok((stream, _)) => {
                if let Some((own, port, stream)) = introduced(stream, token)
                    && let Some(line) = lines.get_mut(own)
                {
                    *line = Some((stream, port));
                }
            }
            Err(_) => thread::sleep(LOOK),
        }
    }
    let (mut lines, ports): (Vec<TcpStream>, Vec<u16>) = lines.into_iter().flatten().unzip();
    let ports: Vec<u8> = ports.into_iter().flat_map(u16::to_le_bytes).collect();
    lines.iter_mut().try_for_each(|line| line.write_all(&ports)).map_err(failed)?;
    Ok(lines)
}

/// The place and the port of a process that shows the token.
fn introduced(stream: TcpStream, token: &Token) -> Option<(usize, u16, TcpStream)> {
    stream.set_nonblocking(false).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).ok()?;
    let mut line = String::new();
    // Nothing comes behind the line.
    BufReader::new(&stream).take(LONGEST_LINE).read_line(&mut line).ok()?;
    let mut words = line.strip_suffix('\n')?.split(' ');
    let shown = words.next()?;
    let is_right = shown == token.text();
    let own = words.next()?.parse().ok()?;
    let port = words.next()?.parse().ok()?;
    stream.set_read_timeout(None).ok()?;
    is_right.then_some((own, port, stream))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_run_is_done_when_the_first_process_is_and_no_other_one_failed() {
        use std::os::unix::process::ExitStatusExt;
        let [done, failed, killed] = [0, 1 << 8, 9].map(|it| Some(ExitStatus::from_raw(it)));
        for ended in [[done, done], [done, None]] {
            assert!(judge(&ended, None).is_ok(), "{ended:?}");
        }
        let says = |ended: &[_]| judge(ended, None).unwrap_err().to_string();
        assert!(
            says(&[done, killed])
                .ends_with("process 1 ended (signal: 9 (SIGKILL)), after the table was written")
        );
        assert!(says(&[killed, done]).ends_with("SIGKILL)), after the table was written"));
        assert!(says(&[killed, failed]).contains("process 0 ended (signal: 9"));
        assert!(says(&[None, failed]).contains("process 0 did not end, and was killed"));
        let saved = judge(&[None, failed], Some("resume so".into())).unwrap_err().to_string();
        assert!(saved.ends_with("resume so"), "{saved}");
    }

    #[test]
    fn the_last_lines_are_kept_and_no_more() {
        assert_eq!(last_lines(&b""[..]), VecDeque::new());
        assert_eq!(last_lines(&b"one\ntwo"[..]), ["one", "two"]);
        assert_eq!(last_lines(&b"1\n2\n3\n4\n5\n\xff\n"[..]), ["3", "4", "5", "\u{fffd}"]);
        let long = vec![b'x'; 3 * LONGEST_LINE as usize];
        assert!(last_lines(&long[..]).iter().all(|line| line.len() == LONGEST_LINE as usize));
    }
}
