import { DatabaseSync } from 'node:sqlite';
import { openError } from '../data/open-error.ts';

/** One stored message. Times are epoch milliseconds. `receipt` is set while a receiver has the message. */
export interface MessageRow {
  readonly sequence: number;
  readonly message_id: string;
  readonly body: string;
  readonly attributes: string;
  readonly group_id: string | null;
  readonly deduplication_id: string | null;
  readonly sent_at: number;
  readonly receive_count: number;
  readonly first_received_at: number | null;
}

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    message_id TEXT NOT NULL,
    body TEXT NOT NULL,
    attributes TEXT NOT NULL,
    group_id TEXT,
    deduplication_id TEXT,
    sent_at INTEGER NOT NULL,
    visible_at INTEGER NOT NULL,
    receive_count INTEGER NOT NULL DEFAULT 0,
    first_received_at INTEGER,
    receipt TEXT,
    tenant TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS messages_by_visibility ON messages (queue, visible_at);
  CREATE INDEX IF NOT EXISTS messages_by_group ON messages (queue, group_id, sequence);
  CREATE INDEX IF NOT EXISTS messages_by_turn ON messages (queue, group_id, visible_at);
  CREATE INDEX IF NOT EXISTS messages_in_flight ON messages (queue, visible_at) WHERE receipt IS NOT NULL;
  CREATE TABLE IF NOT EXISTS deduplications (
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (queue, id)
  ) STRICT, WITHOUT ROWID;`;

/** Makes messages in flight visible at once and does not count their receive, since the receivers ended with the process. */
const releaseInFlight = `
  UPDATE messages SET visible_at = 0, receipt = NULL, receive_count = max(0, receive_count - 1)
  WHERE receipt IS NOT NULL`;

const columns =
  'sequence, message_id, body, attributes, group_id, deduplication_id, sent_at, receive_count, first_received_at';

/** A group is locked while one of its messages is with a receiver. */
const lockedGroups = `
  SELECT group_id FROM messages WHERE queue = :queue AND receipt IS NOT NULL AND visible_at > :now`;

/** The groups of a queue, found one after the other by the index, and null after the last. */
const groups = `
  groups (group_id) AS (
    SELECT min(group_id) FROM messages WHERE queue = :queue
    UNION ALL
    SELECT (SELECT min(group_id) FROM messages WHERE queue = :queue AND group_id > groups.group_id)
    FROM groups WHERE groups.group_id IS NOT NULL
  )`;

/**
 * Chooses among the unlocked groups whose oldest message is visible. The tenant with the fewest locked groups comes first,
 * then the group with the oldest message. SQS promises no order among groups, but has receivers for all of them. A spare
 * receiver takes nothing of a tenant that has a locked group.
 */
const nextGroup = `
  WITH RECURSIVE ${groups}, busy (tenant, locked) AS (
    SELECT coalesce(tenant, group_id), count(DISTINCT group_id) FROM messages
    WHERE queue = :queue AND receipt IS NOT NULL AND visible_at > :now GROUP BY 1
  )
  SELECT groups.group_id FROM groups JOIN messages AS oldest ON oldest.sequence =
    (SELECT min(sequence) FROM messages WHERE queue = :queue AND group_id = groups.group_id)
    LEFT JOIN busy ON busy.tenant = coalesce(oldest.tenant, oldest.group_id)
  WHERE oldest.visible_at <= :now AND groups.group_id NOT IN (${lockedGroups})
    AND (busy.locked IS NULL OR NOT :isSpare)
  ORDER BY coalesce(busy.locked, 0), oldest.sequence LIMIT 1`;

/** The oldest messages of a group before the first that is not visible yet, which no later one may overtake. */
const visibleOfGroup = `
  SELECT ${columns} FROM (
    SELECT *, max(visible_at) OVER (ORDER BY sequence) AS all_visible_at FROM (
      SELECT * FROM messages WHERE queue = :queue AND group_id = :group ORDER BY sequence LIMIT :count))
  WHERE all_visible_at <= :now ORDER BY sequence`;

/**
 * The first visible messages of each group of a standard queue, and the number of the group's messages in flight. It reads
 * only as many of each as one receive can return, so that a long backlog takes no longer than a short one.
 */
const waitingByGroup = `
  WITH RECURSIVE ${groups}, held (group_id, messages) AS (
    SELECT group_id, count(*) FROM messages WHERE queue = :queue AND receipt IS NOT NULL AND visible_at > :now
    GROUP BY group_id
  )
  SELECT message.sequence, message.group_id, message.visible_at, coalesce(held.messages, 0) AS in_flight
  FROM groups LEFT JOIN held USING (group_id) JOIN messages AS message ON message.sequence IN (
    SELECT sequence FROM messages WHERE queue = :queue AND group_id IS groups.group_id AND visible_at <= :now
    ORDER BY visible_at, sequence LIMIT :count)
  ORDER BY message.group_id, message.visible_at, message.sequence`;

const prepare = (db: DatabaseSync) => ({
  insert: db.prepare(`
    INSERT INTO messages (queue, message_id, body, attributes, group_id, deduplication_id, sent_at, visible_at,
      tenant)
    VALUES (:queue, :messageId, :body, :attributes, :groupId, :deduplicationId, :sentAt, :visibleAt, :tenant)`),
  waitingByGroup: db.prepare(waitingByGroup),
  bySequence: db.prepare(`SELECT ${columns} FROM messages WHERE sequence = :sequence`),
  anyOfGroup: db.prepare('SELECT 1 FROM messages WHERE queue = :queue AND group_id = :group LIMIT 1'),
  nextGroup: db.prepare(nextGroup),
  visibleOfGroup: db.prepare(visibleOfGroup),
  take: db.prepare(`
    UPDATE messages SET receipt = :receipt, visible_at = :visibleAt, receive_count = receive_count + 1,
      first_received_at = coalesce(first_received_at, :now) WHERE sequence = :sequence`),
  move: db.prepare(`
    UPDATE messages SET queue = :queue, receipt = NULL, visible_at = 0 WHERE sequence = :sequence`),
  held: db.prepare(
    'SELECT visible_at FROM messages WHERE sequence = :sequence AND queue = :queue AND receipt = :receipt',
  ),
  remove: db.prepare('DELETE FROM messages WHERE sequence = :sequence'),
  defer: db.prepare('UPDATE messages SET visible_at = :visibleAt WHERE sequence = :sequence'),
  nextVisible: db.prepare('SELECT min(visible_at) AS at FROM messages WHERE queue = :queue AND visible_at > :now'),
  depth: db.prepare(`
    SELECT count(*) FILTER (WHERE visible_at <= :now) AS visible,
      count(*) FILTER (WHERE visible_at > :now AND receipt IS NOT NULL) AS in_flight,
      count(*) FILTER (WHERE visible_at > :now AND receipt IS NULL) AS delayed
    FROM messages WHERE queue = :queue`),
  purge: db.prepare('DELETE FROM messages WHERE queue = :queue'),
  expire: db.prepare('DELETE FROM messages WHERE queue = :queue AND sent_at < :before'),
  duplicateOf: db.prepare(`
    SELECT message_id, sequence FROM deduplications WHERE queue = :queue AND id = :id AND expires_at > :now`),
  remember: db.prepare(`
    INSERT OR REPLACE INTO deduplications (queue, id, message_id, sequence, expires_at)
    VALUES (:queue, :id, :messageId, :sequence, :expiresAt)`),
  forget: db.prepare('DELETE FROM deduplications WHERE expires_at <= :now'),
  // The time of the last send.
  latest: db.prepare(`
    SELECT max((SELECT coalesce(max(sent_at), 0) FROM messages),
      (SELECT coalesce(max(expires_at), 0) FROM deduplications) - :deduplicationMs) AS at`),
  // Visible messages stay visible, and hidden ones keep their remaining time.
  setBackMessages: db.prepare(`
    UPDATE messages SET visible_at = min(visible_at, max(:now, visible_at - :stepMs)), sent_at = min(sent_at, :now)
    WHERE visible_at > :now OR sent_at > :now`),
  setBackDeduplications: db.prepare(`
    UPDATE deduplications SET expires_at = expires_at - :stepMs WHERE expires_at > :now`),
});

/** The message file with its statements. */
export interface MessageTable {
  readonly statements: ReturnType<typeof prepare>;
  /** Runs `work` in one transaction; a throw rolls it back. */
  readonly transaction: <Result>(work: () => Result) => Result;
  /** Writes a copy to a file that does not exist. */
  readonly copyTo: (file: string) => void;
  readonly close: () => void;
}

const openFile = (file: string): DatabaseSync => {
  const db = new DatabaseSync(file);
  try {
    db.exec(schema);
    db.exec(releaseInFlight);
    return db;
  } catch (error) {
    db.close();
    throw openError(file, error);
  }
};

/** Opens the file of all queues' messages and gives back what was in flight when the last process ended. */
export const openMessageTable = (file: string): MessageTable => {
  const db = openFile(file);
  return {
    statements: prepare(db),
    transaction: (work) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        // A full disk has ended the transaction already. The error to report is the first one.
        if (db.isTransaction) db.exec('ROLLBACK');
        throw error;
      }
    },
    copyTo: (file) => {
      db.prepare('VACUUM INTO ?').run(file);
    },
    close: () => {
      db.close();
    },
  };
};
