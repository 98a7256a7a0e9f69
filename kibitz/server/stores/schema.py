"""What the store's file holds, and how files of older versions become one of this."""

VERSION = 5
LOGS = """
CREATE TABLE tables (
    log INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    creator TEXT NOT NULL,
    created REAL NOT NULL,
    begun INTEGER NOT NULL,
    over INTEGER NOT NULL,
    expired REAL,
    standing BLOB NOT NULL
);
CREATE INDEX tables_of_creator ON tables (creator) WHERE NOT over AND expired IS NULL;
CREATE TABLE seats (
    log INTEGER NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    PRIMARY KEY (log, seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_guest ON seats (guest);
CREATE TABLE rows (
    log INTEGER NOT NULL,
    number INTEGER NOT NULL,
    kind TEXT NOT NULL,
    actor TEXT NOT NULL,
    time REAL NOT NULL,
    command TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    body BLOB NOT NULL,
    previous BLOB NOT NULL,
    hash BLOB NOT NULL,
    turn INTEGER,
    PRIMARY KEY (log, number),
    UNIQUE (log, command)
);
"""  # rows lie in the order in which they came, and those of tables opened together have neighbouring keys
ADDED = """
ALTER TABLE tables ADD COLUMN due REAL;
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
ALTER TABLE tables ADD COLUMN listed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX listed_tables ON tables (created) WHERE listed AND expired IS NULL;
CREATE TABLE results (
    id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    time REAL NOT NULL,
    standing BLOB NOT NULL,
    PRIMARY KEY (id, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_guest ON results (guest, time);
"""  # with version 4: when a clock runs out; whether it is shown to everybody; how games ended
HOUSE = """
CREATE TABLE house (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
"""  # with version 5: what whoever hosts it has laid down
FILED = """
CREATE TABLE filed (name TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (name, id)) WITHOUT ROWID;
CREATE TABLE regulars (name TEXT PRIMARY KEY, id TEXT NOT NULL, created BLOB NOT NULL) WITHOUT ROWID;
"""  # with version 5: results found by what they belong to, a day's deal for one; regular tables
PEOPLE = """
CREATE TABLE devices (
    token_hash BLOB PRIMARY KEY,
    guest TEXT NOT NULL,
    created REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX devices_of_guest ON devices (guest);
CREATE TABLE codes (
    code_hash BLOB PRIMARY KEY,
    guest TEXT NOT NULL,
    until REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE passphrases (
    guest TEXT PRIMARY KEY,
    login TEXT NOT NULL,
    looks TEXT NOT NULL UNIQUE,
    hash TEXT NOT NULL,
    since REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE ratings (
    guest TEXT NOT NULL,
    pool TEXT NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    games INTEGER NOT NULL,
    PRIMARY KEY (pool, guest)
) WITHOUT ROWID;
CREATE TABLE rating_changes (
    id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    guest TEXT NOT NULL,
    pool TEXT NOT NULL,
    time REAL NOT NULL,
    mu_before REAL NOT NULL,
    sigma_before REAL NOT NULL,
    mu REAL NOT NULL,
    sigma REAL NOT NULL,
    PRIMARY KEY (id, seat)
) WITHOUT ROWID;
CREATE INDEX rating_changes_of_guest ON rating_changes (guest, time);
"""  # with version 5: a guest's tokens after the first, which is in `guests`; how well people play
SCHEMA = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE guests (
    id TEXT PRIMARY KEY,
    token_hash BLOB NOT NULL UNIQUE,
    name TEXT NOT NULL,
    language TEXT NOT NULL,
    created REAL NOT NULL,
    seen REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE renames (
    guest TEXT NOT NULL,
    command TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    name TEXT NOT NULL,
    time REAL NOT NULL,
    PRIMARY KEY (guest, command)
) WITHOUT ROWID;
{LOGS}
{ADDED}
{HOUSE}
{FILED}
{PEOPLE}
"""
UPGRADES = {  # from a version to the next, as SQL
    1: "",  # 2 has the same columns
    2: f"""
    DROP INDEX tables_of_creator;
    DROP INDEX seats_of_guest;
    ALTER TABLE tables RENAME TO old_tables;
    ALTER TABLE seats RENAME TO old_seats;
    ALTER TABLE rows RENAME TO old_rows;
    {LOGS}
    INSERT INTO tables SELECT NULL, * FROM old_tables ORDER BY created;
    INSERT INTO seats SELECT log, seat, guest FROM old_seats JOIN tables ON id = table_id;
    INSERT INTO rows
    SELECT log, number, kind, actor, time, command, fingerprint, body, previous, hash, turn
    FROM old_rows JOIN tables ON id = table_id ORDER BY time;
    DROP TABLE old_rows;
    DROP TABLE old_seats;
    DROP TABLE old_tables;
    """,
    3: ADDED,
    4: HOUSE + FILED + PEOPLE,
}
