import { type PageRegion, unpackPassage } from '../kernel/passage.ts';
import { withDecimalPoints } from '../kernel/unsafe-integers.ts';
import type { FoundRow } from '#engine';
import type { ExportFormat } from './record.ts';

/** Model of the vectors in a file of rows; null if the file has no vectors. */
export type VectorModel = string | null;

/** A file of rows that is being written. */
export interface RowFile {
  add(rows: readonly FoundRow[]): void;
  /** Bytes so far. */
  bytes(): number;
  /** Returns the whole file. */
  finish(): Uint8Array;
}

export const mediaTypes: Readonly<Record<ExportFormat, string>> = {
  jsonl: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
};

/** Significant digits that identify every 32-bit float. */
const floatDigits = 9;

const vectorOf = ({ vector }: FoundRow, model: VectorModel) =>
  model === null
    ? {}
    : {
        vector: Array.from(vector ?? [], (number) => Number(number.toPrecision(floatDigits))),
        embedding_model: model,
      };

/** Returns the boxes of a row on its pages; nothing without any. */
export const regionsOf = ({ passage }: FoundRow): { readonly regions?: readonly PageRegion[] } => {
  const regions = unpackPassage(passage)?.regions ?? [];
  return regions.length === 0 ? {} : { regions };
};

const toLine = (row: FoundRow, model: VectorModel): string =>
  JSON.stringify({
    id: row.id,
    ...vectorOf(row, model),
    text: row.text,
    metadata: row.metadata,
    file:
      row.jobId === null
        ? null
        : {
            job_id: row.jobId,
            filename: row.filename,
            page_start: row.pageStart,
            page_end: row.pageEnd,
            ...regionsOf(row),
          },
    version: row.version ?? '',
    ...(row.expiresAt === undefined ? {} : { expires_at: new Date(row.expiresAt).toISOString() }),
  });

/** Opens a file of JSON Lines, each as `GET …/vectors` returns a row, with the model of its vector. */
export const jsonLinesFile = (model: VectorModel): RowFile => {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add: (rows) => {
      for (const row of rows) {
        const line = Buffer.from(`${withDecimalPoints(toLine(row, model))}\n`);
        chunks.push(line);
        size += line.length;
      }
    },
    bytes: () => size,
    finish: () => Buffer.concat(chunks),
  };
};
