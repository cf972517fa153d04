import { defaultChunkLimits, type ChunkLimits } from './chunk.ts';
import { UnreadableFile } from '../port.ts';

/** What a job may ask for in its metadata: characters of a chunk, and how many of them it may repeat. */
const chunkOptionBounds = { smallestSize: 200, largestSize: 8_000 } as const;

/** An option as a number; null where it is absent, and where it is wrong, which is then told among `problems`. */
const wholeNumber = (name: string, value: unknown, least: number, most: number, problems: string[]): number | null => {
  if (value == null) return null;
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  problems.push(`The job's ${name} must be a whole number from ${least} to ${most}`);
  return null;
};

const read = (metadata: Readonly<Record<string, unknown>>, problems: string[]): ChunkLimits => {
  const { smallestSize, largestSize } = chunkOptionBounds;
  const size = wholeNumber('chunk_size', metadata['chunk_size'], smallestSize, largestSize, problems);
  const maxChars = size ?? defaultChunkLimits.maxChars;
  const usualOverlap = Math.floor((maxChars * defaultChunkLimits.overlapChars) / defaultChunkLimits.maxChars);
  // Under a size that is wrong, no overlap is that some size allows.
  const mostOverlap = Math.ceil((problems.length === 0 ? maxChars : largestSize) / 2) - 1;
  const overlap = wholeNumber('chunk_overlap', metadata['chunk_overlap'], 0, mostOverlap, problems);
  return { maxChars, overlapChars: overlap ?? usualOverlap };
};

/** What is wrong with the options in a job's metadata, one sentence for each. */
export const chunkProblems = (metadata: Readonly<Record<string, unknown>>): readonly string[] => {
  const problems: string[] = [];
  read(metadata, problems);
  return problems;
};

/**
 * Bounds of the chunks of one job: `chunk_size` (200 to 8,000) and `chunk_overlap` (0 to less than half of the size) of
 * its metadata, as numbers or digits; the default for what is missing or null.
 * @throws UnreadableFile with the options and their ranges for any other value.
 */
export const chunkLimitsOf = (metadata: Readonly<Record<string, unknown>>): ChunkLimits => {
  const problems: string[] = [];
  const limits = read(metadata, problems);
  if (problems.length > 0) throw new UnreadableFile(problems.join('. '));
  return limits;
};
