//! Webhooks over TLS: receivers whose certificates are trusted, and others.

use std::fs::read;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agui_runtime::Error;
use agui_runtime::http::Webhooks;
use agui_runtime::thread::Memory;
use agui_tests::outside::{authority, tests_dir};
use agui_tests::tls::acceptor;
use agui_tests::webhooks::{Answer, LIMIT, Receiver, webhooks_to};
use http::Version;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use crate::thread_server::{Bells, ThreadServer, asking};
use crate::webhooks::{settle, webhook_server};

/// A listener with the certificate of the tests, which is for `localhost` and 127.0.0.1.
struct Tls {
    listener: TcpListener,
    acceptor: TlsAcceptor,
    /// The connections that did not come about, with the reasons of the other side.
    failed: Arc<Mutex<Vec<String>>>,
}

impl axum::serve::Listener for Tls {
    type Io = TlsStream<TcpStream>;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, Self::Addr) {
        loop {
            let (stream, address) = self.listener.accept().await.unwrap();
            match self.acceptor.accept(stream).await {
                Ok(stream) => return (stream, address),
                Err(error) => self.failed.lock().unwrap().push(error.to_string()),
            }
        }
    }

    fn local_addr(&self) -> std::io::Result<Self::Addr> {
        self.listener.local_addr()
    }
}

/// A receiver over TLS.
#[derive(Default)]
struct Safe {
    receiver: Receiver,
    failed: Arc<Mutex<Vec<String>>>,
}

impl Safe {
    /// Listens at an address, and speaks these protocols of ALPN. Returns the port.
    async fn open(&self, address: &str, protocols: &[&str]) -> u16 {
        let listener = TcpListener::bind((address, 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (acceptor, failed) = (acceptor(protocols), Arc::clone(&self.failed));
        self.receiver.serve(Tls { listener, acceptor, failed });
        port
    }

    fn failed(&self) -> Vec<String> {
        self.failed.lock().unwrap().clone()
    }
}

/// Sends to a receiver on this machine, which has a certificate of the authority of the tests.
fn trusting(url: String) -> Webhooks {
    distrusting(url).root_certificates(read(authority()).unwrap())
}

fn distrusting(url: String) -> Webhooks {
    let soon = (Duration::from_millis(20), Duration::from_millis(100));
    webhooks_to(url).pauses(soon.0, soon.1).attempts(2)
}

/// Runs an agent whose end is sent.
async fn run(webhooks: Webhooks) -> ThreadServer {
    let server = ThreadServer::serve(webhook_server(Memory::new(), webhooks, &Bells::default())).await;
    assert_eq!(server.run(&asking("r-1", "hello")).await.status, 200);
    server
}

#[tokio::test]
async fn a_message_is_sent_over_tls_with_both_versions_of_http() {
    for (protocol, version, host) in
        [("h2", Version::HTTP_2, "localhost"), ("http/1.1", Version::HTTP_11, "127.0.0.1")]
    {
        let safe = Safe::default();
        let port = safe.open("127.0.0.1", &[protocol]).await;
        let _server = run(trusting(format!("https://{host}:{port}/ended"))).await;
        let received = safe.receiver.messages(1).await.pop().unwrap();
        assert_eq!(received.message.data.run_id.as_str(), "r-1");
        assert_eq!((safe.receiver.versions(), safe.failed().len()), (vec![version], 0));
    }
}

/// Checks that a receiver got nothing but connections, each of which the sender ended with this alert of TLS.
async fn refuses(safe: &Safe, webhooks: Webhooks, alert: &str) {
    let _server = run(webhooks).await;
    let begun = Instant::now();
    while safe.failed().len() < 2 {
        assert!(begun.elapsed() < LIMIT, "{:?}", safe.failed());
        sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(safe.receiver.count(), 0);
    let failed = safe.failed();
    assert!(failed.iter().all(|reason| reason.contains(alert)), "{failed:?}");
}

#[tokio::test]
async fn a_receiver_whose_certificate_is_not_trusted_gets_nothing() {
    let safe = Safe::default();
    let port = safe.open("127.0.0.1", &[]).await;
    refuses(&safe, distrusting(format!("https://localhost:{port}/ended")), "UnknownCA").await;
}

#[tokio::test]
async fn a_receiver_with_the_certificate_of_another_host_gets_nothing() {
    let safe = Safe::default();
    // The certificate is trusted, and is not for this address.
    let port = safe.open("127.0.0.2", &[]).await;
    refuses(&safe, trusting(format!("https://127.0.0.2:{port}/ended")), "BadCertificate").await;
}

#[tokio::test]
async fn a_redirect_to_another_receiver_is_an_attempt_that_failed() {
    let (first, other) = (Safe::default(), Safe::default());
    let target = format!("https://localhost:{}/ended", other.open("127.0.0.1", &[]).await);
    first.receiver.will_answer(&[Answer::Redirect(target)]);
    let port = first.open("127.0.0.1", &[]).await;
    let _server = run(trusting(format!("https://localhost:{port}/ended"))).await;
    let messages = first.receiver.messages(2).await;
    assert_eq!(messages[0], messages[1], "it is sent again to the first");
    assert_eq!((first.receiver.count(), other.receiver.count(), other.failed().len()), (2, 0, 0));
}

#[tokio::test]
async fn trust_in_an_authority_opens_no_private_address() {
    let safe = Safe::default();
    let port = safe.open("127.0.0.1", &[]).await;
    let _server = run(trusting(format!("https://localhost:{port}/ended")).allow_private(false)).await;
    settle().await;
    assert_eq!((safe.receiver.count(), safe.failed().len()), (0, 0), "nothing connects");
}

#[tokio::test]
async fn a_server_with_certificates_that_cannot_be_read_does_not_start() {
    let key = read(tests_dir().join("fixtures/tls/server.key")).unwrap();
    let cut = read(authority()).unwrap()[..200].to_vec();
    let wrong = b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".to_vec();
    for pem in [b"nonsense".to_vec(), key, cut, wrong] {
        let webhooks = trusting("https://localhost/".to_owned()).root_certificates(pem.clone());
        let refused =
            webhook_server(Memory::new(), webhooks, &Bells::default()).router().map(drop).unwrap_err();
        let Error::WebhookClient(cause) = &refused else { panic!("{refused}") };
        assert!(cause.to_string().contains("`Webhooks::root_certificates` cannot be read"), "{cause}");
    }
}
