import type { TableState } from '../../../../shared/platform/engine/port.ts';

/** Fragments of a table from which maintenance is due. */
const maintainAtFragments = 20;

/**
 * Returns the maximum fresh rows with texts. A text query reads each of them again, in about 0.1 ms for a chunk of a file. The
 * limit is a tenth of a small table, so that a table that grows row by row is not maintained with each. It is a hundredth of
 * a large table, because each run adds a segment that slows searches. ADR 29 has the measurements.
 */
const freshTextsOf = (rows: number): number => Math.max(50, Math.min(500, rows * 0.1), rows * 0.01);

/** Maximum numbers of fresh vectors and maximum fresh rows of a filter, each processed in about 3 ms. */
const freshFloats = 1_500_000;
const mostFreshRows = 5_000;

/** Rows up to which maintenance of a table takes no longer than a commit. */
const smallTableRows = 1_000;

/**
 * Returns the maximum fresh rows with texts during writes. With a table in an object store, each maintenance blocks the log for
 * two seconds, so that a bulk load has one for each 5,000 rows.
 */
const freshTextsWhileWritten = (rows: number): number => (rows > smallTableRows ? mostFreshRows : 0);

/**
 * Factor of the limit for fresh vectors during writes, and share of the table. Each maintenance processes all of them and
 * adds a segment, and eight segments cause a rebuild of the index.
 */
const moreWhileWritten = 4;
const shareWhileWritten = 0.2;

/**
 * Returns when maintenance is due: now, when writes pause, or not yet. It is due if fresh rows slow searches more than
 * maintenance would slow writes.
 */
export const maintenanceDue = (
  { rows, sparseBytes, fragments, unindexedRows }: Omit<TableState, 'version'>,
  dimensions: number,
): 'now' | 'when quiet' | 'not yet' => {
  if (fragments >= maintainAtFragments) return 'now';
  const texts = freshTextsOf(rows);
  // Without texts, fresh rows slow only dense searches and filters.
  const vectors = sparseBytes > 0 ? 0 : Math.min(mostFreshRows, freshFloats / dimensions);
  const whileWritten =
    sparseBytes > 0 ? freshTextsWhileWritten(rows) : Math.min(vectors * moreWhileWritten, rows * shareWhileWritten);
  if (unindexedRows >= Math.max(texts, vectors, whileWritten)) return 'now';
  return unindexedRows >= Math.max(texts, vectors) ? 'when quiet' : 'not yet';
};
