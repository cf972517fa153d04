import { processedTiers } from './prices.ts';

/** Bytes of a vector that a query processes: numbers, id, and 100 of filterable metadata. */
const processedBytesOf = (dimensions: number): number => dimensions * 4 + 126;
/** USD of a query of S3 Vectors for the bytes that it processes. */
export const processingUsd = (rows: number, dimensions: number): number => {
  let below = 0;
  return processedTiers.reduce((sum, { vectors, usdPerTerabyte }) => {
    const within = Math.max(0, Math.min(rows, vectors) - below);
    below = vectors;
    return sum + ((within * processedBytesOf(dimensions)) / 1e12) * usdPerTerabyte;
  }, 0);
};
