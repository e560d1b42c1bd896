//! The processor time and the memory of processes, as the kernel of Linux counts them.

use std::fs;
use std::time::Duration;

/// A process with all its descendants.
///
/// ```no_run
/// let own = agui_programs::Processes::of(std::process::id());
/// println!("{:?} of processor time, {} bytes", own.processor_time(), own.resident_bytes());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Processes(u32);

/// The fields of `/proc/<process>/stat` that matter here.
struct Stat {
    process: u32,
    parent: u32,
}

impl Processes {
    /// The process of this number, and those that descend from it.
    #[must_use]
    pub fn of(root: u32) -> Self {
        Self(root)
    }

    /// The processor time of their threads until now, in the program and in the kernel. The time of threads and processes
    /// that have ended is not in it.
    #[must_use]
    pub fn processor_time(self) -> Duration {
        Duration::from_nanos(self.stats().iter().flat_map(|stat| nanoseconds(stat.process)).sum())
    }

    /// The memory of the root process that is in RAM (RSS). Pages of its program and its libraries count as far as it used them.
    #[must_use]
    pub fn resident_bytes(self) -> u64 {
        self.memory("VmRSS:")
    }

    /// The memory that the root process has allocated and used: a part of the resident memory, without pages of files.
    #[must_use]
    pub fn anonymous_bytes(self) -> u64 {
        self.memory("RssAnon:")
    }

    fn memory(self, kind: &str) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.0)).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix(kind));
        let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kibibytes.map_or_else(|| panic!("process {} has no memory: it has ended", self.0), |size| size * 1024)
    }

    fn stats(self) -> Vec<Stat> {
        let entries = fs::read_dir("/proc").unwrap_or_else(|cause| panic!("/proc: {cause}"));
        let numbers = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let mut others: Vec<_> = numbers.filter_map(stat).collect();
        let mut family: Vec<_> = others.extract_if(.., |stat| stat.process == self.0).collect();
        assert!(!family.is_empty(), "process {} has ended", self.0);
        let mut at = 0;
        while let Some(parent) = family.get(at).map(|stat| stat.process) {
            family.extend(others.extract_if(.., |stat| stat.parent == parent));
            at += 1;
        }
        family
    }
}

/// `None` if the process has ended meanwhile.
fn stat(process: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in parentheses, may have any characters.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<_> = fields.split_whitespace().collect();
    Some(Stat { process, parent: fields.get(1)?.parse().ok()? })
}

/// The nanoseconds of each thread on a processor. The times in `stat` are in steps of ten milliseconds.
fn nanoseconds(process: u32) -> impl Iterator<Item = u64> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    threads.filter_map(|thread| {
        let times = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        times.split_whitespace().next()?.parse::<u64>().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_time_of_a_descendant_counts() {
        let busy = "(while :; do :; done) & echo; wait";
        let mut shell = Command::new("bash").args(["-c", busy]).spawn().unwrap();
        let processes = Processes::of(shell.id());
        let end = std::time::Instant::now() + Duration::from_secs(30);
        while processes.processor_time() < Duration::from_millis(200) {
            assert!(std::time::Instant::now() < end, "{:?}", processes.processor_time());
        }
        let busy: Vec<_> = processes.stats().into_iter().filter(|stat| stat.parent == shell.id()).collect();
        assert_eq!(busy.len(), 1);
        let killed = Command::new("kill").arg(busy[0].process.to_string()).status().unwrap();
        assert!(killed.success());
        assert!(shell.wait().is_ok());
    }

    #[test]
    fn memory_that_is_used_counts() {
        let own = Processes::of(std::process::id());
        let before = own.anonymous_bytes();
        let held = vec![1_u8; 64 << 20];
        let grown = own.anonymous_bytes() - before;
        assert!(own.resident_bytes() > own.anonymous_bytes());
        assert!(grown > 60 << 20, "{grown}");
        assert_eq!(held.iter().map(|byte| usize::from(*byte)).sum::<usize>(), 64 << 20);
    }
}
