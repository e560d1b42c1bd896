//! A proxy between an engine and its server that cuts.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Passes what is sent in both directions, until it loses the answers.
pub(crate) struct Proxy {
    port: u16,
    state: Arc<State>,
}

struct State {
    server: AtomicU16,
    loses: AtomicBool,
    /// The bytes of requests while answers are lost.
    requests: AtomicUsize,
    /// The number of answers that were lost.
    lost: AtomicUsize,
}

impl Proxy {
    pub(crate) fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let loses = AtomicBool::new(false);
        let server = AtomicU16::new(server);
        let state = State { server, loses, requests: AtomicUsize::new(0), lost: AtomicUsize::new(0) };
        let state = Arc::new(state);
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", shared.server.load(Ordering::SeqCst)))
                else {
                    continue;
                };
                let (Ok(to_client), Ok(to_server)) = (client.try_clone(), server.try_clone()) else {
                    continue;
                };
                pass(client, to_server, Arc::clone(&shared), false);
                pass(server, to_client, Arc::clone(&shared), true);
            }
        });
        Self { port, state }
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Passes new connections to another server; those that are open stay with theirs.
    pub(crate) fn point_to(&self, server: u16) {
        self.state.server.store(server, Ordering::SeqCst);
    }

    /// From the next request on, the server gets requests, and no answer comes back: at the first one the connection is
    /// cut.
    pub(crate) fn lose_answers(&self) {
        self.state.requests.store(0, Ordering::SeqCst);
        self.state.lost.store(0, Ordering::SeqCst);
        self.state.loses.store(true, Ordering::SeqCst);
    }

    /// Passes answers again, after at least one was lost.
    pub(crate) fn pass_answers(&self) {
        let end = Instant::now() + Duration::from_secs(10);
        while self.state.lost.load(Ordering::SeqCst) == 0 {
            assert!(Instant::now() < end, "no answer was lost");
            thread::sleep(Duration::from_millis(1));
        }
        self.state.loses.store(false, Ordering::SeqCst);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, state: Arc<State>, answers: bool) {
    thread::spawn(move || {
        let mut bytes = [0; 16 * 1024];
        while let Ok(read @ 1..) = from.read(&mut bytes) {
            if state.loses.load(Ordering::SeqCst) {
                if !answers {
                    state.requests.fetch_add(read, Ordering::SeqCst);
                } else if state.requests.load(Ordering::SeqCst) > 0 {
                    state.lost.fetch_add(1, Ordering::SeqCst);
                    break;
                }
            }
            if to.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        // Either end may have gone.
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    });
}
