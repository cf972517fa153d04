import { type Counted, type CountedOperation, file, operations } from './counted.ts';
import { defaultMaxIndexBytes, defaultMaxIndexNumbers } from '../../shared/kernel/config.ts';
import { usdOf } from './prices.ts';

/** USD by item of a bill. */
export type Bill = Readonly<Record<Item, number>>;

export const items = [
  'Lambda time',
  'Lambda requests',
  'HTTP API',
  'DynamoDB',
  'S3 GET',
  'S3 PUT',
  'S3 storage',
  'SQS',
  'Logs',
  'Data out',
] as const;
export type Item = (typeof items)[number];

/** Uses of an operation besides its counted requests to S3. */
interface Shape {
  /** Gigabytes of memory of the functions that run for its whole time. */
  readonly gigabytes: number;
  readonly invocations: number;
  readonly apiUnits: number;
  readonly reads: number;
  readonly writes: number;
  readonly queueRequests: number;
  readonly logBytes: number;
  readonly responseBytes: number;
}

/** Reads memory in MB of a function by its id. */
export type MemoryOf = (id: string) => number;

/** Lines of one request: access log, request, metrics, and Lambda's own three. */
const logBytesOfRequest = 1_700;
/** Lines of a run of the writer. */
const logBytesOfRun = 900;
const apiUnitBytes = 512 * 1024;
/** Base64 of the numbers, with id, text and metadata. */
const rowBytes = (dimensions: number): number => Math.ceil((dimensions * 16) / 3) + 200;

/**
 * Uses of an operation. Units of DynamoDB come from "Billed units" of docs/benchmarks.md, with one unit for each request.
 * SQS counts sending, receiving and deleting.
 */
const shapeOf = (operation: CountedOperation, dimensions: number, memoryOf: MemoryOf): Shape => {
  const gigabytes = (...ids: readonly string[]): number => ids.reduce((sum, id) => sum + memoryOf(id), 0) / 1_024;
  const [kind] = operation.split(' ');
  if (operation.includes('search'))
    return {
      gigabytes: gigabytes(`${kind}-search`),
      invocations: 1,
      apiUnits: 1,
      reads: 3,
      writes: 1.1,
      queueRequests: 0,
      logBytes: logBytesOfRequest,
      responseBytes: 2_000,
    };
  const rows = operation === 'batch upsert' ? 1_000 : 1;
  return {
    gigabytes: gigabytes('upsert-vectors', 'index-writer'),
    invocations: 2,
    apiUnits: Math.ceil((rows * rowBytes(dimensions)) / apiUnitBytes),
    reads: rows === 1 ? 7.8 : 11,
    writes: rows === 1 ? 5.4 : 5,
    queueRequests: 3,
    logBytes: logBytesOfRequest + logBytesOfRun,
    responseBytes: 200,
  };
};

const billOf = ({ get, put, ms }: Counted, shape: Shape): Bill => ({
  'Lambda time': ((shape.gigabytes * ms) / 1_000) * usdOf('lambdaTime'),
  'Lambda requests': shape.invocations * usdOf('lambdaRequest'),
  'HTTP API': shape.apiUnits * usdOf('api'),
  DynamoDB: shape.reads * usdOf('read') + shape.writes * usdOf('write'),
  'S3 GET': get * usdOf('get'),
  'S3 PUT': put * usdOf('put'),
  'S3 storage': 0,
  SQS: shape.queueRequests * usdOf('queue'),
  Logs: shape.logBytes * usdOf('logs'),
  'Data out': shape.responseBytes * usdOf('out'),
});

/** USD of one operation as it is counted now, or as it was before the mends. */
export const costOf = (
  operation: CountedOperation,
  memoryOf: MemoryOf,
  dimensions: number,
  when: 'before' | 'after' = 'after',
): Bill => billOf(operations[operation][when], shapeOf(operation, dimensions, memoryOf));

/** USD of a dense search with counted requests. */
export const searchCost = (counts: Counted, memoryOf: MemoryOf, dimensions: number): Bill =>
  billOf(counts, shapeOf('dense search, warm', dimensions, memoryOf));

/** USD of a page of a file, without the model. */
export const pageBill = (memoryOf: MemoryOf): Bill => {
  const times = Object.entries(file.functions);
  const shape: Shape = {
    gigabytes: times.reduce((sum, [id, ms]) => sum + (memoryOf(id) / 1_024) * (ms / 1_000), 0),
    invocations: times.length,
    apiUnits: 1,
    reads: file.reads,
    writes: file.writes,
    queueRequests: file.queueRequests,
    logBytes: logBytesOfRequest + (times.length - 1) * logBytesOfRun,
    responseBytes: 2_000,
  };
  return scale(billOf({ get: file.get, put: file.put, ms: 1_000 }, shape), 1 / file.pages);
};

/** USD of all items. */
export const sumOf = (bill: Bill): number => items.reduce((sum, item) => sum + bill[item], 0);

export const scale = (bill: Bill, times: number): Bill =>
  Object.fromEntries(items.map((item) => [item, bill[item] * times])) as Bill;

export const add = (one: Bill, other: Bill): Bill =>
  Object.fromEntries(items.map((item) => [item, one[item] + other[item]])) as Bill;

/**
 * Bytes that a row takes in S3: its numbers as floats, and 900 for text, metadata and indexes. Source: docs/operations.md,
 * "Large indexes", where a rewrite of 60,000 rows of 1,536 dimensions writes 423 MB.
 */
export const storedBytesOf = (dimensions: number): number => dimensions * 4 + 900;

/** The same of a row in segments, which have each number in half precision as well. */
export const segmentBytesOf = (dimensions: number): number => dimensions * 6 + 900;

const nothing = Object.fromEntries(items.map((item) => [item, 0])) as Bill;

/** USD a month of stored rows. */
export const storageBill = (rows: number, dimensions: number): Bill => ({
  ...nothing,
  'S3 storage': rows * storedBytesOf(dimensions) * usdOf('storage'),
});

/** Returns the rows, in thousands, at which an index with the default maximums is full. */
export const rowsOfAnIndex = (dimensions: number): number => {
  const rows = Math.min(defaultMaxIndexNumbers / dimensions, defaultMaxIndexBytes / storedBytesOf(dimensions));
  return Math.floor(rows / 1_000) * 1_000;
};
