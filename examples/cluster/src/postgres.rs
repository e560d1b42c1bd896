//! A database for this run: that of `DATABASE_URL`, or one in a temporary folder.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, chown};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, process};

use agui_runtime::thread::Postgres;

use crate::error::ClusterError;

/// Runs Postgres until its input ends, which it does with this program, and removes the folder.
const KEEPER: &str = r#"
trap '' INT
folder=$1 port=$2 programs=$3
cd "$folder" || exit
"$programs/initdb" -D data --username=postgres --auth=trust --encoding=UTF8 --locale=C >log 2>&1 || exit
"$programs/postgres" -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories= >>log 2>&1 </dev/null &
read -r _
kill -QUIT $!
wait
cd / && rm -rf "$folder"
"#;

/// The user of a Postgres that root starts: it refuses to run as root.
const NOBODY: u32 = 65534;

const START_LIMIT: Duration = Duration::from_secs(60);

pub struct Database {
    pub url: String,
    keeper: Option<Child>,
}

impl Database {
    /// Starts a database, or takes the one in the environment, and makes its tables.
    pub async fn open() -> Result<Self, ClusterError> {
        if let Ok(url) = env::var("DATABASE_URL") {
            drop(Postgres::connect(&url).await?);
            return Ok(Self { url, keeper: None });
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
        let mut database = Self { url, keeper: Some(keeper) };
        database.wait(&folder).await?;
        Ok(database)
    }

    async fn wait(&mut self, folder: &Path) -> Result<(), ClusterError> {
        let end = Instant::now() + START_LIMIT;
        while let Err(error) = Postgres::connect(&self.url).await {
            let ended = self.keeper.as_mut().map(Child::try_wait).transpose()?.flatten();
            if ended.is_some() || Instant::now() > end {
                let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
                return Err(ClusterError::PostgresFailed { log: format!("{log}{error}") });
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Ok(())
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            // Waiting closes the input.
            drop(keeper.wait());
        }
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
