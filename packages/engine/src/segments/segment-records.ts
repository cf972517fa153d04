import type { FoundRow } from '../port.ts';
import { compress, decompress } from './segment-format.ts';

/** Bytes of records from which a block is complete. A block is read as a whole. */
const blockBytes = 32 * 1_024;

/** Properties of a row besides its keys and its vector. */
export type RowRecord = Pick<FoundRow, 'text' | 'metadata' | 'filename' | 'pageStart' | 'pageEnd' | 'passage'>;

export const encodeRecord = ({ text, metadata, filename, pageStart, pageEnd, passage }: RowRecord): string =>
  JSON.stringify([
    text?.toWellFormed() ?? null,
    metadata,
    filename,
    pageStart,
    pageEnd,
    ...(passage === undefined ? [] : [passage]),
  ]);

/** Properties in the order of their JSON. */
type Fields = readonly [
  RowRecord['text'],
  RowRecord['metadata'],
  RowRecord['filename'],
  number | null,
  number | null,
  string?,
];

const recordOf = ([text, metadata, filename, pageStart, pageEnd, passage]: Fields): RowRecord => ({
  text,
  metadata,
  filename,
  pageStart,
  pageEnd,
  ...(passage === undefined ? {} : { passage }),
});

export const decodeBlock = (block: Buffer): readonly RowRecord[] =>
  // Cast: `RecordBlocks` wrote it.
  (JSON.parse(decompress(block).toString()) as readonly Fields[]).map(recordOf);

/** Some records, compressed together. */
export interface RecordBlock {
  readonly rows: number;
  readonly bytes: Buffer;
}

/** Collects records in blocks. */
export class RecordBlocks {
  readonly #blocks: RecordBlock[] = [];
  #open: string[] = [];
  #openBytes = 0;

  #close(): void {
    if (this.#open.length === 0) return;
    this.#blocks.push({ rows: this.#open.length, bytes: compress(Buffer.from(`[${this.#open.join(',')}]`)) });
    [this.#open, this.#openBytes] = [[], 0];
  }

  add(record: string): void {
    this.#open.push(record);
    this.#openBytes += record.length;
    if (this.#openBytes >= blockBytes) this.#close();
  }

  /** Adds a block as it is. */
  addBlock(block: RecordBlock): void {
    this.#close();
    this.#blocks.push(block);
  }

  /** Returns all blocks. */
  finish(): readonly RecordBlock[] {
    this.#close();
    return this.#blocks;
  }
}
