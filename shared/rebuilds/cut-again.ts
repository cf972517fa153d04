import { type FilePart, partOfChunk, partSectionsKey, rowOfChunk } from '../files/index.ts';
import { type IndexRecord, indexOfTable } from '../indexes/index.ts';
import type { Chunking } from '../kernel/chunking.ts';
import { type Passage, unpackPassage } from '../kernel/passage.ts';
import { ownNames } from '../kernel/row-metadata.ts';
import type { ContentReader } from '../platform/aws/objects.ts';
import { areWhole, type CutPart, cutPartAgain, limitsOfChunking, unpackCutPart } from '#documents';
import type { Row } from '#engine';

/** Reads a part of a file as it was cut. Null: an earlier release has read it, or the file was deleted. */
export type CutParts = (part: FilePart) => Promise<CutPart | null>;

/** Opens the parts of the files of an index. A branch has rows of files of its ancestors. */
export const openCutParts =
  (content: Pick<ContentReader, 'get'>, { organizationId, region, layers }: IndexRecord): CutParts =>
  async (part) => {
    for (const indexId of new Set(layers.map(({ table }) => indexOfTable(table)))) {
      const packed = await content.get(region, partSectionsKey({ organizationId, indexId }, part));
      if (packed !== null) return unpackCutPart(packed);
    }
    return null;
  };

type Chunked = Omit<Row, 'vector'>;

/** A chunk with its place in the text of its part. */
interface Placed extends Passage {
  readonly row: Chunked;
  readonly text: string;
}

/** Returns the rows of a part with their places; null: some were written, changed or deleted by hand. */
const placesOf = ({ jobId }: FilePart, rows: readonly Chunked[]): readonly Placed[] | null => {
  const placed = rows.flatMap((row, at) => {
    const passage = unpackPassage(row.passage);
    const isChunk = row.jobId === jobId && partOfChunk(row.id)?.position === at + 1;
    return isChunk && passage !== null && row.text !== null ? [{ row, text: row.text, ...passage }] : [];
  });
  return placed.length < rows.length ? null : placed;
};

const own: ReadonlySet<string> = new Set(ownNames);

/** Returns the metadata of a row without that of its place in the file. */
const metadataOfFile = ({ metadata }: Chunked): Row['metadata'] =>
  Object.fromEntries(Object.entries(metadata).filter(([name]) => !own.has(name)));

/** Returns a function that finds the row that has most of a place. Places are asked for in order. */
const openOrigins = (places: readonly Placed[]): ((place: Passage) => Chunked | undefined) => {
  const sorted = places.toSorted((one, other) => one.start - other.start);
  let from = 0;
  return ({ start, end }) => {
    while (from + 1 < sorted.length && (sorted[from]?.end ?? 0) <= start) from += 1;
    let [best, most] = [sorted[from], 0];
    for (let at = from; at < sorted.length; at += 1) {
      const next = sorted[at];
      if (next === undefined || next.start >= end) break;
      const shared = Math.min(end, next.end) - Math.max(start, next.start);
      if (shared > most) [best, most] = [next, shared];
    }
    return best?.row;
  };
};

/**
 * Cuts the rows of a part of a file again, with the metadata that they have besides their places.
 * @param chunking Null: the bounds in the metadata of the file, or the default ones.
 * @returns Null: the rows stay as they are, because the part is not stored, or because some of them were written, changed or
 * deleted by hand.
 */
export const cutRowsAgain = (
  part: FilePart,
  stored: CutPart | null,
  rows: readonly Chunked[],
  chunking: Chunking | null,
): readonly Chunked[] | null => {
  const places = stored === null ? null : placesOf(part, rows);
  if (stored === null || places === null || !areWhole(stored, places)) return null;
  const originOf = openOrigins(places);
  const limits = (chunking === null ? stored.limits : null) ?? limitsOfChunking(chunking);
  return cutPartAgain(stored, limits).flatMap((placed, at) => {
    const origin = originOf(placed.passage);
    if (origin === undefined) return [];
    const { filename, expiresAt } = origin;
    const row = rowOfChunk(part, at + 1, placed, { metadata: metadataOfFile(origin), filename });
    return [{ ...row, ...(expiresAt === undefined ? {} : { expiresAt }) }];
  });
};
