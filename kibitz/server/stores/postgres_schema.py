"""What a store in PostgreSQL holds, and how one of an older version becomes one of this.

Every key of a table's log begins with the table's id, and nothing refers across: PostgreSQL's hash
partitions, or an engine that spreads tables over machines, can divide it by that.
"""

VERSION = 3
SERVES = 1  # the oldest version whose servers can go on beside this one's: a rolling upgrade

LOGS = ("tables", "seats", "rows")  # what can be divided, each by `log`: the table's id
ID = 'text COLLATE "C" NOT NULL'
HOUSE = "CREATE TABLE house (name text PRIMARY KEY, value bytea NOT NULL);"
FILED = f"""
CREATE TABLE filed (name {ID}, id {ID}, PRIMARY KEY (name, id));
CREATE TABLE regulars (name {ID} PRIMARY KEY, id text NOT NULL, created bytea NOT NULL);
"""  # with version 2: results found by what they belong to, a day's deal for one; regular tables
PEOPLE = f"""
CREATE TABLE devices (
    token_hash bytea PRIMARY KEY,
    guest text NOT NULL,
    created double precision NOT NULL
);
CREATE INDEX devices_of_guest ON devices (guest);
CREATE TABLE codes (
    code_hash bytea PRIMARY KEY,
    guest text NOT NULL,
    until double precision NOT NULL
);
CREATE TABLE passphrases (
    guest text PRIMARY KEY,
    login text NOT NULL,
    looks text NOT NULL UNIQUE,
    hash text NOT NULL,
    since double precision NOT NULL
);
CREATE TABLE ratings (
    guest text NOT NULL,
    pool text NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    games integer NOT NULL,
    PRIMARY KEY (pool, guest)
);
CREATE TABLE rating_changes (
    id {ID},
    seat smallint NOT NULL,
    guest text NOT NULL,
    pool text NOT NULL,
    time double precision NOT NULL,
    mu_before double precision NOT NULL,
    sigma_before double precision NOT NULL,
    mu double precision NOT NULL,
    sigma double precision NOT NULL,
    PRIMARY KEY (id, seat)
);
CREATE INDEX rating_changes_of_guest ON rating_changes (guest, time);
"""  # with version 2: a guest's tokens after the first, which is in `guests`; how well people play
RANKS = """
CREATE INDEX ratings_by_rank ON ratings (pool, (mu - 2 * sigma));
CREATE INDEX ratings_of_guest ON ratings (guest);
"""  # with version 3
SCHEMA = f"""
CREATE TABLE meta (key text PRIMARY KEY, value bytea NOT NULL);
{HOUSE}
CREATE TABLE guests (
    id text PRIMARY KEY,
    token_hash bytea NOT NULL UNIQUE,
    name text NOT NULL,
    language text NOT NULL,
    created double precision NOT NULL,
    seen double precision NOT NULL
);
CREATE INDEX guests_by_seen ON guests (seen);
CREATE TABLE renames (
    guest text NOT NULL,
    command text NOT NULL,
    fingerprint bytea NOT NULL,
    name text NOT NULL,
    time double precision NOT NULL,
    PRIMARY KEY (guest, command)
);
CREATE INDEX renames_by_time ON renames (time);
CREATE TABLE tables (
    log {ID},
    game text NOT NULL,
    creator text NOT NULL,
    created double precision NOT NULL,
    begun boolean NOT NULL,
    over boolean NOT NULL,
    expired double precision,
    standing bytea NOT NULL,
    due double precision,
    listed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (log)
) {{divided}};
CREATE INDEX tables_of_creator ON tables (creator) WHERE NOT over AND expired IS NULL;
CREATE INDEX tables_due ON tables (due) WHERE due IS NOT NULL;
CREATE INDEX listed_tables ON tables (created) WHERE listed AND expired IS NULL;
CREATE INDEX tables_by_age ON tables (created) WHERE expired IS NULL;
CREATE TABLE results (
    id {ID},
    seat smallint NOT NULL,
    guest text NOT NULL,
    time double precision NOT NULL,
    standing bytea NOT NULL,
    PRIMARY KEY (id, seat)
);
CREATE INDEX results_of_guest ON results (guest, time);
CREATE TABLE seats (
    log {ID},
    seat smallint NOT NULL,
    guest text NOT NULL,
    PRIMARY KEY (log, seat)
) {{divided}};
CREATE INDEX seats_of_guest ON seats (guest);
CREATE TABLE rows (
    log {ID},
    number bigint NOT NULL,
    kind text NOT NULL,
    actor text NOT NULL,
    time double precision NOT NULL,
    command text NOT NULL,
    fingerprint bytea NOT NULL,
    body bytea NOT NULL,
    previous bytea NOT NULL,
    hash bytea NOT NULL,
    turn smallint,
    PRIMARY KEY (log, number),
    UNIQUE (log, command)
) {{divided}};
{FILED}
CREATE UNLOGGED TABLE leases (
    name {ID} PRIMARY KEY,
    holder text NOT NULL,
    until timestamptz NOT NULL
);
{PEOPLE}
{RANKS}
"""  # a lease that a crash forgets is free: that is what it would be soon anyhow
UPGRADES = {1: HOUSE + FILED + PEOPLE, 2: RANKS}  # from a version to the next, as SQL


def schema(partitions: int = 0) -> str:
    """The SQL that makes a new store, its logs divided into so many partitions if wanted."""
    made = SCHEMA.format(divided="PARTITION BY HASH (log)" if partitions else "")
    for table in LOGS:
        for part in range(partitions):
            made += (
                f"CREATE TABLE {table}_{part} PARTITION OF {table} "
                f"FOR VALUES WITH (MODULUS {partitions}, REMAINDER {part});\n"
            )
    return made
