import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { loadPackage } from '../data/install.ts';
import { batchesOf, type Peer, secondsSince } from './peer.ts';

interface SqliteVec {
  load(database: DatabaseSync): void;
}

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

/** sqlite-vec in this process: a table on disk that compares every row. */
export const sqliteVec = (cacheDirectory: string): Peer => ({
  name: 'sqlite-vec',
  title: 'sqlite-vec',
  reached: 'in process',
  load: async ({ base }, directory) => {
    // Cast: the package has no types that this loader could see.
    const vec = (await loadPackage(cacheDirectory, 'sqlite-vec')) as SqliteVec;
    const database = new DatabaseSync(join(directory, 'sqlite-vec.db'), { allowExtension: true });
    vec.load(database);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`CREATE VIRTUAL TABLE rows USING vec0(vector float[${base.dimensions}] distance_metric=cosine)`);
    const insert = database.prepare('INSERT INTO rows (rowid, vector) VALUES (?, ?)');
    const startedMs = performance.now();
    for (const [from, to] of batchesOf(base.count)) {
      database.exec('BEGIN');
      for (let row = from; row < to; row += 1) insert.run(BigInt(row), bytesOf(base.at(row)));
      database.exec('COMMIT');
    }
    const loadSeconds = secondsSince(startedMs);
    const nearest = database.prepare('SELECT rowid FROM rows WHERE vector MATCH ? AND k = ? ORDER BY distance');
    return {
      loadSeconds,
      readySeconds: loadSeconds,
      search: (query, topK) => nearest.all(bytesOf(query), topK).map((row) => Number(row['rowid'])),
      lookCloser: () => false,
      close: async () => database.close(),
    };
  },
});
