/**
 * Requests of operations as `npm run bench:aws` counts them, on an index of 20,000 rows of 384 dimensions, and the time
 * that its caller waits. Update the figures here from its table, then run `npm run cost`.
 */
export const counted = {
  date: '2026-11-26',
  command: 'npm run bench:aws -- --rows 20000',
  rows: 20_000,
  dimensions: 384,
} as const;

/** Measured requests and time of one operation. */
export interface Counted {
  readonly get: number;
  readonly put: number;
  /** Milliseconds until the caller has the response, S3 at 20 ms a request. */
  readonly ms: number;
}

/** Before the changes of ADR 53 and ADR 57, and after them. */
interface Comparison {
  readonly before: Counted;
  readonly after: Counted;
}

export const operations = {
  'dense search, warm': { before: { get: 54, put: 0, ms: 271 }, after: { get: 0, put: 0, ms: 26 } },
  'dense search, after a commit': { before: { get: 94, put: 0, ms: 397 }, after: { get: 3, put: 0, ms: 108 } },
  'dense search, cold': { before: { get: 137, put: 0, ms: 1_666 }, after: { get: 43, put: 0, ms: 1_027 } },
  'sparse search, warm': { before: { get: 55, put: 0, ms: 113 }, after: { get: 0, put: 0, ms: 38 } },
  'sparse search, after a commit': { before: { get: 68, put: 0, ms: 194 }, after: { get: 3, put: 0, ms: 139 } },
  'sparse search, cold': { before: { get: 269, put: 0, ms: 2_146 }, after: { get: 27, put: 0, ms: 990 } },
  'hybrid search, warm': { before: { get: 194, put: 0, ms: 346 }, after: { get: 0, put: 0, ms: 195 } },
  'hybrid search, after a commit': { before: { get: 365, put: 0, ms: 531 }, after: { get: 3, put: 0, ms: 277 } },
  'hybrid search, cold': { before: { get: 503, put: 0, ms: 2_856 }, after: { get: 66, put: 0, ms: 1_507 } },
  'one-row upsert': { before: { get: 9, put: 4, ms: 473 }, after: { get: 0, put: 4, ms: 232 } },
  'batch upsert': { before: { get: 1_125, put: 19, ms: 1_344 }, after: { get: 2, put: 5, ms: 550 } },
} as const satisfies Readonly<Record<string, Comparison>>;

export type CountedOperation = keyof typeof operations;

/** A bulk load of all rows in batches of 1,000, with its maintenance and the builds of its indexes. */
export const bulkLoad = {
  before: { get: 13_162, put: 274, ms: 195_187 },
  after: { get: 84, put: 212, ms: 16_688 },
} as const satisfies Comparison;

/**
 * A PDF of ten pages of text with 35 chunks, from the upload until it is searchable, without maintenance: the third of
 * three files, in the same shape of AWS. Requests of the callers that look for its state are left out.
 */
export const file = {
  pages: 10,
  get: 10,
  /** PUT and LIST, and the upload itself. */
  put: 9,
  reads: 35,
  writes: 32,
  /** Sending, receiving and deleting of four messages, and the two latter for the notification of the upload. */
  queueRequests: 14,
  /** Milliseconds from the first to the last request of each function. */
  functions: { 'create-file': 97, plan: 351, 'file-task': 363, 'index-writer': 629, relay: 957 },
} as const;
