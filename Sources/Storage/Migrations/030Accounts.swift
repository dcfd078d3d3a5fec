import GRDB

extension Migrations {
    /// Allows deliveries that send a link to sign in.
    static func allowSignIn030(in db: Database) throws {
        try SchemaText.change("delivery", in: db) { sql in
            sql.replacing("OR kind = 'alarm'", with: "OR kind = 'alarm' OR kind = 'sign_in'")
        }
    }

    /// Accounts, their sessions, the ways to sign in, and a log of what changed access. Tokens,
    /// codes and challenges are stored as hashes.
    static let accounts030 = """
        CREATE TABLE account (
            person_id TEXT PRIMARY KEY NOT NULL REFERENCES person ON DELETE CASCADE,
            role TEXT NOT NULL CHECK (role = 'owner' OR role = 'admin' OR role = 'member'),
            is_enabled INTEGER NOT NULL DEFAULT 1 CHECK (is_enabled IN (0, 1)),
            made_at INTEGER NOT NULL,
            language TEXT,
            password TEXT
        ) STRICT;
        CREATE TABLE session (
            hash TEXT PRIMARY KEY NOT NULL CHECK (length(hash) = 64),
            id TEXT NOT NULL UNIQUE,
            person_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            device TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            seen_at INTEGER NOT NULL,
            confirmed_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX session_by_person ON session (person_id, seen_at);
        CREATE TABLE sign_in_ticket (
            hash TEXT PRIMARY KEY NOT NULL CHECK (length(hash) = 64),
            person_id TEXT NOT NULL REFERENCES person ON DELETE CASCADE,
            kind TEXT NOT NULL
                CHECK (kind = 'opened' OR kind = 'mail' OR kind = 'invitation'),
            code_hash TEXT,
            browser_hash TEXT,
            tries INTEGER NOT NULL DEFAULT 0 CHECK (tries BETWEEN 0 AND 5),
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX sign_in_ticket_by_person ON sign_in_ticket (person_id);
        CREATE INDEX sign_in_ticket_by_browser ON sign_in_ticket (browser_hash)
            WHERE browser_hash IS NOT NULL;
        CREATE TABLE passkey (
            id TEXT PRIMARY KEY NOT NULL,
            person_id TEXT NOT NULL REFERENCES account ON DELETE CASCADE,
            name TEXT NOT NULL,
            algorithm INTEGER NOT NULL,
            public_key BLOB NOT NULL,
            counter INTEGER NOT NULL,
            made_at INTEGER NOT NULL,
            used_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX passkey_by_person ON passkey (person_id);
        CREATE TABLE access_act (
            number INTEGER PRIMARY KEY,
            at INTEGER NOT NULL,
            person_id TEXT REFERENCES person ON DELETE SET NULL,
            actor_id TEXT REFERENCES person ON DELETE SET NULL,
            act TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT;
        CREATE INDEX access_act_by_person ON access_act (person_id);
        CREATE INDEX access_act_by_actor ON access_act (actor_id);
        CREATE TABLE draft (
            person_id TEXT PRIMARY KEY NOT NULL REFERENCES account ON DELETE CASCADE,
            fields TEXT NOT NULL CHECK (json_valid(fields)),
            changed_at INTEGER NOT NULL
        ) STRICT;
        """
}
