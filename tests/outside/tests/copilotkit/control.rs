//! An address at which a script in the browser restarts a server: `POST /<name>` is answered when the server runs again.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;

pub struct Control;

impl Control {
    /// Listens while `script` runs, which gets the address, and calls `restart` with each name that is asked for.
    pub fn with(restart: &(dyn Fn(&str) + Sync), script: impl FnOnce(String)) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::scope(|scope| {
            let _end = End(address);
            scope.spawn(move || {
                for stream in listener.incoming() {
                    if !answer(stream.unwrap(), restart) {
                        break;
                    }
                }
            });
            script(format!("http://{address}"));
        });
    }
}

/// Ends the listener, also when the script fails: a connection without a request.
struct End(SocketAddr);

impl Drop for End {
    fn drop(&mut self) {
        drop(TcpStream::connect(self.0));
    }
}

/// Answers one request; false if there was none.
fn answer(mut stream: TcpStream, restart: &(dyn Fn(&str) + Sync)) -> bool {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok);
    let Some(request) = lines.next() else { return false };
    // The head ends with an empty line; the requests have no body.
    lines.take_while(|line| !line.is_empty()).for_each(drop);
    restart(request.split(' ').nth(1).unwrap().trim_start_matches('/'));
    stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n").unwrap();
    true
}
