//! The development server of a page: `npm run dev`.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use agui_tests::outside::Pages;

const LIMIT: Duration = Duration::from_secs(120);

/// A development server, which ends with this value.
pub(crate) struct DevServer {
    npm: Child,
    address: SocketAddr,
}

impl DevServer {
    /// Starts the server of the page in `folder` on a free port; `options` are those by which it takes an address.
    pub(crate) fn start(pages: &Pages, folder: &Path, options: fn(SocketAddr) -> Vec<String>) -> Self {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let mut command = pages.npm_command(folder, &["run", "dev", "--"]);
        // Without input, as in a container, and in a group of its own, because npm does not end what it has started.
        command.args(options(address)).stdin(Stdio::null()).process_group(0);
        let npm = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let server = Self { npm, address };
        let end = Instant::now() + LIMIT;
        while TcpStream::connect(address).is_err() {
            assert!(Instant::now() < end, "`npm run dev` in {} does not listen", folder.display());
            thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// The address of the page.
    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}

impl Drop for DevServer {
    fn drop(&mut self) {
        let group = format!("-{}", self.npm.id());
        let ended = Command::new("sh").args(["-c", "kill -KILL \"$0\"", &group]).status();
        drop(ended);
        let _ = self.npm.wait();
    }
}

/// The options of esbuild.
pub(crate) fn esbuild(address: SocketAddr) -> Vec<String> {
    vec![format!("--serve={address}")]
}

/// The options of Vite.
pub(crate) fn vite(address: SocketAddr) -> Vec<String> {
    let host = format!("--host={}", address.ip());
    vec![host, format!("--port={}", address.port()), "--strictPort".to_owned()]
}
