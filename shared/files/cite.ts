import type * as z from 'zod';
import type { Json } from '../kernel/json.ts';
import { memoize } from '../kernel/memoize.ts';
import { type PageRegion, unpackPassage } from '../kernel/passage.ts';
import { headingPathOf } from '../kernel/row-metadata.ts';
import type { FoundRow } from '#engine';
import { ordinalOfChunk } from './chunk-rows.ts';
import type { Citation as CitationSchema } from './citation-schemas.ts';
import type { PartLengths } from './part-lengths.ts';

type Citation = z.input<typeof CitationSchema>;
type CitedRow = Omit<FoundRow, 'vector'>;

const seconds = (value: Json | undefined): number | undefined => (typeof value === 'number' ? value : undefined);

const pagesOf = ({ pageStart, pageEnd }: CitedRow): number[] =>
  pageStart === null ? [] : Array.from({ length: (pageEnd ?? pageStart) - pageStart + 1 }, (_, at) => pageStart + at);

const urlIn = (value: Json | undefined): { readonly url?: string } =>
  typeof value === 'string' && /^https?:\/\//i.test(value) ? { url: value } : {};

/** Returns the place of a row in its file. @param before Code points of the file before its part; null: unknown. */
const citationOf = (row: CitedRow, jobId: string, before: number | null): Citation => {
  const { metadata, filename } = row;
  const passage = unpackPassage(row.passage);
  const positions =
    passage === null || before === null ? null : { start: before + passage.start, end: before + passage.end };
  const [timeStart, timeEnd] = [seconds(metadata['start_seconds']), seconds(metadata['end_seconds'])];
  return {
    file: {
      job_id: jobId,
      filename,
      ...(typeof metadata['attachment'] === 'string' ? { attachment: metadata['attachment'] } : {}),
      ...urlIn(metadata['url']),
    },
    pages: pagesOf(row),
    regions: (passage?.regions ?? []).map((region: PageRegion) => ({ ...region })),
    heading_path: [...headingPathOf(metadata)],
    start: positions?.start ?? null,
    end: positions?.end ?? null,
    ...(timeStart === undefined ? {} : { time_start: timeStart }),
    ...(timeEnd === undefined ? {} : { time_end: timeEnd }),
  };
};

/** Returns a function that cites rows. Rows behind the first part of their file need the lengths of the parts before. */
export const openCitations = (
  partLengths: PartLengths,
  organizationId: string,
): ((row: CitedRow) => Promise<Citation | null>) => {
  const known = new Map<string, ReturnType<PartLengths>>();
  const lengthBefore = async (jobId: string, ordinal: number): Promise<number | null> => {
    const lengths = await memoize(known, jobId, () => partLengths(organizationId, jobId));
    let before = 0;
    for (let part = 1; part < ordinal; part += 1) {
      const length = lengths.get(part) ?? null;
      if (length === null) return null;
      before += length;
    }
    return before;
  };
  return async (row) => {
    const { id, jobId, passage } = row;
    if (jobId === null) return null;
    const ordinal = ordinalOfChunk(jobId, id);
    if (passage === undefined || ordinal === null) return citationOf(row, jobId, null);
    return citationOf(row, jobId, ordinal === 1 ? 0 : await lengthBefore(jobId, ordinal));
  };
};
