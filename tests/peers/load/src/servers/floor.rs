//! The least that a server can do: it reads the request, and writes the bytes of frames that were encoded before, those
//! that are due at once in one call of the system. It checks nothing: its figures are the price of the sockets.

use std::io;
use std::sync::Arc;

use bytes::Bytes;
use memchr::memmem;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

use super::frames::encoded;
use crate::process::Fault;
use crate::shape::Shape;

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";

/// Longer than a request of this program.
const REQUEST: usize = 1024;

pub async fn serve(shape: Shape, listener: TcpListener) -> Result<(), Fault> {
    let frames: Arc<[Bytes]> = encoded(shape).iter().map(|frame| chunk(frame)).collect();
    loop {
        let (socket, _) = listener.accept().await?;
        socket.set_nodelay(true)?;
        let frames = Arc::clone(&frames);
        tokio::spawn(async move {
            // A client that leaves ends its connection with an error.
            let _ = answer(socket, shape, &frames).await;
        });
    }
}

fn chunk(frame: &[u8]) -> Bytes {
    [format!("{:X}\r\n", frame.len()).as_bytes(), frame, b"\r\n"].concat().into()
}

async fn answer(mut socket: TcpStream, shape: Shape, frames: &[Bytes]) -> io::Result<()> {
    while request(&mut socket).await? {
        let begun = Instant::now();
        let mut waiting = HEAD.to_vec();
        for (number, frame) in (0..).zip(frames) {
            let delta = u64::checked_sub(number, 2).filter(|delta| *delta < shape.deltas);
            if let Some(due) = delta.and_then(|delta| shape.due(begun, delta)) {
                socket.write_all(&std::mem::take(&mut waiting)).await?;
                sleep_until(due).await;
            }
            waiting.extend_from_slice(frame);
        }
        waiting.extend_from_slice(b"0\r\n\r\n");
        socket.write_all(&waiting).await?;
    }
    Ok(())
}

/// Reads a request, whose body is an object. Returns false if there is none.
async fn request(socket: &mut TcpStream) -> io::Result<bool> {
    let mut read = Vec::with_capacity(REQUEST);
    while !(read.ends_with(b"}") && memmem::find(&read, b"\r\n\r\n").is_some()) {
        if socket.read_buf(&mut read).await? == 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
