import type { VectorSet } from '../data/vectors.ts';

/** A vector search, loaded with the rows of one set. Row numbers are the ids. */
export interface LoadedPeer {
  /** Seconds until all vectors were written and all indexes were built. */
  readonly loadSeconds: number;
  readonly readySeconds: number;
  /** The rows nearest to a query by cosine, nearest first. */
  readonly search: (query: Float32Array, topK: number) => Promise<readonly number[]> | readonly number[];
  /** The nearest rows with this `part`; absent if rows cannot have metadata. */
  readonly searchPart?: (query: Float32Array, topK: number, part: number) => Promise<readonly number[]>;
  /** Raises the recall of the next searches; false if it is at its maximum already. */
  readonly lookCloser: () => Promise<boolean> | boolean;
  readonly close: () => Promise<void>;
}

/** A peer before it is loaded. `load` rejects if the peer cannot be installed on this machine. */
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
