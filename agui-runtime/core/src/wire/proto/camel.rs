//! Derives member names in the message tables from field names.

/// Returns a field's wire name: `messageId` for `message_id`.
macro_rules! wire_name {
    ($field:ident) => {
        const {
            const SNAKE: &str = stringify!($field);
            const CAMEL: [u8; $crate::wire::proto::camel::camel_len(SNAKE)] =
                $crate::wire::proto::camel::camel(SNAKE);
            match ::std::str::from_utf8(&CAMEL) {
                Ok(name) => name,
                Err(_) => SNAKE,
            }
        }
    };
}

pub(super) use wire_name;

pub(super) const fn camel_len(snake: &str) -> usize {
    let mut rest = snake.as_bytes();
    let mut len = 0;
    while let [byte, after @ ..] = rest {
        if *byte != b'_' {
            len += 1;
        }
        rest = after;
    }
    len
}

pub(super) const fn camel<const LEN: usize>(snake: &str) -> [u8; LEN] {
    let mut name = [0; LEN];
    let mut left: &mut [u8] = &mut name;
    let mut rest = snake.as_bytes();
    let mut upper = false;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte == b'_' {
            upper = true;
        } else if let [first, others @ ..] = left {
            *first = if upper { byte.to_ascii_uppercase() } else { *byte };
            upper = false;
            left = others;
        } else {
            break;
        }
    }
    name
}
