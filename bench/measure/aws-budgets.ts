import type { Operation } from './aws-operations.ts';

/** Requests that one operation may send. */
export interface Budget {
  readonly s3: number;
  /** Without GetItem, by which callers poll for receipts: its count depends on time. */
  readonly dynamodb: number;
  readonly sqs: number;
}

/**
 * Requests that each operation may send in the shape of AWS, on an index of some hundred rows whose metadata has two
 * values in each row that no other row has.
 */
export const awsBudgets: Readonly<Record<Operation, Budget>> = {
  fill: { s3: 2, dynamodb: 12, sqs: 2 },
  'batch upsert': { s3: 2, dynamodb: 12, sqs: 2 },
  maintenance: { s3: 5, dynamodb: 3, sqs: 1 },
  'one-row upsert': { s3: 2, dynamodb: 10, sqs: 2 },
  // A process that starts, or in which an hour begins, records the last use of the key.
  'one-row upsert, cold': { s3: 3, dynamodb: 10, sqs: 2 },
  'dense search, cold': { s3: 1, dynamodb: 4, sqs: 0 },
  'dense search, warm': { s3: 0, dynamodb: 4, sqs: 0 },
  'dense search, after a commit': { s3: 1, dynamodb: 4, sqs: 0 },
  'sparse search, cold': { s3: 1, dynamodb: 4, sqs: 0 },
  'sparse search, warm': { s3: 0, dynamodb: 4, sqs: 0 },
  'sparse search, after a commit': { s3: 1, dynamodb: 4, sqs: 0 },
  'hybrid search, cold': { s3: 1, dynamodb: 4, sqs: 0 },
  'hybrid search, warm': { s3: 0, dynamodb: 4, sqs: 0 },
  'hybrid search, after a commit': { s3: 1, dynamodb: 4, sqs: 0 },
  'batch replaced': { s3: 3, dynamodb: 12, sqs: 2 },
  'batch deleted': { s3: 3, dynamodb: 12, sqs: 2 },
};
