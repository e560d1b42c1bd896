#[doc(inline)]
pub use agui_runtime_core::thread::*;
#[cfg(feature = "postgres")]
#[doc(inline)]
pub use agui_runtime_postgres::Postgres;
#[cfg(feature = "redis")]
#[doc(inline)]
pub use agui_runtime_redis::Redis;
#[cfg(feature = "sqlite")]
#[doc(inline)]
pub use agui_runtime_sqlite::Sqlite;
