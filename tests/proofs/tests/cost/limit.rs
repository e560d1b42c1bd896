//! The memory that a peer can make a reader use: the greatest number of bytes at one time, counted; moved buffers count
//! twice.

use agui_runtime::receive::FrameIntake;
use agui_runtime::wire::{proto, sse};

const MB: usize = 1 << 20;

/// The greatest number of bytes that `work` holds at one time.
fn peak(work: impl FnOnce()) -> usize {
    allocation_counter::measure(work).bytes_max as usize
}

/// Pushes the piece until the decoder fails, and as often again; returns the greatest number of bytes.
fn endless(limit: usize, piece: &[u8]) -> usize {
    peak(|| {
        let mut decoder = sse::Decoder::new().max_record(limit);
        let times = 2 * limit / piece.len();
        let failed = (0..times).position(|_| {
            decoder.push(piece);
            decoder.next().is_err()
        });
        assert!(failed.is_some(), "it is too long");
        for _ in 0..failed.unwrap_or_default() {
            decoder.push(piece);
            assert_eq!(decoder.held(), 0);
        }
        assert!(decoder.next().is_err() && decoder.finish().is_err());
    })
}

#[test]
fn a_line_without_end() {
    for (limit, piece) in [(sse::MAX_RECORD, 64 << 10), (MB / 8, 1), (MB, 1000), (MB, 300_000)] {
        let held = endless(limit, &b"data: x"[..].iter().copied().cycle().take(piece).collect::<Vec<u8>>());
        // One buffer grows into another.
        assert!(held <= (limit + piece) * 17 / 8, "{held} of {limit}, {piece} at once");
    }
}

#[test]
fn lines_without_end() {
    for line in
        [&b"data: x\n"[..], b"data:\n", b": keep-alive\n", b"event: x\n", b"id: 5\r\n", b"data: \xFF\n"]
    {
        let held = endless(MB / 8, line);
        // The lines, and their payloads, each growing.
        assert!(held <= MB / 8 * 33 / 8, "{held} for {:?}", String::from_utf8_lossy(line));
    }
}

#[test]
fn records_without_end_take_the_room_of_one() {
    let held = peak(|| {
        let mut decoder = sse::Decoder::new();
        for _ in 0..1_000 {
            decoder.push(&b"data: {\"type\":\"STEP_STARTED\",\"stepName\":\"s\"}\n\n".repeat(20));
            while decoder.next().unwrap().is_some() {}
        }
    });
    assert!(held < 8_000, "{held}");
}

#[test]
fn a_record_that_is_not_text_takes_at_most_three_times_its_length() {
    let mut body = b"data: ".to_vec();
    body.resize(MB, 0xFF);
    body.extend(b"\n\n");
    let held = peak(|| {
        let mut decoder = sse::Decoder::new();
        decoder.push(&body);
        assert_eq!(decoder.next().unwrap().map(|text| text.len()), Some(3 * (MB - 6)));
    });
    assert!(held <= 4 * MB + 100, "{held}");
}

#[test]
fn a_false_length_reserves_no_memory() {
    let lie = (100 * MB as u32).to_be_bytes();
    let held = peak(|| {
        let mut decoder = proto::Decoder::new();
        decoder.push(&lie);
        let too_long = proto::FrameError::TooLong { declared: 100 << 20, limit: proto::MAX_FRAME };
        assert_eq!(decoder.next(), Err(too_long));
        for _ in 0..1_000 {
            decoder.push(&[0; 1_000]);
            assert_eq!((decoder.held(), decoder.next()), (0, Err(too_long)));
        }
        assert_eq!(decoder.finish(), Err(too_long));
    });
    assert!(held < 100, "{held}");

    // With so high a limit, the received bytes are held, not the announced ones.
    let held = peak(|| {
        let mut decoder = proto::Decoder::new().max_frame(200 * MB);
        decoder.push(&lie);
        for _ in 0..1_000 {
            decoder.push(&[0; 1_000]);
            assert_eq!(decoder.next(), Ok(None));
        }
        assert_eq!(decoder.finish(), Err(proto::FrameError::Truncated { held: 1_000_004 }));
    });
    assert!(held < 3_200_000, "{held}");
}

#[test]
fn frames_within_the_limit() {
    let mut frame = (MB as u32 - 4).to_be_bytes().to_vec();
    frame.resize(MB, 0);
    let held = peak(|| {
        let mut decoder = proto::Decoder::new().max_frame(MB);
        for piece in frame.chunks(1_000).chain(frame.chunks(333)) {
            decoder.push(piece);
            while decoder.next().unwrap().is_some() {}
        }
        decoder.finish().unwrap();
    });
    assert!(held <= 2 * MB, "{held}");
}

/// A field that holds bytes.
fn field(number: u8, inside: &[u8]) -> Vec<u8> {
    let mut field = vec![number << 3 | 2];
    let mut left = inside.len();
    while left >= 0x80 {
        field.push(left as u8 | 0x80);
        left >>= 7;
    }
    field.push(left as u8);
    field.extend(inside);
    field
}

/// The numbers of a `CUSTOM` event in the envelope, of its value, of a list in a value, of an entry of a list.
const TO_A_LIST: [u8; 4] = [11, 3, 6, 1];

/// A `CUSTOM` event, with this after the members of every event.
fn custom(value: &[u8]) -> Vec<u8> {
    field(TO_A_LIST[0], &[&field(1, &[8, 10]), value].concat())
}

#[test]
fn a_false_length_of_a_field_reserves_no_memory_at_any_depth() {
    // 100 MiB, as a varint.
    let lie = [0x0a, 0x80, 0x80, 0x80, 0x32];
    for depth in 0..=TO_A_LIST.len() {
        let message =
            TO_A_LIST[..depth].iter().rev().fold(lie.to_vec(), |inside, number| field(*number, &inside));
        let held = peak(|| {
            let rejected = FrameIntake::new().proto(&message, &mut |_| {}).unwrap_err();
            assert!(rejected.to_string().contains("the bytes end inside of a field"), "{rejected}");
        });
        assert!(held < 8_000, "{held} for {message:x?}");
    }
}

/// The memory of a frame grows with the frame, and not faster: at 10 times the size at most as much for each byte. A
/// rejection's message comes on top.
fn check(what: &str, frame: impl Fn(usize) -> Vec<u8>, read: fn(&[u8]), most: usize) {
    for size in [10_000, 100_000] {
        let frame = frame(size);
        // Data that is made once for a thread does not count for the frame.
        read(&frame);
        let held = peak(|| read(&frame));
        assert!(held <= most * frame.len() + 16_000, "{what}: {held} bytes for {}", frame.len());
    }
}

#[test]
fn hostile_frames_take_memory_in_proportion() {
    fn read(bytes: &[u8]) {
        let _ = FrameIntake::new().bytes(bytes, &mut |_| {});
    }
    // Nesting is refused before anything is built.
    let custom = "{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":";
    for open in ["[", "{\"a\":", "[{\"a\":[0,"] {
        check(open, |size| open.repeat(size / open.len()).into(), read, 0);
        check(open, |size| format!("{custom}{}", open.repeat(size / open.len())).into(), read, 0);
        check(open, |size| format!("{custom}0,\"u\":{}", open.repeat(size / open.len())).into(), read, 0);
    }
    // A value in memory is 72 bytes, twice that while its list grows; a fault has its place and the expected type.
    let custom = |each| (["{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":[", each, "]}"], 95);
    let snapshot = |each, most| (["{\"type\":\"MESSAGES_SNAPSHOT\",\"messages\":[", each, "]}"], most);
    let delta = |each, most| (["{\"type\":\"STATE_DELTA\",\"delta\":[", each, "]}"], most);
    for (pieces, most) in [
        custom("0"),
        custom("[]"),
        custom("{}"),
        custom("\"\""),
        custom("{\"\":0}"),
        snapshot("0", 140),
        snapshot("{}", 95),
        snapshot("{\"id\":\"\",\"role\":\"user\",\"content\":\"\",\"u\":0}", 30),
        snapshot(
            "{\"id\":\"\",\"role\":\"user\",\"content\":[{\"type\":\"binary\",\"mimeType\":\"\",\"url\":\"\"}]}",
            30,
        ),
        delta("0", 140),
        delta("{\"op\":\"remove\",\"path\":\"\"}", 10),
        (["{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":0,", "\"u\":0", "}"], 1),
        (["{\"type\":\"CUSTOM\",\"name\":\"x\",\"value\":[\"", "\\ud800", "\"]}"], 6),
        (["", "\u{FFFD}", ""], 6),
    ] {
        let [before, each, after] = pieces;
        let frame =
            |size| format!("{before}{}{after}", vec![each; size / (each.len() + 1)].join(",")).into_bytes();
        check(each, frame, read, most);
    }
    check("no text", |size| vec![0xFF; size], read, 7);
}

#[test]
fn hostile_messages_take_memory_in_proportion() {
    fn read(message: &[u8]) {
        let _ = FrameIntake::new().proto(message, &mut |_| {});
    }
    let list =
        |entry: Vec<u8>| move |size: usize| custom(&field(3, &field(6, &entry.repeat(size / entry.len()))));
    check("entries that say nothing", list(field(1, b"")), read, 95);
    check("empty lists", list(field(1, &field(6, b""))), read, 60);
    check("empty texts", list(field(1, &field(3, b""))), read, 60);
    check("a list in pieces", |size| custom(&field(3, &field(6, &field(1, b"")).repeat(size / 4))), read, 60);
    let object =
        |entry: Vec<u8>| move |size: usize| custom(&field(3, &field(5, &entry.repeat(size / entry.len()))));
    check("one key again and again", object(field(1, &field(2, &field(6, b"")))), read, 0);
    let nested = |number: u8| {
        move |size: usize| {
            let mut inside = Vec::new();
            while inside.len() < size {
                // Longer on the outside than on the inside: the depth is a tenth of that.
                inside = field(number, &[inside, vec![0x18; 20]].concat());
            }
            custom(&field(3, &inside))
        }
    };
    check("lists in lists", nested(6), read, 0);
    let snapshot = |entry: Vec<u8>| {
        move |size: usize| field(9, &[field(1, &[8, 8]), entry.repeat(size / entry.len())].concat())
    };
    check("messages that say nothing", snapshot(field(2, b"")), read, 260);
    check("unknown fields", |size| custom(&field(15, b"").repeat(size / 2)), read, 0);
}
