import type { Row } from '../port.ts';
import { jobToken } from './row-keys.ts';
import type { VectorIndex } from './vector-index.ts';

/*
 * Ids of the rows that each job has written, beside the journal: the service finds the rows of a job only by listing all
 * rows. Full pages have a number. The last page has the id of the job, so most jobs have one record.
 */

/** Record of the last page of a job. */
interface LastPage {
  /** Full pages before it. */
  readonly pages: number;
  readonly ids: readonly string[];
}

/** Bytes of ids in one page. 500 pages fit into a request of 20 MB, even if every character is escaped. */
const maxPageBytes = 16_000;

const pageKey = (jobId: string, page: number): string => `${jobToken(jobId)}/${page}`;

const readLastPage = async ({ records }: VectorIndex, jobId: string): Promise<LastPage | null> => {
  const stored = (await records.get([jobToken(jobId)])).get(jobToken(jobId));
  return stored === undefined ? null : (JSON.parse(stored) as LastPage);
};

const toPages = (ids: Iterable<string>): readonly (readonly string[])[] => {
  const pages: string[][] = [];
  let left = 0;
  for (const id of ids) {
    const bytes = Buffer.byteLength(JSON.stringify(id));
    if (pages.length === 0 || bytes > left) {
      pages.push([]);
      left = maxPageBytes;
    }
    pages.at(-1)?.push(id);
    left -= bytes;
  }
  return pages;
};

/** Ids that a job has written. Rows may have been deleted or overwritten since. */
export interface JobRowIds {
  readonly ids: readonly string[];
  /** Keys of the records that contain them. */
  readonly recordKeys: readonly string[];
}

/** Returns the ids that a job has written. */
export const readJobRowIds = async (index: VectorIndex, jobId: string): Promise<JobRowIds> => {
  const last = await readLastPage(index, jobId);
  if (last === null) return { ids: [], recordKeys: [] };
  const pageKeys = Array.from({ length: last.pages }, (_, page) => pageKey(jobId, page));
  const pages = [...(await index.records.get(pageKeys)).values()];
  const ids = pages.flatMap((page) => JSON.parse(page) as readonly string[]);
  // A write that died half-way and was repeated has added its ids twice.
  return { ids: [...new Set([...ids, ...last.ids])], recordKeys: [...pageKeys, jobToken(jobId)] };
};

const addToJob = async (index: VectorIndex, jobId: string, added: readonly string[]): Promise<void> => {
  const last = (await readLastPage(index, jobId)) ?? { pages: 0, ids: [] };
  const pages = toPages(new Set([...last.ids, ...added]));
  const full = pages.slice(0, -1);
  // The full pages first: the last page may have had their ids until now.
  await index.records.put(full.map((ids, at) => [pageKey(jobId, last.pages + at), JSON.stringify(ids)]));
  const next: LastPage = { pages: last.pages + full.length, ids: pages.at(-1) ?? [] };
  await index.records.put([[jobToken(jobId), JSON.stringify(next)]]);
};

/** Adds the ids of rows to those of their jobs. Must be called before the rows are written. May be repeated. */
export const addJobRowIds = async (index: VectorIndex, rows: readonly Pick<Row, 'id' | 'jobId'>[]): Promise<void> => {
  for (const [jobId, ofJob] of Map.groupBy(rows, (row) => row.jobId))
    if (jobId !== null)
      await addToJob(
        index,
        jobId,
        ofJob.map(({ id }) => id),
      );
};
