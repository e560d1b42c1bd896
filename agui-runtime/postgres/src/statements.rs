//! The log operations as SQL statements. Each is one round trip, and sees one database state.

use tokio_postgres::types::Type;

/// A statement with parameter types.
pub(super) struct SqlStatement {
    pub(super) text: &'static str,
    pub(super) types: &'static [Type],
}

impl SqlStatement {
    /// Returns the text with the tables' schema, given quoted for SQL: in a shared session, another program may have changed the
    /// search path.
    pub(super) fn in_schema(&self, schema: &str) -> String {
        let named = self.text.replace(" agui_", &format!(" {schema}.agui_"));
        // The text of a name is within quotation marks, which are doubled there.
        named.replace("'agui_threads'::", &format!("'{}.agui_threads'::", schema.replace('\'', "''")))
    }
}

/// Milliseconds since the Unix epoch, by the database's clock.
macro_rules! now {
    () => {
        "floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
    };
}

/// Makes this statement's commit wait for the disk, whatever a pooler's session has set: a session setting would also apply to
/// other users.
macro_rules! durable {
    () => {
        "set_config('synchronous_commit', \
            CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on' \
            ELSE current_setting('synchronous_commit') END, true)"
    };
}

/// Appends records to many threads, each if the log ends where the append expects, and returns the numbers of the successful
/// appends.
///
/// Thread rows are locked in key order, so that two nodes cannot wait for each other. A flush has each thread at most once.
pub(super) static APPEND: SqlStatement = SqlStatement { text: concat!(
    "WITH clock AS MATERIALIZED (SELECT ",
    now!(),
    " AS now, ",
    durable!(),
    "), wanted AS MATERIALIZED (
        SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::bytea[], $4::bytea[], $5::bytea[],
            $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[], $10::bytea[], $11::bigint[])
        WITH ORDINALITY AS w(key, list, owner, agent, thread, at_epoch, at_seq, epoch, seq, note, lease, n)
    ), held AS MATERIALIZED (
        SELECT t.id, w.n FROM agui_threads t JOIN wanted w ON w.key = t.key
        WHERE t.epoch = w.at_epoch AND t.seq = w.at_seq
        ORDER BY t.key FOR UPDATE OF t
    ), moved AS (
        UPDATE agui_threads t
        SET epoch = w.epoch, seq = w.seq, note = coalesce(w.note, t.note),
            lease_ends = clock.now + w.lease, changed = clock.now
        FROM held JOIN wanted w ON w.n = held.n CROSS JOIN clock
        WHERE t.id = held.id AND t.epoch = w.at_epoch AND t.seq = w.at_seq
        RETURNING t.id, w.n
    ), made AS (
        INSERT INTO agui_threads (key, list, owner, agent, thread, epoch, seq, first, note, lease_ends, changed)
        SELECT w.key, w.list, w.owner, w.agent, w.thread, w.epoch, w.seq, 1, coalesce(w.note, ''),
            clock.now + w.lease, clock.now
        FROM wanted w CROSS JOIN clock
        WHERE w.at_epoch = 0 AND w.at_seq = 0
        ORDER BY w.key
        ON CONFLICT (key) DO NOTHING
        RETURNING id, key
    ), done AS (
        SELECT id, n FROM moved UNION ALL SELECT made.id, w.n FROM made JOIN wanted w ON w.key = made.key
    ), written AS (
        INSERT INTO agui_records (thread, seq, record)
        SELECT done.id, r.seq, r.record
        FROM unnest($12::bigint[], $13::bigint[], $14::bytea[]) AS r(n, seq, record) JOIN done ON done.n = r.n
    )
    SELECT n FROM done"
), types: &[
        Type::BYTEA_ARRAY, Type::BYTEA_ARRAY, Type::BYTEA_ARRAY, Type::BYTEA_ARRAY, Type::BYTEA_ARRAY, Type::INT8_ARRAY,
        Type::INT8_ARRAY, Type::INT8_ARRAY, Type::INT8_ARRAY, Type::BYTEA_ARRAY, Type::INT8_ARRAY, Type::INT8_ARRAY,
        Type::INT8_ARRAY, Type::BYTEA_ARRAY,
    ] };

/// The ends of many logs.
pub(super) static ENDS: SqlStatement = SqlStatement {
    text: "SELECT key, epoch, seq FROM agui_threads WHERE key = ANY($1::bytea[])",
    types: &[Type::BYTEA_ARRAY],
};

pub(super) static HEAD: SqlStatement = SqlStatement {
    text: concat!(
        "SELECT epoch, seq, first, note, lease_ends - ",
        now!(),
        " FROM agui_threads WHERE key = $1"
    ),
    types: &[Type::BYTEA],
};

/// The records after a sequence number, up to a byte limit, beside the thread's facts. If `$4` is true, the first record comes
/// whatever its size.
pub(super) static READ: SqlStatement = SqlStatement {
    text: "
    SELECT t.id, t.seq, t.first, r.seq, r.record, t.epoch
    FROM agui_threads t LEFT JOIN LATERAL (
        SELECT p.seq, p.record FROM (
            SELECT q.seq, q.record, sum(octet_length(q.record)) OVER (ORDER BY q.seq) AS bytes,
                row_number() OVER (ORDER BY q.seq) AS number
            FROM (
                SELECT seq, record FROM agui_records
                WHERE thread = t.id AND seq > $2 AND seq >= t.first ORDER BY seq LIMIT 1000
            ) q
        ) p
        WHERE p.bytes <= $3 OR ($4 AND p.number = 1)
    ) r ON true
    WHERE t.key = $1 ORDER BY r.seq",
    types: &[Type::BYTEA, Type::INT8, Type::INT8, Type::BOOL],
};

/// The maximum number of records that [`READ`] returns.
pub(super) const READ_MOST: usize = 1_000;

pub(super) static RENEW: SqlStatement = SqlStatement {
    text: concat!(
        "UPDATE agui_threads SET lease_ends = ",
        now!(),
        " + $3 WHERE key = $1 AND epoch = $2 AND lease_ends IS NOT NULL RETURNING id"
    ),
    types: &[Type::BYTEA, Type::INT8, Type::INT8],
};

pub(super) static EXPIRED: SqlStatement = SqlStatement {
    text: concat!(
        "SELECT owner, agent, thread FROM agui_threads WHERE lease_ends <= ",
        now!(),
        " ORDER BY lease_ends, id LIMIT $1"
    ),
    types: &[Type::INT8],
};

pub(super) static IDLE: SqlStatement = SqlStatement {
    text: concat!(
        "SELECT owner, agent, thread FROM agui_threads WHERE lease_ends IS NULL AND changed <= ",
        now!(),
        " - $1 ORDER BY changed, id LIMIT $2"
    ),
    types: &[Type::INT8, Type::INT8],
};

pub(super) static LIST: SqlStatement = SqlStatement {
    text: "
    SELECT thread, changed, note FROM agui_threads
    WHERE list = $1 AND changed <= $2 AND (changed < $2 OR thread > $3)
    ORDER BY changed DESC, thread LIMIT $4",
    types: &[Type::BYTEA, Type::INT8, Type::BYTEA, Type::INT8],
};

pub(super) static ENTRY: SqlStatement = SqlStatement {
    text: "SELECT thread, changed, note FROM agui_threads WHERE key = $1",
    types: &[Type::BYTEA],
};

/// Inserts the snapshot, because the statement may not see a record that it waited for.
pub(super) static TRIM: SqlStatement = SqlStatement {
    text: "
    WITH held AS MATERIALIZED (
        SELECT id FROM agui_threads WHERE key = $1 AND epoch = $2 AND first < $3 AND seq >= $3 FOR UPDATE
    ), moved AS (
        UPDATE agui_threads t SET first = $3 FROM held WHERE t.id = held.id
    ), gone AS (
        DELETE FROM agui_records r USING held WHERE r.thread = held.id AND r.seq < $3
    )
    INSERT INTO agui_records (thread, seq, record) SELECT id, $3, $4 FROM held
    ON CONFLICT (thread, seq) DO UPDATE SET record = excluded.record",
    types: &[Type::BYTEA, Type::INT8, Type::INT8, Type::BYTEA],
};

pub(super) static DELETE: SqlStatement = SqlStatement {
    text: concat!(
        "
    WITH gone AS (
        DELETE FROM agui_threads
        WHERE key = $1 AND ($2::bigint IS NULL OR (epoch = $2 AND seq = $3::bigint)) RETURNING id
    ), records AS (
        DELETE FROM agui_records r USING gone WHERE r.thread = gone.id
    )
    SELECT id, ",
        durable!(),
        " FROM gone"
    ),
    types: &[Type::BYTEA, Type::INT8, Type::INT8],
};

pub(super) static DELETE_REST: SqlStatement =
    SqlStatement { text: "DELETE FROM agui_records WHERE thread = $1", types: &[Type::INT8] };

/// Writes a record that belongs to no thread: the database must accept changes to our tables, and put a commit on the disk.
pub(super) static PROBE: SqlStatement = SqlStatement {
    text: concat!(
        "WITH kept AS (INSERT INTO agui_records (thread, seq, record) VALUES (0, 0, '')
            ON CONFLICT (thread, seq) DO UPDATE SET record = excluded.record RETURNING seq) SELECT seq, ",
        durable!(),
        " FROM kept"
    ),
    types: &[],
};

/// Notices are hints, so their commit needs no disk sync. A database may have our tables in several schemas.
pub(super) static NOTIFY: SqlStatement = SqlStatement {
    text: "
    SELECT set_config('synchronous_commit', 'off', true),
        pg_notify('agui_threads_' || 'agui_threads'::regclass::oid, $1)",
    types: &[Type::TEXT],
};

/// Subscribes to the notices.
pub(super) static LISTEN: SqlStatement =
    SqlStatement { text: "SELECT 'LISTEN agui_threads_' || 'agui_threads'::regclass::oid", types: &[] };
