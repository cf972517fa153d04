import { defaultChunkLimits, type ChunkLimits } from './chunk.ts';
import { UnreadableFile } from './port.ts';

/** What a job may ask for in its metadata: characters of a chunk, and how many of them it may repeat. */
const chunkOptionBounds = { smallestSize: 200, largestSize: 8_000 } as const;

const wholeNumber = (name: string, value: unknown, least: number, most: number): number => {
  const number = typeof value === 'string' && /^\d{1,6}$/.test(value.trim()) ? Number(value) : value;
  if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new UnreadableFile(`The job's ${name} must be a whole number from ${least} to ${most}`);
};

/**
 * Bounds of the chunks of one job: `chunk_size` (200 to 8,000) and `chunk_overlap` (0 to less than half of the size) of
 * its metadata, as numbers or digits; the default for what is missing or null.
 * @throws UnreadableFile with the option and its range for any other value.
 */
export const chunkLimitsOf = (metadata: Readonly<Record<string, unknown>>): ChunkLimits => {
  const { chunk_size: size, chunk_overlap: overlap } = metadata;
  const { smallestSize, largestSize } = chunkOptionBounds;
  const maxChars =
    size == null ? defaultChunkLimits.maxChars : wholeNumber('chunk_size', size, smallestSize, largestSize);
  const usualOverlap = Math.floor((maxChars * defaultChunkLimits.overlapChars) / defaultChunkLimits.maxChars);
  const mostOverlap = Math.ceil(maxChars / 2) - 1;
  return {
    maxChars,
    overlapChars: overlap == null ? usualOverlap : wholeNumber('chunk_overlap', overlap, 0, mostOverlap),
  };
};
