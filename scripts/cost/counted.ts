/**
 * Requests of operations as `npm run bench:aws` counts them, on an index of 20,000 rows of 384 dimensions, and the time
 * that its caller waits. Update the figures here from its table, then run `npm run cost`.
 */
export const counted = {
  date: '2026-11-28',
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

/** With indexes as tables of LanceDB, counted on 2026-11-26, and as segments. */
interface Comparison {
  readonly before: Counted;
  readonly after: Counted;
}

export const operations = {
  'dense search, warm': { before: { get: 0, put: 0, ms: 26 }, after: { get: 0, put: 0, ms: 17 } },
  'dense search, after a commit': { before: { get: 3, put: 0, ms: 108 }, after: { get: 1, put: 0, ms: 60 } },
  'dense search, cold': { before: { get: 43, put: 0, ms: 1_027 }, after: { get: 6, put: 0, ms: 678 } },
  'sparse search, warm': { before: { get: 0, put: 0, ms: 38 }, after: { get: 0, put: 0, ms: 18 } },
  'sparse search, after a commit': { before: { get: 3, put: 0, ms: 139 }, after: { get: 1, put: 0, ms: 66 } },
  'sparse search, cold': { before: { get: 27, put: 0, ms: 990 }, after: { get: 4, put: 0, ms: 441 } },
  'hybrid search, warm': { before: { get: 0, put: 0, ms: 195 }, after: { get: 0, put: 0, ms: 24 } },
  'hybrid search, after a commit': { before: { get: 3, put: 0, ms: 277 }, after: { get: 1, put: 0, ms: 83 } },
  'hybrid search, cold': { before: { get: 66, put: 0, ms: 1_507 }, after: { get: 5, put: 0, ms: 748 } },
  'one-row upsert': { before: { get: 0, put: 4, ms: 232 }, after: { get: 0, put: 1, ms: 235 } },
  'batch upsert': { before: { get: 2, put: 5, ms: 550 }, after: { get: 5, put: 2, ms: 745 } },
} as const satisfies Readonly<Record<string, Comparison>>;

export type CountedOperation = keyof typeof operations;

/** A bulk load of all rows in batches of 1,000, with its maintenance. */
export const bulkLoad = {
  before: { get: 84, put: 212, ms: 16_688 },
  after: { get: 79, put: 69, ms: 14_038 },
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

/** The first search of an index of 1,000 rows in a process that runs: `npm run bench:aws -- --tenants 300`. */
export const firstOfTenant: Counted = { get: 1, put: 0, ms: 105 };

/** A dense search of a large index, the twelfth in its process: `npm run bench:aws -- --rows 200000`. */
export const laterOfLarge: Counted = { get: 30, put: 0, ms: 126 };
