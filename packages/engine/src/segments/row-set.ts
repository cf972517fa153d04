import { hash, randomBytes } from 'node:crypto';
import { DamagedIndex } from '../damaged-index.ts';

/*
 * Set of the rows of a table, by which a writer knows without a look into the table which ids it has. It begins with a salt
 * and the number of rows. For each row follow the hash of its id, the hash of the row, the bytes of its text, and its number
 * of terms, in order of the first hash. The salt makes collisions of 64 bits as improbable for chosen ids as for others.
 */

/** Properties of a row that a set contains. */
export interface RowFacts {
  /** Hash of id and version. */
  readonly rowHash: bigint;
  readonly textBytes: number;
  /** Terms of its text. */
  readonly terms: number;
}

/** A row that a set gets. */
export interface SetRow extends Omit<RowFacts, 'rowHash'> {
  readonly id: string;
  readonly version: string;
}

const saltBytes = 16;
const headBytes = saltBytes + 4;
const entryBytes = 8 + 8 + 4 + 4;

const hash64 = (text: string): bigint => hash('sha256', text, 'buffer').readBigUInt64LE();

/** Returns the hash of a row in one version. A set of rows has the sum of theirs as its checksum. */
export const rowHashOf = (id: string, version: string): bigint => hash64(`${id}\0${version}`);

const bits = 64;

/** Adds to a checksum, which is a number of 64 bits in hexadecimal digits. */
export const addToChecksum = (checksum: string, change: bigint): string =>
  BigInt.asUintN(bits, BigInt(`0x${checksum}`) + change).toString(16);

export const emptyChecksum = '0';

/** A row with the hash of its id. */
interface Entry extends RowFacts {
  readonly idHash: bigint;
}

const compareHashes = (one: Entry, other: Entry): number => (one.idHash < other.idHash ? -1 : 1);

export class RowSet {
  readonly #bytes: Buffer;
  readonly #salt: string;
  readonly size: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#salt = bytes.toString('hex', 0, saltBytes);
    this.size = bytes.readUInt32LE(saltBytes);
    if (bytes.length !== headBytes + this.size * entryBytes) throw new DamagedIndex('a set of rows is damaged');
  }

  #hashAt(position: number): bigint {
    return this.#bytes.readBigUInt64LE(headBytes + position * entryBytes);
  }

  #entryAt(position: number): Entry {
    const at = headBytes + position * entryBytes;
    return {
      idHash: this.#hashAt(position),
      rowHash: this.#bytes.readBigUInt64LE(at + 8),
      textBytes: this.#bytes.readUInt32LE(at + 16),
      terms: this.#bytes.readUInt32LE(at + 20),
    };
  }

  #hashOf(id: string): bigint {
    return hash64(`${this.#salt}${id}`);
  }

  /** Returns the properties of a row. Null: there is none with this id. */
  find(id: string): RowFacts | null {
    const wanted = this.#hashOf(id);
    let [low, high] = [0, this.size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.#hashAt(middle);
      if (found === wanted) return this.#entryAt(middle);
      if (found < wanted) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  /** Encodes the set after some ids were removed, and then some rows added. */
  after(removed: Iterable<string>, added: Iterable<SetRow>): Buffer {
    const gone = new Set(Array.from(removed, (id) => this.#hashOf(id)));
    const fresh = new Map(
      Array.from(added, ({ id, version, textBytes, terms }) => {
        const idHash = this.#hashOf(id);
        return [idHash, { idHash, rowHash: rowHashOf(id, version), textBytes, terms }] as const;
      }),
    );
    const entries: Entry[] = [];
    for (let position = 0; position < this.size; position += 1) {
      const entry = this.#entryAt(position);
      if (!gone.has(entry.idHash) && !fresh.has(entry.idHash)) entries.push(entry);
    }
    return encode(this.#bytes.subarray(0, saltBytes), [...entries, ...fresh.values()].toSorted(compareHashes));
  }

  /** Returns the sums over all rows. */
  totals(): { readonly texts: number; readonly terms: number; readonly checksum: string } {
    let [texts, terms, sum] = [0, 0, 0n];
    for (let position = 0; position < this.size; position += 1) {
      const entry = this.#entryAt(position);
      texts += entry.terms > 0 ? 1 : 0;
      terms += entry.terms;
      sum += entry.rowHash;
    }
    return { texts, terms, checksum: addToChecksum(emptyChecksum, sum) };
  }
}

const encode = (salt: Buffer, entries: readonly Entry[]): Buffer => {
  const bytes = Buffer.alloc(headBytes + entries.length * entryBytes);
  salt.copy(bytes);
  bytes.writeUInt32LE(entries.length, saltBytes);
  let at = headBytes;
  for (const { idHash, rowHash, textBytes, terms } of entries) {
    bytes.writeBigUInt64LE(idHash, at);
    bytes.writeBigUInt64LE(rowHash, at + 8);
    bytes.writeUInt32LE(textBytes, at + 16);
    bytes.writeUInt32LE(terms, at + 20);
    at += entryBytes;
  }
  return bytes;
};

/** Returns an empty set with a salt of its own. */
export const emptyRowSet = (): RowSet => new RowSet(encode(randomBytes(saltBytes), []));
