//! The log operations as scripts, which Redis runs atomically.

use std::sync::LazyLock;

use redis::aio::MultiplexedConnection;
use redis::{Cmd, ErrorKind, FromRedisValue, RedisError, Script, ServerErrorKind, cmd};

/// A script, sent once and then called by hash.
pub(super) struct RedisScript(LazyLock<Script>);

macro_rules! scripts {
    ($($name:ident = $file:literal),* $(,)?) => {
        $(pub(super) static $name: RedisScript = RedisScript(LazyLock::new(|| Script::new(include_str!($file))));)*
    };
}

scripts! {
    APPEND = "scripts/append.lua",
    DELETE = "scripts/delete.lua",
    DUE = "scripts/due.lua",
    ENTRY = "scripts/entry.lua",
    HEAD = "scripts/head.lua",
    LIST = "scripts/list.lua",
    OPEN = "scripts/open.lua",
    PROBE = "scripts/probe.lua",
    READ = "scripts/read.lua",
    RENEW = "scripts/renew.lua",
    TRIM = "scripts/trim.lua",
}

/// A script call, with parameters in the script's order.
pub(super) struct ScriptCall {
    script: &'static Script,
    command: Cmd,
}

impl RedisScript {
    pub(super) fn call<const N: usize>(&'static self, keys: [&[u8]; N]) -> ScriptCall {
        let mut command = cmd("EVALSHA");
        command.arg(self.0.get_hash()).arg(N);
        for key in keys {
            command.arg(key);
        }
        ScriptCall { script: &self.0, command }
    }
}

impl ScriptCall {
    pub(super) fn numbers<const N: usize>(&mut self, numbers: [u64; N]) -> &mut Self {
        for number in numbers {
            self.command.arg(number);
        }
        self
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.command.arg(bytes);
        self
    }

    pub(super) async fn send<T: FromRedisValue>(
        &self,
        connection: &mut MultiplexedConnection,
    ) -> Result<T, RedisError> {
        match self.command.query_async(connection).await {
            // A server that was started again, or whose scripts were flushed.
            Err(error) if error.kind() == ErrorKind::Server(ServerErrorKind::NoScript) => {
                self.script.prepare_invoke().load_async(connection).await?;
                self.command.query_async(connection).await
            }
            answer => answer,
        }
    }
}
