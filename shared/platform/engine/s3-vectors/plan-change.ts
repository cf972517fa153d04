import { rowMetadataBytes } from '../../../kernel/row-metadata.ts';
import { weightOf } from '../commit-weight.ts';
import { matcherOf } from '../match-filter.ts';
import { mergePatch } from '../merge-patch.ts';
import type { Change, ChangeResult, Expected, IndexRef, Row } from '../port.ts';
import { rowProblem } from './encode-row.ts';
import { readJobRowIds } from './job-row-ids.ts';
import { Unsupported } from './unsupported.ts';
import { batchesOf, isVisible, type Journal, scanRows, type StoredVersion, type VectorIndex } from './vector-index.ts';

/** Ids that a result names at most. */
export const maxReportedIds = 100;

/** Effect of a change on the rows. */
export interface Plan {
  readonly put: readonly Row[];
  readonly remove: readonly string[];
  /** Keys of records beside the journal that are not needed once the rows are removed. */
  readonly removeRecords: readonly string[];
  /** Deleted job whose rows are hidden until they are removed. */
  readonly deletingJobId?: string;
  readonly result: ChangeResult;
  readonly addedRows: number;
  readonly addedTextBytes: number;
}

const textBytes = (text: string | null): number => (text === null ? 0 : Buffer.byteLength(text));

const unchanged = (result: Partial<ChangeResult>): Plan => ({
  put: [],
  remove: [],
  removeRecords: [],
  result: { written: 0, deleted: 0, ...result },
  addedRows: 0,
  addedTextBytes: 0,
});

/** A change on the state of its index. */
export interface Step {
  readonly index: VectorIndex;
  readonly ref: IndexRef;
  readonly journal: Journal;
  readonly key: string;
  /** Rows that the change may add. */
  readonly room: number;
}

/** Returns the visible rows among these ids. */
export const getVisible = async (
  { index, journal }: Step,
  ids: readonly string[],
  includeVector: boolean,
): Promise<ReadonlyMap<string, StoredVersion>> => {
  const isShown = isVisible(journal);
  return new Map([...(await index.get(ids, includeVector))].filter(([, row]) => isShown(row)));
};

export const sumTextBytes = (rows: readonly (Pick<StoredVersion, 'id' | 'text'> | RowSize)[]): number =>
  rows.reduce((bytes, row) => bytes + ('text' in row ? textBytes(row.text) : row.textBytes), 0);

/** Returns why a row does not fit; null if all fit. */
export const problemOf = (rows: readonly Row[], ref: IndexRef): string | null => {
  for (const row of rows) {
    const problem = rowProblem(row, ref);
    if (problem !== null) return `The row "${row.id}" does not fit: ${problem}`;
  }
  return null;
};

/** Returns rows whose version is not the expected one, as many as a result names. */
const conflictsOf = (existing: ReadonlyMap<string, StoredVersion>, expected: Expected | undefined) =>
  [...(expected ?? [])]
    .flatMap(([id, version]) => {
      const found = existing.get(id)?.version ?? null;
      return found === version ? [] : [{ id, version: found }];
    })
    .slice(0, maxReportedIds);

const planUpsert = async (step: Step, { rows: all, expected }: Extract<Change, { kind: 'upsert' }>): Promise<Plan> => {
  const rows = [...new Map(all.map((row) => [row.id, row])).values()];
  const unsupported = problemOf(rows, step.ref);
  if (unsupported !== null) return unchanged({ unsupported });
  const existing = await getVisible(step, [...rows.map(({ id }) => id), ...(expected?.keys() ?? [])], false);
  const conflicts = conflictsOf(existing, expected);
  if (conflicts.length > 0) return unchanged({ conflicts });
  const replaced = rows.flatMap(({ id }) => existing.get(id) ?? []);
  const addedRows = rows.length - replaced.length;
  if (addedRows > 0 && addedRows > step.room) return unchanged({ noRoom: addedRows });
  return {
    ...unchanged({ written: rows.length }),
    put: rows,
    addedRows,
    addedTextBytes: sumTextBytes(rows) - sumTextBytes(replaced),
  };
};

const planPatch = async (
  step: Step,
  { patches, maxBytes, expected }: Extract<Change, { kind: 'patch' }>,
): Promise<Plan> => {
  const existing = await getVisible(step, [...patches.map(({ id }) => id), ...(expected?.keys() ?? [])], true);
  const conflicts = conflictsOf(existing, expected);
  if (conflicts.length > 0) return unchanged({ conflicts });
  const patched = new Map<string, Row>();
  const missing = new Set<string>();
  for (const { id, metadata } of patches) {
    const row = patched.get(id) ?? existing.get(id);
    if (row === undefined || row.vector === null) missing.add(id);
    else patched.set(id, { ...row, vector: row.vector, metadata: mergePatch(row.metadata, metadata) });
  }
  const put = [...patched.values()];
  const tooLarge = put.filter(({ metadata }) => rowMetadataBytes(metadata) > maxBytes).map(({ id }) => id);
  if (tooLarge.length > 0) return unchanged({ tooLarge: tooLarge.slice(0, maxReportedIds) });
  const unsupported = problemOf(put, step.ref);
  if (unsupported !== null) return unchanged({ unsupported });
  const gone = missing.size === 0 ? {} : { missing: [...missing].slice(0, maxReportedIds) };
  return { ...unchanged({ written: put.length, ...gone }), put };
};

/** Id and bytes of the text of a row: a scan may find more rows than fit into memory. */
export interface RowSize {
  readonly id: string;
  readonly textBytes: number;
}

const sizeOf = ({ id, text }: Pick<StoredVersion, 'id' | 'text'>): RowSize => ({
  id,
  textBytes: textBytes(text),
});

const findRows = async (index: VectorIndex, matches: (row: StoredVersion) => boolean): Promise<readonly RowSize[]> => {
  const found: RowSize[] = [];
  await scanRows(index, (rows) => found.push(...rows.filter(matches).map(sizeOf)));
  return found;
};

/** Rows of jobs, and the keys of the records that contain their ids. */
interface JobRows {
  readonly rows: readonly RowSize[];
  readonly recordKeys: readonly string[];
}

/** Rows that are read at once. */
const rowsAtOnce = 2_000;
/** Deletions that may wait for the removal of their rows: searches reserve 20 values for hidden jobs. */
const maxDeleting = 15;

/**
 * Returns the rows that jobs have written and nothing else has overwritten, hidden ones included. Lists the index only if
 * it has rows from a version that stored no ids.
 */
export const findJobRows = async ({ index, journal }: Step, jobIds: readonly string[]): Promise<JobRows> => {
  const isOfJobs = ({ jobId }: StoredVersion): boolean => jobId !== null && jobIds.includes(jobId);
  if (journal.hasJobRowIds !== true) return { rows: await findRows(index, isOfJobs), recordKeys: [] };
  const { ids, recordKeys } = await readJobRowIds(index, jobIds);
  const rows: RowSize[] = [];
  for (const some of batchesOf(ids, rowsAtOnce))
    rows.push(...[...(await index.get(some, false)).values()].filter(isOfJobs).map(sizeOf));
  return { rows, recordKeys };
};

const planPatchWhere = async (
  step: Step,
  { filter, metadata, maxRowBytes, maxBytes }: Extract<Change, { kind: 'patchWhere' }>,
): Promise<Plan> => {
  const isShown = isVisible(step.journal);
  const matches = matcherOf(filter, step.ref);
  const ids = (await findRows(step.index, (row) => isShown(row) && matches(row.metadata))).map(({ id }) => id);
  if (ids.length * step.ref.dimensions * 4 > maxBytes) return unchanged({ tooMany: ids.length });
  const put: Row[] = [];
  for (const row of (await step.index.get(ids, true)).values())
    if (row.vector !== null) put.push({ ...row, vector: row.vector, metadata: mergePatch(row.metadata, metadata) });
  const tooLarge = put.filter((row) => rowMetadataBytes(row.metadata) > maxRowBytes).map(({ id }) => id);
  if (tooLarge.length > 0) return unchanged({ tooLarge: tooLarge.slice(0, maxReportedIds) });
  if (weightOf(put) > maxBytes) return unchanged({ tooMany: ids.length });
  const unsupported = problemOf(put, step.ref);
  return unsupported === null ? { ...unchanged({ written: put.length }), put } : unchanged({ unsupported });
};

const planRemoval = (rows: readonly RowSize[]): Plan => ({
  ...unchanged({ deleted: rows.length }),
  remove: rows.map(({ id }) => id),
  addedRows: -rows.length,
  addedTextBytes: -sumTextBytes(rows),
});

export const planChange = async (step: Step, change: Exclude<Change, { kind: 'replaceJob' }>): Promise<Plan> => {
  const isShown = isVisible(step.journal);
  switch (change.kind) {
    case 'upsert':
      return planUpsert(step, change);
    case 'patch':
      return planPatch(step, change);
    case 'patchWhere':
      return planPatchWhere(step, change);
    case 'delete':
      return planRemoval([...(await getVisible(step, change.ids, false)).values()].map(sizeOf));
    case 'deleteWhere': {
      const matches = matcherOf(change.filter, step.ref);
      return planRemoval(await findRows(step.index, (row) => isShown(row) && matches(row.metadata)));
    }
    case 'deleteJob': {
      const { rows, recordKeys: removeRecords } = await findJobRows(step, [change.jobId]);
      if (!isShown(change)) return { ...unchanged({}), remove: rows.map(({ id }) => id), removeRecords };
      const isHidden = rows.length > 0 && (step.journal.deleting ?? []).length < maxDeleting;
      return { ...planRemoval(rows), removeRecords, ...(isHidden ? { deletingJobId: change.jobId } : {}) };
    }
    case 'promote':
      throw new Unsupported('branches', 'The engine s3_vectors has no branches');
  }
};
