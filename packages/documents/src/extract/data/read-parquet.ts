import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type Compressors, type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { digestCut, openUnits, type FormatReader } from '../format.ts';
import { packParts, unpackParts } from '../pack-parts.ts';
import { unsafeInteger } from '../../../../../shared/kernel/unsafe-integers.ts';
import { UnreadableFile } from '../port.ts';
import { parseJsonLine } from './detect-vector-lines.ts';
import { cutUnits, readRows } from './read-vector-lines.ts';

/** Rows that are decoded at once. */
const rowsAtOnce = 500;

const columns: ReadonlySet<string> = new Set([
  'id',
  'vector',
  'embedding_model',
  'text',
  'metadata',
  'version',
  'job_id',
  'filename',
  'page_start',
  'page_end',
  'regions',
  'expires_at',
]);

const bounded =
  (decompress: (input: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array) =>
  (input: Uint8Array, maxOutputLength: number): Uint8Array =>
    decompress(input, { maxOutputLength });

/** Snappy is part of the library. */
const compressors: Compressors = {
  GZIP: bounded(gunzipSync),
  ZSTD: bounded(zstdDecompressSync),
  BROTLI: bounded(brotliDecompressSync),
};

/** Returns the names of the columns. The children of a column follow it, each with its own. */
const namesOf = ({ schema: [root, ...elements] }: FileMetaData): readonly string[] => {
  const names: string[] = [];
  let at = 0;
  for (let left = root?.num_children ?? 0; left > 0; left -= 1) {
    names.push(elements[at]?.name ?? '');
    for (let open = 1; open > 0; open -= 1) {
      open += elements[at]?.num_children ?? 0;
      at += 1;
    }
  }
  return names;
};

const requireColumns = (names: readonly string[]): void => {
  const unknown = names.find((name) => !columns.has(name));
  if (unknown !== undefined)
    throw new UnreadableFile(
      `The Parquet file has the column '${unknown.slice(0, 100)}'. Rows have the columns id, vector, text and metadata`,
    );
  if (!names.includes('id') || !(names.includes('vector') || names.includes('text')))
    throw new UnreadableFile('The Parquet file needs the column id, and vector or text');
};

/** 64-bit integers, which JSON does not have. Throws for one that a number does not keep. */
const toNumber = (_: string, value: unknown): unknown => {
  if (typeof value !== 'bigint') return value;
  if (!Number.isSafeInteger(Number(value))) throw new UnreadableFile(`The Parquet file: ${unsafeInteger(`${value}`)}`);
  return Number(value);
};

/** Returns a vector as base64. Anything but a list of numbers is returned as it is, to be refused with the row. */
const toVector = (value: unknown): unknown => {
  if (!Array.isArray(value) || !value.every((number) => typeof number === 'number')) return value ?? null;
  return Buffer.from(Float32Array.from(value).buffer).toString('base64');
};

/** Returns a row as the line of JSON that an export has for it. */
const toLine = (row: Readonly<Record<string, unknown>>): string => {
  const { id, vector, embedding_model, text = null, metadata = null, filename, page_start, page_end, expires_at } = row;
  const regions = typeof row['regions'] === 'string' ? parseJsonLine(row['regions']) : undefined;
  const file = { filename, page_start, page_end, regions };
  const rest = JSON.stringify(
    { id, vector: toVector(vector), embedding_model, text, file, version: '', expires_at },
    toNumber,
  );
  // JSON text is taken as it is, so that numbers and names stay. Any other text is no object and is refused with the row.
  const isJsonText = typeof metadata === 'string' && parseJsonLine(metadata) !== undefined;
  return `{"metadata":${isJsonText ? metadata : JSON.stringify(metadata, toNumber)},${rest.slice(1)}`;
};

/** Reads Parquet files of rows with ids, such as those of an export, like JSON Lines. */
export const readParquet: FormatReader = async ({ bytes, maySupplyRows, ignoresVectors = false }) => {
  if (!maySupplyRows) throw new UnreadableFile('Parquet is read from uploads and imports only');
  // A copy, because the bytes may be a view of a larger buffer.
  const file = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(file);
  requireColumns(namesOf(metadata));
  const total = Number(metadata.num_rows);
  const lines: string[] = [];
  for (let rowStart = 0; rowStart < total; rowStart += rowsAtOnce) {
    const range = { rowStart, rowEnd: Math.min(total, rowStart + rowsAtOnce) };
    for (const row of await parquetReadObjects({ file, metadata, compressors, ...range })) lines.push(toLine(row));
  }
  const units = cutUnits(lines, ignoresVectors);
  const packed = units.map(({ start, end }) =>
    packParts(readRows(lines.slice(start, end), { first: start + 1, ignoresVectors })),
  );
  return {
    ...openUnits(units.map(() => [])),
    cut: digestCut(units.map(({ rows }) => rows)),
    packed,
    read: async ({ start, end }) => packed.slice(start - 1, end).flatMap(unpackParts),
  };
};
