import type { TableState } from '../../../../shared/platform/engine/port.ts';

/** Commits after which the table is brought up to date in the background. */
const maintainAtFragments = 20;

/**
 * Fresh rows that searches are left with: a text query reads each of them anew, about 0.1 ms for a chunk of a file. A tenth
 * of a small table, so that one that grows row by row is not maintained with each; a hundredth of a large one, because
 * each run leaves a segment that slows searches. ADR 29 has the measurements.
 */
const freshTextsOf = (rows: number): number => Math.max(50, Math.min(500, rows * 0.1), rows * 0.01);

/** Numbers of fresh vectors that a dense search compares in about 3 ms, and rows that a filter is held against in as long. */
const freshFloats = 1_500_000;
const mostFreshRows = 5_000;

/** Rows up to which a table is small: maintaining it takes no longer than a commit. */
const smallTableRows = 1_000;

/**
 * Fresh rows with texts that a table may have while rows are being written. Each run of maintenance holds up the log for
 * two seconds where the table lies in an object store, so that a bulk load has one for each 5,000 rows.
 */
const freshTextsWhileWritten = (rows: number): number => (rows > smallTableRows ? mostFreshRows : 0);

/**
 * How much more of them, and what share of the table, may come together while rows are being written: each run of
 * maintenance turns all of them, and leaves a segment, of which eight make the index be built anew.
 */
const moreWhileWritten = 4;
const shareWhileWritten = 0.2;

/**
 * When searches suffer more from what maintenance has not seen yet than writes would from maintenance: now, once nobody
 * writes any more, or not yet.
 */
export const maintenanceDue = (
  { rows, sparseBytes, fragments, unindexedRows }: Omit<TableState, 'version'>,
  dimensions: number,
): 'now' | 'in peace' | 'not yet' => {
  if (fragments >= maintainAtFragments) return 'now';
  const texts = freshTextsOf(rows);
  // Where no row has a text, dense searches and filters alone suffer.
  const vectors = sparseBytes > 0 ? 0 : Math.min(mostFreshRows, freshFloats / dimensions);
  const whileWritten =
    sparseBytes > 0 ? freshTextsWhileWritten(rows) : Math.min(vectors * moreWhileWritten, rows * shareWhileWritten);
  if (unindexedRows >= Math.max(texts, vectors, whileWritten)) return 'now';
  return unindexedRows >= Math.max(texts, vectors) ? 'in peace' : 'not yet';
};
