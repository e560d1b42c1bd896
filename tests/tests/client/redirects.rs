//! Servers that redirect: the client's headers and messages are for the address it was given.

use std::io::ErrorKind;
use std::net::TcpListener;

use agui_runtime::client::{ClientError, HttpAgent, Session, Upstream};

use crate::script::{Scripted, Step, head};
use crate::{in_time, lines_of, sse_of};

fn pointing(status: &str, location: &str) -> Vec<Step> {
    vec![Step::Send(head(status, &format!("location: {location}\r\n")))]
}

fn answering() -> Vec<Step> {
    let body = sse_of(&lines_of("r", &["Hi"]));
    vec![Step::Send(head("200 OK", "content-type: text/event-stream\r\n")), Step::Send(body.into_bytes())]
}

fn agent(server: &Scripted) -> HttpAgent {
    HttpAgent::new(&server.url).unwrap().header("x-api-key", "secret").unwrap()
}

/// Runs, and returns the target of the redirect.
async fn refused(agent: HttpAgent) -> (u16, String) {
    let mut session: Session = Session::new(agent);
    session.say("my diary");
    match in_time(session.run()).await.unwrap_err() {
        ClientError::Redirect { status, location } => (status, location),
        other => panic!("{other:?}"),
    }
}

/// A server of another origin, which must not get a request.
struct Elsewhere(TcpListener);

impl Elsewhere {
    fn listen() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    fn url(&self) -> String {
        format!("http://{}/steal", self.0.local_addr().unwrap())
    }

    /// A client that follows a redirect connects before its run ends.
    fn assert_not_asked(&self, case: &str) {
        self.0.set_nonblocking(true).unwrap();
        let came = self.0.accept().unwrap_err();
        assert_eq!(came.kind(), ErrorKind::WouldBlock, "{case}");
    }
}

#[tokio::test]
async fn no_redirect_is_followed_unless_asked_for() {
    for status in ["301 Moved", "302 Found", "303 See", "307 Temporary", "308 Permanent"] {
        let elsewhere = Elsewhere::listen();
        let mut server = Scripted::start(vec![pointing(status, &elsewhere.url())]).await;
        let (said, location) = refused(agent(&server)).await;
        assert_eq!((said, location), (status[..3].parse().unwrap(), elsewhere.url()));
        assert_eq!(server.asked().await.header("x-api-key"), ["secret"]);
        elsewhere.assert_not_asked(status);

        let server = Scripted::start(vec![pointing(status, "/other"), answering()]).await;
        assert_eq!(refused(agent(&server)).await.1, "/other", "of the same origin");
    }
}

#[tokio::test]
async fn capabilities_are_not_asked_for_elsewhere_either() {
    let elsewhere = Elsewhere::listen();
    let server = Scripted::start(vec![pointing("307 Temporary", &elsewhere.url())]).await;
    let error = in_time(agent(&server).capabilities()).await.unwrap_err();
    assert!(matches!(error, ClientError::Redirect { status: 307, .. }), "{error:?}");
    elsewhere.assert_not_asked("capabilities");
}

#[tokio::test]
async fn redirects_within_the_origin_are_followed_where_that_is_asked_for() {
    for status in ["307 Temporary", "308 Permanent"] {
        let mut server = Scripted::start(vec![pointing(status, "/other"), answering()]).await;
        let mut session: Session = Session::new(agent(&server).same_origin_redirects(1).unwrap());
        session.say("my diary");
        assert_eq!(in_time(session.run()).await.unwrap().text(), "Hi", "{status}");
        let (first, second) = (server.asked().await, server.asked().await);
        assert!(second.head.starts_with("POST /other HTTP/1.1\r\n"), "{}", second.head);
        assert_eq!((second.header("x-api-key"), &second.body), (vec!["secret"], &first.body));
    }
}

#[tokio::test]
async fn redirects_that_leave_the_origin_or_the_method_are_never_followed() {
    let following = |server: &Scripted| agent(server).same_origin_redirects(5).unwrap();
    let elsewhere = Elsewhere::listen();
    let server = Scripted::start(vec![pointing("307 Temporary", &elsewhere.url())]).await;
    assert_eq!(refused(following(&server)).await, (307, elsewhere.url()));
    // A redirect by way of another origin does not help either.
    let script = vec![pointing("307 Temporary", "/other"), pointing("308 Permanent", &elsewhere.url())];
    let server = Scripted::start(script).await;
    assert_eq!(refused(following(&server)).await, (308, elsewhere.url()));
    elsewhere.assert_not_asked("following");

    for status in ["301 Moved", "302 Found", "303 See"] {
        let server = Scripted::start(vec![pointing(status, "/other"), answering()]).await;
        assert_eq!(refused(following(&server)).await.1, "/other", "{status}");
    }
}

#[tokio::test]
async fn redirects_in_a_circle_end_at_the_limit() {
    let mut server = Scripted::start(vec![pointing("307 Temporary", "/agent"); 9]).await;
    let (status, location) = refused(agent(&server).same_origin_redirects(3).unwrap()).await;
    assert_eq!((status, location.as_str()), (307, "/agent"));
    for _ in 0..4 {
        server.asked().await;
    }
    assert!(server.was_asked_no_more());
}

#[tokio::test]
async fn a_place_is_quoted_and_bounded() {
    let long = format!("http://127.0.0.1:1/{}", "x".repeat(5_000));
    let server = Scripted::start(vec![pointing("307 Temporary", &long)]).await;
    let (_, location) = refused(agent(&server)).await;
    assert!(location.starts_with("http://127.0.0.1:1/xxx") && location.chars().count() == 201, "{location}");
}
