//! A database for this run: that of `DATABASE_URL`, or one in a temporary folder.

use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, io, process};

use agui_runtime::thread::Postgres;
use tokio::time::sleep;

use crate::error::ClusterError;
use crate::screen::note;

/// Runs Postgres until its input ends, which it does with this program, and removes the folder. Each line of the input kills
/// Postgres, which is then started again.
const KEEPER: &str = r#"
trap '' HUP INT TERM
folder=$1 port=$2 programs=$3
cd "$folder" || exit
"$programs/initdb" -D data --username=postgres --auth=trust --encoding=UTF8 --locale=C >log 2>&1 || exit
{
  until [ -e stop ]; do
    "$programs/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories=
    sleep 0.2
  done
  touch stopped
} </dev/null >>log 2>&1 &
signal() { kill "-$1" "$(head -n 1 data/postmaster.pid)"; } 2>/dev/null
while read -r _; do signal KILL; done
touch stop
until [ -e stopped ]; do signal QUIT; sleep 0.1; done
cd / && rm -rf "$folder"
"#;

/// The user of a Postgres that root starts: it refuses to run as root.
const NOBODY: u32 = 65534;

const START_LIMIT: Duration = Duration::from_secs(60);

pub struct Database {
    pub url: String,
    own: Option<Own>,
    pub kills: u32,
}

/// A database that this program started.
struct Own {
    keeper: Child,
    folder: PathBuf,
}

impl Database {
    /// Starts a database, or takes the one in the environment, and makes its tables.
    pub async fn open() -> Result<Self, ClusterError> {
        if let Ok(url) = env::var("DATABASE_URL") {
            drop(Postgres::connect(&url).await?);
            return Ok(Self { url, own: None, kills: 0 });
        }
        let programs = programs().ok_or(ClusterError::NoPostgres)?;
        let folder = env::temp_dir().join(format!("agui-cluster-{}", process::id()));
        fs::create_dir(&folder)?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut keeper = Command::new("sh");
        keeper.args(["-c", KEEPER, "keeper"]).arg(&folder).arg(port.to_string()).arg(programs);
        if fs::metadata(&folder)?.uid() == 0 {
            chown(&folder, Some(NOBODY), Some(NOBODY))?;
            keeper.uid(NOBODY).gid(NOBODY);
        }
        let keeper = keeper.stdin(Stdio::piped()).spawn()?;
        let url = format!("postgres://postgres@127.0.0.1:{port}/postgres");
        let mut database = Self { url, own: Some(Own { keeper, folder }), kills: 0 };
        database.ready().await?;
        Ok(database)
    }

    /// Kills Postgres, which starts again after a moment. False if this program did not start it.
    pub fn kill(&mut self) -> io::Result<bool> {
        let Some(Own { keeper, folder }) = &mut self.own else { return Ok(false) };
        let pid = fs::read_to_string(folder.join("data/postmaster.pid"))?;
        self.kills += 1;
        note(&format!("killed Postgres (pid {})", pid.lines().next().unwrap_or_default()));
        keeper.stdin.as_mut().map_or(Ok(()), |input| input.write_all(b"kill\n"))?;
        Ok(true)
    }

    /// Waits until Postgres answers.
    pub async fn ready(&mut self) -> Result<(), ClusterError> {
        let end = Instant::now() + START_LIMIT;
        while let Err(error) = Postgres::connect(&self.url).await {
            let Some(Own { keeper, folder }) = &mut self.own else { return Err(error.into()) };
            if keeper.try_wait()?.is_some() || Instant::now() > end {
                let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
                // A keeper that failed has not removed it.
                drop(fs::remove_dir_all(folder));
                return Err(ClusterError::PostgresFailed { log: format!("{log}{error}") });
            }
            sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // Waiting closes the input.
        drop(self.keeper.wait());
    }
}

/// The folder with `initdb` and `postgres`; Debian does not put them on the path.
fn programs() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let versions = versions.map(|version| version.path().join("bin"));
    let is_complete =
        |folder: &PathBuf| ["initdb", "postgres"].iter().all(|name| folder.join(name).is_file());
    env::split_paths(&path).chain(versions).find(is_complete)
}
