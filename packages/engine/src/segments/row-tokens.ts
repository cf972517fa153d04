import { InvertedLists, type KeyedOccurrences, encodeLists } from './inverted-lists.ts';
import { compress, decompress } from './segment-format.ts';

/** Rows with a single number at one key, ascending, and the numbers. */
export interface NumberList {
  readonly rows: number[];
  readonly values: number[];
}

/** Tokens of the metadata of rows, by which filters match. */
export interface RowTokens {
  readonly lists: InvertedLists;
  /** By the token of their key. */
  readonly numbers: ReadonlyMap<string, NumberList>;
}

/** Encodes tokens: the lists, the number of bytes and the JSON of `[key, rows]`, and for each key its rows and values. */
export const encodeTokens = (tokens: KeyedOccurrences, numbers: ReadonlyMap<string, NumberList>): Buffer => {
  const names = Buffer.from(JSON.stringify(Array.from(numbers, ([key, { rows }]) => [key, rows.length])));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(names.length);
  const lists = [...numbers.values()].flatMap(({ rows, values }) => [
    Buffer.from(Uint32Array.from(rows).buffer),
    Buffer.from(Float64Array.from(values).buffer),
  ]);
  return compress(Buffer.concat([encodeLists(tokens).lists, size, names, ...lists]));
};

export const decodeTokens = (section: Buffer): RowTokens => {
  const bytes = decompress(section);
  const lists = new InvertedLists(bytes);
  let at = lists.end;
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const nameBytes = take(4).readUInt32LE();
  // Cast: `encodeTokens` made it.
  const names = JSON.parse(take(nameBytes).toString()) as readonly (readonly [string, number])[];
  const numbers = names.map(([key, count]): readonly [string, NumberList] => {
    const [rows, values] = [take(count * 4), take(count * 8)];
    return [
      key,
      {
        rows: Array.from({ length: count }, (_, n) => rows.readUInt32LE(n * 4)),
        values: Array.from({ length: count }, (_, n) => values.readDoubleLE(n * 8)),
      },
    ];
  });
  return { lists, numbers: new Map(numbers) };
};
