import type { FoundRow } from '../platform/engine/port.ts';
import type { ExportFormat } from './record.ts';

/** Exported row with its vector. */
export type ExportedRow = FoundRow & { readonly vector: Float32Array };

/** A file of rows that is being written. */
export interface RowFile {
  add(rows: readonly ExportedRow[]): void;
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

const toLine = (row: ExportedRow): string =>
  JSON.stringify({
    id: row.id,
    vector: Array.from(row.vector, (number) => Number(number.toPrecision(floatDigits))),
    text: row.text,
    metadata: row.metadata,
    file:
      row.jobId === null
        ? null
        : { job_id: row.jobId, filename: row.filename, page_start: row.pageStart, page_end: row.pageEnd },
    version: row.version ?? '',
  });

/** Opens a file of JSON Lines, each as `GET …/vectors` returns a row. */
export const jsonLinesFile = (): RowFile => {
  const chunks: Buffer[] = [];
  let size = 0;
  return {
    add: (rows) => {
      for (const row of rows) {
        const line = Buffer.from(`${toLine(row)}\n`);
        chunks.push(line);
        size += line.length;
      }
    },
    bytes: () => size,
    finish: () => Buffer.concat(chunks),
  };
};
