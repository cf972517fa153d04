import { decodeVector, type WireFoundRow } from '../indexes/index.ts';

/** What the rows of a page may take of the 6 MiB that a function's answer can have, escaped as they are on their way. */
const pageBytes = 5 * 1024 * 1024;

/** Of a vector's number in an answer, with its comma; hardly any takes less. */
const leastNumberBytes = 8;

/** Rows of which an answer has no room for the vectors of more. */
export const mostWithVectors = (dimensions: number): number =>
  Math.max(1, Math.ceil(pageBytes / (dimensions * leastNumberBytes)));

/** Numbers leave the service as such, which takes more than their base64. */
const bytesOf = ({ vector, ...row }: WireFoundRow): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(row))) +
  (vector === null ? 0 : JSON.stringify([...decodeVector(vector)]).length);

/** As many rows of a page as an answer has room for, at least one, with the id that the next page begins after. */
export const fitPage = (
  rows: readonly WireFoundRow[],
  next: string | null,
): { readonly rows: readonly WireFoundRow[]; readonly next: string | null } => {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += bytesOf(row);
    return at > 0 && bytes > pageBytes;
  });
  return end < 0 ? { rows, next } : { rows: rows.slice(0, end), next: rows[end - 1]?.id ?? null };
};
