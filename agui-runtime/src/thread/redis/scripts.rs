//! The operations of a log as scripts, each of which Redis runs as a whole.

use std::sync::LazyLock;

use redis::aio::MultiplexedConnection;
use redis::{FromRedisValue, RedisError, Script, ScriptInvocation};

/// A script, which is sent once and then called by its hash.
pub(super) struct Source(LazyLock<Script>);

macro_rules! scripts {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(super) static $name: Source = Source(LazyLock::new(|| Script::new(include_str!($file))));)*
    };
}

scripts! {
    APPEND = "scripts/append.lua",
    DELETE = "scripts/delete.lua",
    DUE = "scripts/due.lua",
    HEAD = "scripts/head.lua",
    LIST = "scripts/list.lua",
    OPEN = "scripts/open.lua",
    READ = "scripts/read.lua",
    RENEW = "scripts/renew.lua",
    TRIM = "scripts/trim.lua",
}

/// A call of a script with its values, in the order in which the script reads them.
pub(super) struct Call(ScriptInvocation<'static>);

impl Source {
    pub(super) fn call(&'static self) -> Call {
        Call(self.0.prepare_invoke())
    }
}

impl Call {
    pub(super) fn keys<const N: usize>(&mut self, keys: [&[u8]; N]) -> &mut Self {
        for key in keys {
            self.0.key(key);
        }
        self
    }

    pub(super) fn numbers<const N: usize>(&mut self, numbers: [u64; N]) -> &mut Self {
        for number in numbers {
            self.0.arg(number);
        }
        self
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.arg(bytes);
        self
    }

    pub(super) async fn send<T: FromRedisValue>(
        &self,
        connection: &mut MultiplexedConnection,
    ) -> Result<T, RedisError> {
        self.0.invoke_async(connection).await
    }
}
