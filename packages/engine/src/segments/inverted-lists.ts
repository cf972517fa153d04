/*
 * Inverted lists of a segment: for each key the rows that contain it. They are encoded once and searched in place.
 *
 * Lists: four numbers (lengths, keys, bytes of keys, bytes of lists), the lengths of rows, the ends of keys and of lists, the
 * keys in order, and the lists. A list has for each row its distance from the previous one, doubled, plus 1 if the key
 * occurs once; else the count follows. Positions: the ends, and for each row the distances between positions.
 * All integers are little-endian; those of lists and positions have 7 bits a byte.
 */

/** Occurrences of one key: rows in ascending order, and the positions of all rows one after the other. */
export interface Occurrences {
  readonly rows: number[];
  readonly counts: number[];
  readonly positions: number[];
}

export type KeyedOccurrences = Map<string, Occurrences>;

/** Returns the occurrences of a key, to which rows may be added. */
export const occurrencesOf = (all: KeyedOccurrences, key: string): Occurrences => {
  const known = all.get(key);
  if (known !== undefined) return known;
  const added: Occurrences = { rows: [], counts: [], positions: [] };
  all.set(key, added);
  return added;
};

/** Growing buffer of integers with 7 bits a byte. */
class IntegerWriter {
  #bytes = Buffer.allocUnsafe(4_096);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(integer: number): void {
    if (this.#length + 5 > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], this.#bytes.length * 2);
    let rest = integer;
    for (; rest >= 128; rest >>>= 7) this.#bytes[this.#length++] = (rest & 127) | 128;
    this.#bytes[this.#length++] = rest;
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }
}

/** Reads integers with 7 bits a byte, one after the other. */
class IntegerReader {
  readonly #bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  next(): number {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = this.#bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128) return value >>> 0;
      shift += 7;
    }
  }
}

const uint32Bytes = 4;

const encodeNumbers = (numbers: ArrayLike<number>): Buffer => Buffer.from(Uint32Array.from(numbers).buffer);

/** Returns a copy, because the bytes may begin anywhere. */
const decodeNumbers = (bytes: Buffer, at: number, count: number): Uint32Array => {
  const from = bytes.byteOffset + at;
  return new Uint32Array(bytes.buffer.slice(from, from + count * uint32Bytes));
};

const writeList = ({ rows, counts }: Occurrences, lists: IntegerWriter): void => {
  let last = 0;
  for (const [at, row] of rows.entries()) {
    const count = counts[at] ?? 1;
    lists.add(((row - last) << 1) | (count === 1 ? 1 : 0));
    if (count !== 1) lists.add(count);
    last = row;
  }
};

const writePositions = ({ counts, positions }: Occurrences, places: IntegerWriter): void => {
  if (positions.length === 0) return;
  let at = 0;
  for (const count of counts) {
    let last = 0;
    for (const end = at + count; at < end; at += 1) {
      const position = positions[at] ?? 0;
      places.add(position - last);
      last = position;
    }
  }
};

/** Encodes occurrences. @param lengths Number of terms of each row, or none. */
export const encodeLists = (
  all: KeyedOccurrences,
  lengths: ArrayLike<number> = [],
): { readonly lists: Buffer; readonly positions: Buffer } => {
  const [lists, places] = [new IntegerWriter(), new IntegerWriter()];
  const [keyEnds, listEnds, placeEnds] = [[0], [0], [0]];
  const keys: Buffer[] = [];
  let keyBytes = 0;
  for (const [key, occurrences] of [...all].toSorted(([one], [other]) => (one < other ? -1 : 1))) {
    writeList(occurrences, lists);
    writePositions(occurrences, places);
    const bytes = Buffer.from(key);
    keys.push(bytes);
    keyBytes += bytes.length;
    keyEnds.push(keyBytes);
    listEnds.push(lists.length);
    placeEnds.push(places.length);
  }
  const head = encodeNumbers([lengths.length, keys.length, keyBytes, lists.length]);
  const numbers = [lengths, keyEnds, listEnds].map(encodeNumbers);
  return {
    lists: Buffer.concat([head, ...numbers, ...keys, lists.written()]),
    positions: Buffer.concat([encodeNumbers(placeEnds), places.written()]),
  };
};

/** Rows with a key, and its number of occurrences in each. */
export interface KeyRows {
  readonly rows: readonly number[];
  readonly counts: readonly number[];
}

/** Encoded lists. A key is named by its number in the order of keys. */
export class InvertedLists {
  /** Number of terms of each row. */
  readonly lengths: Uint32Array;
  /** Number of keys. */
  readonly size: number;
  readonly #bytes: Buffer;
  readonly #keyEnds: Uint32Array;
  readonly #listEnds: Uint32Array;
  readonly #keysAt: number;
  readonly #listsAt: number;
  /** Length of the encoded lists. */
  readonly end: number;

  constructor(bytes: Buffer) {
    const [lengths = 0, size = 0, keyBytes = 0, listBytes = 0] = decodeNumbers(bytes, 0, 4);
    let at = 4 * uint32Bytes;
    const numbers = (count: number): Uint32Array => {
      const from = at;
      at += count * uint32Bytes;
      return decodeNumbers(bytes, from, count);
    };
    this.lengths = numbers(lengths);
    this.#keyEnds = numbers(size + 1);
    this.#listEnds = numbers(size + 1);
    this.#bytes = bytes;
    this.#keysAt = at;
    this.#listsAt = at + keyBytes;
    this.end = this.#listsAt + listBytes;
    this.size = size;
  }

  keyAt(number: number): string {
    const from = this.#keysAt + (this.#keyEnds[number] ?? 0);
    return this.#bytes.toString('utf8', from, this.#keysAt + (this.#keyEnds[number + 1] ?? 0));
  }

  /** Returns the number of a key. -1: no row has it. */
  find(key: string): number {
    let [low, high] = [0, this.size - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.keyAt(middle);
      if (found === key) return middle;
      if (found < key) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  rowsOf(number: number): KeyRows {
    const reader = new IntegerReader(this.#bytes, this.#listsAt + (this.#listEnds[number] ?? 0));
    const end = this.#listsAt + (this.#listEnds[number + 1] ?? 0);
    const [rows, counts]: [number[], number[]] = [[], []];
    let row = 0;
    while (reader.at < end) {
      const value = reader.next();
      row += value >>> 1;
      rows.push(row);
      counts.push((value & 1) === 1 ? 1 : reader.next());
    }
    return { rows, counts };
  }

  /** Returns the positions in each row of a list, in its order. @param encoded Section of positions. */
  positionsOf(number: number, { counts }: KeyRows, encoded: Buffer): readonly (readonly number[])[] {
    const from = (this.size + 1) * uint32Bytes + encoded.readUInt32LE(number * uint32Bytes);
    const reader = new IntegerReader(encoded, from);
    return counts.map((count) => {
      let position = 0;
      return Array.from({ length: count }, () => (position += reader.next()));
    });
  }
}
