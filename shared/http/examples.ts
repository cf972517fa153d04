import type { IdPrefix } from '../kernel/ids.ts';

/** Returns an id for examples in the API description. */
export const exampleId = (prefix: IdPrefix): string => `${prefix}_01kfwq3v8r5n2x7d9t4m6b0c1e`;

/** Timestamp for examples in the API description. */
export const exampleTime = '2026-01-26T09:30:00.000Z';
