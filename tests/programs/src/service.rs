//! Servers of other projects that a test starts, pauses, kills and starts again.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

use crate::Processes;

/// Holds the server, which ends with the test's process, however that ends. Signals go to the server and to its processes,
/// which may have groups of their own. A server that is killed stands still before, so that it has no process that is not
/// killed; Postgres does not start again while one of them is left.
const KEEPER: &str = r#"
folder=$1; shift
signal() { kill "-$1" "$server" $(cat "/proc/$server/task/$server/children") 2>/dev/null; }
left() { for process in $1; do grep -qs '^State:.[^ZX]' "/proc/$process/status" && return; done; false; }
while read -r order; do
  case $order in
    start) "$@" </dev/null >>"$folder/log" 2>&1 & server=$! ;;
    kill)
      kill -STOP "$server"; children=$(cat "/proc/$server/task/$server/children")
      signal KILL; wait "$server" 2>/dev/null
      while left "$children"; do sleep 0.01; done ;;
    pause) signal STOP ;;
    resume) signal CONT ;;
  esac
  echo done
done
[ -z "$server" ] || { signal CONT; signal KILL; wait "$server"; } 2>/dev/null
rm -rf "$folder"
"#;

/// The user of servers that refuse to run as root.
const NOBODY: &str = "nobody";

const START_LIMIT: Duration = Duration::from_secs(60);

/// A server on a port of its own, with its data in a temporary folder. It ends with the value, or with the process.
#[derive(Debug)]
pub struct OwnServer {
    keeper: Mutex<Keeper>,
    folder: PathBuf,
    port: u16,
    /// The text in its log when it has started.
    ready: &'static str,
}

#[derive(Debug)]
struct Keeper {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl OwnServer {
    /// Makes a folder, and the server's command from the folder and a free port, and starts the server.
    pub(super) fn start(
        name: &str,
        ready: &'static str,
        command: impl FnOnce(&Path, u16) -> Command,
    ) -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = env::temp_dir().join(format!("agui-{name}-{}-{number}", process::id()));
        let made = fs::create_dir_all(&folder).and_then(|()| fs::write(folder.join("log"), ""));
        assert!(made.is_ok(), "{}: {made:?}", folder.display());
        if is_root() {
            let given = Command::new("chown").arg(NOBODY).arg(&folder).status();
            assert!(given.as_ref().is_ok_and(ExitStatus::success), "{given:?}");
        }
        let port = free_port();
        let server = command(&folder, port);
        let mut keeper = Command::new("bash");
        keeper.args(["-c", KEEPER, "keeper"]).arg(&folder).arg(server.get_program()).args(server.get_args());
        keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = keeper.spawn().unwrap_or_else(|cause| panic!("bash: {cause}"));
        let answers = child.stdout.take().map(BufReader::new);
        let answers = answers.unwrap_or_else(|| panic!("bash has no output"));
        let service = Self { keeper: Mutex::new(Keeper { child, answers }), folder, port, ready };
        service.start_again();
        service
    }

    /// The processes of the server, and the small one that holds them.
    #[must_use]
    pub fn processes(&self) -> Processes {
        let keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        Processes::of(keeper.child.id())
    }

    /// The port on the loopback interface.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Starts the server after [`kill`](Self::kill), on the same port with the same data.
    pub fn start_again(&self) {
        let before = self.log().matches(self.ready).count();
        self.order("start");
        let end = Instant::now() + START_LIMIT;
        while self.log().matches(self.ready).count() == before {
            assert!(Instant::now() < end, "not started within {START_LIMIT:?}:\n{}", self.log());
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// Ends all processes of the server at once, with SIGKILL.
    pub fn kill(&self) {
        self.order("kill");
    }

    /// Stops all processes of the server, which keep their connections and do not answer.
    pub fn pause(&self) {
        self.order("pause");
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.order("resume");
    }

    fn order(&self, order: &str) {
        let mut keeper = self.keeper.lock().unwrap_or_else(PoisonError::into_inner);
        let sent = keeper.child.stdin.as_mut().map(|stdin| writeln!(stdin, "{order}"));
        let mut answer = String::new();
        let answered = keeper.answers.read_line(&mut answer);
        assert_eq!(answer, "done\n", "{order}: {sent:?}, {answered:?}");
    }

    fn log(&self) -> String {
        let log = fs::read(self.folder.join("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).into_owned()
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        let keeper = self.keeper.get_mut().unwrap_or_else(PoisonError::into_inner);
        drop(keeper.child.stdin.take());
        drop(keeper.child.wait());
    }
}

/// A command that runs as a user who is not root.
pub(super) fn unprivileged(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={NOBODY}"), "--regid=65534".to_owned(), "--clear-groups".to_owned()]);
    command.arg(program);
    command
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    listener.unwrap_or_else(|cause| panic!("no port: {cause}")).port()
}
