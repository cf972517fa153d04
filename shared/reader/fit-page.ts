import { defaultEngine, engines, type FoundRow, type IndexRef } from '#engine';

/** Maximum bytes of a page's rows. The response of a function is limited to 6 MiB, and the rows are escaped in it. */
const pageBytes = 5 * 1024 * 1024;

/** Minimum and maximum bytes of a vector's number in a response, with its comma; few numbers take less or more. */
const [minNumberBytes, maxNumberBytes] = [8, 24];

/** Maximum rows whose vectors may fit into a response, or that fit in any case if a page cannot be cut. */
export const maxRowsWithVectors = ({
  dimensions,
  engine = defaultEngine,
}: Pick<IndexRef, 'dimensions' | 'engine'>): number =>
  Math.max(1, Math.ceil(pageBytes / (dimensions * (engines[engine].listsById ? minNumberBytes : maxNumberBytes))));

/** Returns the bytes of a row in a response, which contains its vector as numbers. */
const bytesOf = ({ vector, ...row }: FoundRow): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(row))) + (vector === null ? 0 : JSON.stringify([...vector]).length);

/**
 * Returns as many rows of a page as fit into a response, at least one, with the id after which the next page begins.
 */
export const fitPage = (
  rows: readonly FoundRow[],
  next: string | null,
): { readonly rows: readonly FoundRow[]; readonly next: string | null } => {
  let bytes = 0;
  const end = rows.findIndex((row, at) => {
    bytes += bytesOf(row);
    return at > 0 && bytes > pageBytes;
  });
  return end < 0 ? { rows, next } : { rows: rows.slice(0, end), next: rows[end - 1]?.id ?? null };
};
