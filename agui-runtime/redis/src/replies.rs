//! Script responses.

use std::time::Duration;

use agui_runtime_core::thread::{LogHead, LogPage, LogPosition};
use bytes::Bytes;
use redis::{FromRedisValue, ParsingError, Value, from_redis_value};

/// A response from `append.lua`.
pub(super) enum AppendReply {
    Done,
    /// The log ends elsewhere.
    Elsewhere(LogPosition),
}

/// A response from `read.lua`.
pub(super) enum PageReply {
    NoThread,
    Trimmed { first: u64 },
    Records(LogPage),
}

/// A response from `head.lua`.
pub(super) struct HeadReply(pub(super) LogHead);

fn parts(value: Value) -> Result<Vec<Value>, ParsingError> {
    from_redis_value(value)
}

fn unexpected() -> ParsingError {
    "an answer of another script".into()
}

fn bytes(value: Value) -> Result<Bytes, ParsingError> {
    Ok(from_redis_value::<Vec<u8>>(value)?.into())
}

// Numbers are answered as text: an epoch may have more digits than a number of Lua.
fn number(value: Value) -> Result<u64, ParsingError> {
    from_redis_value(value)
}

impl FromRedisValue for AppendReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let mut parts = parts(value)?.into_iter();
        match (parts.next(), parts.next(), parts.next()) {
            (Some(Value::Int(1)), None, None) => Ok(Self::Done),
            (Some(Value::Int(0)), Some(epoch), Some(seq)) => {
                Ok(Self::Elsewhere(LogPosition { epoch: number(epoch)?, seq: number(seq)? }))
            }
            _ => Err(unexpected()),
        }
    }
}

impl FromRedisValue for PageReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let mut parts = parts(value)?.into_iter();
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Value::Int(0)), None, None, None) => Ok(Self::NoThread),
            (Some(Value::Int(1)), Some(first), None, None) => Ok(Self::Trimmed { first: number(first)? }),
            (Some(Value::Int(2)), Some(epoch), Some(seq), Some(found)) => {
                let at = LogPosition { epoch: number(epoch)?, seq: number(seq)? };
                let mut found = self::parts(found)?.into_iter();
                let first = number(found.next().ok_or_else(unexpected)?)?;
                let records = (first..).zip(found).map(|(seq, record)| Ok((seq, bytes(record)?)));
                Ok(Self::Records(LogPage::new(records.collect::<Result<_, ParsingError>>()?, at)))
            }
            _ => Err(unexpected()),
        }
    }
}

impl FromRedisValue for HeadReply {
    fn from_redis_value(value: Value) -> Result<Self, ParsingError> {
        let mut parts = parts(value)?.into_iter();
        let Some(epoch) = parts.next() else { return Ok(Self(LogHead::default())) };
        let (Some(seq), Some(first), Some(note)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(unexpected());
        };
        let at = LogPosition { epoch: number(epoch)?, seq: number(seq)? };
        let lease = parts.next().map(number).transpose()?.map(Duration::from_millis);
        Ok(Self(LogHead::new(at, number(first)?, bytes(note)?, lease)))
    }
}
