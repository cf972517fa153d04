import type { Chunking } from '../../../../../shared/kernel/chunking.ts';
import { defaultChunkLimits, type ChunkLimits } from './chunk.ts';
import { UnreadableFile } from '../port.ts';

/** Bounds of `chunk_size` in a job's metadata, in characters. */
export const chunkOptionBounds = { minSize: 200, maxSize: 8_000 } as const;

/** Returns an option as a number; null if it is absent or invalid. An invalid one is added to `problems`. */
const wholeNumber = (name: string, value: unknown, min: number, max: number, problems: string[]): number | null => {
  if (value == null) return null;
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max) return number;
  problems.push(`The job's ${name} must be a whole number from ${min} to ${max}`);
  return null;
};

/** Returns the maximum overlap of chunks of a size: less than half of it. */
export const maxOverlapOf = (size: number): number => Math.ceil(size / 2) - 1;

/** Returns the overlap of chunks of a size that is used if none is named. */
export const usualOverlapOf = (size: number): number =>
  Math.floor((size * defaultChunkLimits.overlapChars) / defaultChunkLimits.maxChars);

/** Returns the options that are nearest to a size and an overlap in characters. */
export const nearestChunkOptions = (
  size: number,
  overlap: number,
): { readonly chunk_size: number; readonly chunk_overlap: number } => {
  const { minSize, maxSize } = chunkOptionBounds;
  const nearest = Math.max(minSize, Math.min(size, maxSize));
  return { chunk_size: nearest, chunk_overlap: Math.min(overlap, maxOverlapOf(nearest)) };
};

const read = (metadata: Readonly<Record<string, unknown>>, problems: string[]): ChunkLimits => {
  const { minSize: smallestSize, maxSize: largestSize } = chunkOptionBounds;
  const size = wholeNumber('chunk_size', metadata['chunk_size'], smallestSize, largestSize, problems);
  const maxChars = size ?? defaultChunkLimits.maxChars;
  // If the size is invalid, the overlap is checked against the largest size.
  const maxOverlap = maxOverlapOf(problems.length === 0 ? maxChars : largestSize);
  const overlap = wholeNumber('chunk_overlap', metadata['chunk_overlap'], 0, maxOverlap, problems);
  return { maxChars, overlapChars: overlap ?? usualOverlapOf(maxChars) };
};

/** Returns the bounds of the chunks of an index. Null: the default ones. */
export const limitsOfChunking = (chunking: Chunking | null): ChunkLimits =>
  chunking === null ? defaultChunkLimits : { maxChars: chunking.size, overlapChars: chunking.overlap };

/** Returns the problems of the options in a job's metadata, one sentence each. */
export const chunkProblems = (metadata: Readonly<Record<string, unknown>>): readonly string[] => {
  const problems: string[] = [];
  read(metadata, problems);
  return problems;
};

/**
 * Bounds of the chunks of one job, from `chunk_size` (200 to 8,000) and `chunk_overlap` (0 to less than half of the
 * size) of its metadata. Both are numbers or digits; an option that is missing or null has its default. Null: the metadata
 * has neither.
 * @throws UnreadableFile with the options and their ranges for any other value.
 */
export const chunkLimitsOf = (metadata: Readonly<Record<string, unknown>>): ChunkLimits | null => {
  if (metadata['chunk_size'] == null && metadata['chunk_overlap'] == null) return null;
  const problems: string[] = [];
  const limits = read(metadata, problems);
  if (problems.length > 0) throw new UnreadableFile(problems.join('. '));
  return limits;
};
