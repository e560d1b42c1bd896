//! The project as strangers get it: from packages alone. The crates are packed, and a project outside of the workspace is built against
//! them; the packages of npm and PyPI are installed on a machine without Rust. Each way leads from an empty folder to an answer that
//! the compilers of both ends know the type of, in a minute.

mod agent;
mod machine;
mod npm;
mod packed;
mod registry;
mod rust;
mod wheel;

use std::time::{Duration, Instant};

/// The limit from the first command in an empty folder to a typed answer. Dependencies are built or downloaded before.
const MINUTE: Duration = Duration::from_secs(60);

/// Prints the time of a way, and fails beyond a minute.
fn assert_quick(way: &str, begin: Instant) {
    let time = begin.elapsed();
    println!("{way}: a typed answer after {time:.1?}");
    assert!(time < MINUTE, "{way}: a typed answer only after {time:.1?}");
}
