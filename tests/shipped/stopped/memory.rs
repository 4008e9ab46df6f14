//! `--memory` is respected. In every scheme, with a table and without, the peak of a run's memory
//! is at most a tenth above the limit. Or the run is refused.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::program::Folder;

/// A game, and limits in megabytes.
struct Case {
    options: &'static [&'static str],
    limits: [u64; 3],
}

/// Games without tiers, each with a limit that is refused, a tight limit, and an ample one.
const WITHOUT_TIERS: &[Case] = &[
    // By a formula, with predecessors.
    #[cfg(feature = "numberings")]
    Case { options: &["mnk", "-m", "4", "-n", "3", "--numbering", "dense"], limits: [1, 24, 60] },
    // By a formula and by reverse edges, with a limit that is short for them.
    Case { options: &["quixo", "--size", "3"], limits: [1, 24, 60] },
    Case { options: &["mnk", "-m", "5", "-n", "3"], limits: [32, 40, 80] },
];

/// The other schemes.
const OTHERS: &[Case] = &[
    Case { options: &["connect-four", "-m", "4", "-n", "5"], limits: [32, 40, 80] },
    Case {
        options: &["connect-four", "-m", "4", "-n", "5", "--numbering", "tiers"],
        limits: [6, 24, 40],
    },
    #[cfg(feature = "numberings")]
    Case {
        options: &["mnk", "-m", "5", "-n", "3", "--numbering", "packed-tiers"],
        limits: [32, 40, 80],
    },
];

/// Larger games, whose states take most of the limit.
const LARGE: &[Case] = &[
    // With points, whose values take two bytes each.
    Case { options: &["dots-and-boxes", "-m", "3", "-n", "3"], limits: [30, 45, 90] },
    Case { options: &["chess", "KQvKR", "--numbering", "packed"], limits: [24, 120, 240] },
    Case { options: &["chess", "KQvKR"], limits: [30, 60, 120] },
    Case {
        options: &["connect-four", "-m", "5", "-n", "5", "--numbering", "tiers"],
        limits: [60, 120, 240],
    },
    #[cfg(feature = "numberings")]
    Case {
        options: &["mnk", "-m", "4", "-n", "4", "-k", "3", "--numbering", "packed-tiers"],
        limits: [60, 90, 180],
    },
    Case {
        options: &["mnk", "-m", "4", "-n", "4", "-k", "3", "--numbering", "packed"],
        limits: [60, 120, 240],
    },
];

/// A figure of a process's status, in bytes.
fn figure(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let kilobytes = line.and_then(|line| line.trim_start_matches(':').split_whitespace().next());
    kilobytes.and_then(|text| text.parse().ok()).unwrap_or(0_u64) * 1024
}

/// The peak of the memory of a process until it ends, in bytes. Pages of files do not count: they
/// hold the program itself, which the system reads again if memory is short.
fn peak(child: &mut Child) -> u64 {
    let path = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("the program's state").is_none() {
        let status = fs::read_to_string(&path).unwrap_or_default();
        // The peak that the system has seen since the last look.
        let (seen, of_files) = (figure(&status, "VmHWM"), figure(&status, "RssFile"));
        most = most.max(figure(&status, "RssAnon")).max(seen.saturating_sub(of_files));
        sleep(Duration::from_millis(2));
    }
    most
}

/// Solves with a limit in megabytes. Returns the exit code and the peak.
fn solve(options: &[&str], limit: u64, with_table: bool) -> (Option<i32>, u64) {
    let folder = Folder::new();
    let memory = format!("{limit}MB");
    let arguments = [&["solve"], options, &["--quiet", "--memory", &memory, "--threads", "2"]];
    let mut command = folder.command(&arguments.concat());
    if with_table {
        command.args(["-o", "table"]);
    }
    let (reader, writer) = std::io::pipe().expect("a pipe");
    let mut child = command.stdout(Stdio::null()).stderr(writer).spawn().expect("the program");
    drop(command);
    let most = peak(&mut child);
    let code = child.wait().expect("the program ends").code();
    let said = std::io::read_to_string(reader).expect("text");
    assert!(code == Some(0) || said.contains("limit"), "{options:?} {limit}: {said}");
    (code, most)
}

fn check(cases: &[Case]) {
    let mut refused = 0;
    for Case { options, limits } in cases {
        let mut last = None;
        // An unoptimized build is slow. It has the runs that use most of the limit: those with a
        // tight one and a table.
        let is_slow = cfg!(debug_assertions);
        for limit in if is_slow { &limits[1..2] } else { &limits[..] } {
            for with_table in [false, true].into_iter().skip(usize::from(is_slow)) {
                let (code, most) = solve(options, *limit, with_table);
                last = code;
                println!(
                    "{}{}: {limit} MB allowed, {:.1} MB taken, exit code {code:?}",
                    options.join(" "),
                    if with_table { " -o" } else { "" },
                    most as f64 / 1e6
                );
                // With less than 20 MB, the memory of the program itself counts too.
                let allowed = (*limit * 1_100_000).max(20_000_000);
                assert!(most <= allowed, "{options:?} {limit} MB, {with_table}: {most} bytes");
                refused += u32::from(code != Some(0));
            }
        }
        if last != Some(0) {
            assert_eq!(solve(options, 100 * limits[2], true).0, Some(0), "{options:?}");
        }
    }
    assert!(refused > 0 || cfg!(debug_assertions));
}

#[test]
fn the_memory_allowed_is_kept_without_tiers() {
    check(kit::few(&WITHOUT_TIERS[..1], WITHOUT_TIERS));
}

#[test]
fn the_memory_allowed_is_kept_by_the_other_schemes() {
    check(kit::few(&[], OTHERS));
}

#[test]
#[ignore = "takes minutes"]
fn the_memory_allowed_is_kept_by_larger_games() {
    check(LARGE);
}
