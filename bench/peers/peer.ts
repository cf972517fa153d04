import type { VectorSet } from '../data/vectors.ts';

/** A way to search vectors, loaded with the rows of one set. Row numbers stand for ids. */
export interface LoadedPeer {
  /** Seconds from the first vector to the last, and until all indexes stood. */
  readonly loadSeconds: number;
  readonly readySeconds: number;
  /** The rows nearest to a query by cosine, nearest first. */
  readonly search: (query: Float32Array, topK: number) => Promise<readonly number[]> | readonly number[];
  /** The same of the rows with this `part` alone, where rows can have metadata. */
  readonly searchPart?: (query: Float32Array, topK: number, part: number) => Promise<readonly number[]>;
  /** Makes the next searches look more closely; false where they already look as closely as they can. */
  readonly lookCloser: () => Promise<boolean> | boolean;
  readonly close: () => Promise<void>;
}

/** A peer before it holds anything. `load` rejects where the peer cannot be had on this machine. */
export interface Peer {
  readonly name: string;
  readonly title: string;
  /** `in process`: a call of a library; `HTTP`: a server in a process of its own. */
  readonly reached: 'in process' | 'HTTP';
  readonly load: (set: VectorSet, directory: string) => Promise<LoadedPeer>;
}

/** Vectors that are written together. */
const batchRows = 1_000;

/** Ranges of rows for writing: `[from, to)`. */
export const batchesOf = (count: number): readonly (readonly [number, number])[] =>
  Array.from({ length: Math.ceil(count / batchRows) }, (_, at) => [
    at * batchRows,
    Math.min(count, (at + 1) * batchRows),
  ]);

/** Seconds since a moment of `performance.now()`. */
export const secondsSince = (startedMs: number): number => (performance.now() - startedMs) / 1_000;
