import { compress, decompress } from './segment-format.ts';

/** Properties of rows that a segment lists apart from their records. */
export interface RowKeys {
  readonly ids: readonly string[];
  readonly versions: readonly string[];
  readonly jobs: readonly (string | null)[];
  readonly textBytes: readonly number[];
}

/** Start of a block of records: its first row, and its offset in the section. */
export type BlockStart = readonly [row: number, at: number];

/** Values that repeat, each once, and the number of that of each row. */
interface Repeated<Value> {
  readonly values: readonly Value[];
  readonly at: readonly number[];
}

interface Encoded {
  readonly ids: readonly string[];
  readonly versions: Repeated<string>;
  readonly jobs: Repeated<string | null>;
  readonly textBytes: readonly number[];
  readonly blocks: readonly BlockStart[];
}

const repeated = <Value>(all: readonly Value[]): Repeated<Value> => {
  const numbers = new Map<Value, number>();
  const at = all.map((value) => {
    const number = numbers.get(value) ?? numbers.size;
    numbers.set(value, number);
    return number;
  });
  return { values: [...numbers.keys()], at };
};

const spread = <Value>({ values, at }: Repeated<Value>): readonly Value[] =>
  // Cast: `repeated` numbered them.
  at.map((number) => values[number] as Value);

export const encodeKeys = ({ ids, versions, jobs, textBytes }: RowKeys, blocks: readonly BlockStart[]): Buffer => {
  const encoded: Encoded = { ids, versions: repeated(versions), jobs: repeated(jobs), textBytes, blocks };
  return compress(Buffer.from(JSON.stringify(encoded)));
};

/** Keys of a segment, with the rows that they name. */
export interface SegmentKeys extends RowKeys {
  readonly blocks: readonly BlockStart[];
  readonly rowOf: ReadonlyMap<string, number>;
}

export const decodeKeys = (section: Buffer): SegmentKeys => {
  // Cast: `encodeKeys` made it.
  const { ids, versions, jobs, textBytes, blocks } = JSON.parse(decompress(section).toString()) as Encoded;
  return {
    ids,
    versions: spread(versions),
    jobs: spread(jobs),
    textBytes,
    blocks,
    rowOf: new Map(ids.map((id, row) => [id, row])),
  };
};

export const encodeRemoved = (ids: Iterable<string>): Buffer => compress(Buffer.from(JSON.stringify([...ids])));

export const decodeRemoved = (section: Buffer): ReadonlySet<string> =>
  // Cast: `encodeRemoved` made it.
  new Set(JSON.parse(decompress(section).toString()) as readonly string[]);
