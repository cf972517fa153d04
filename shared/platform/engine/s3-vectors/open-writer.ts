import type { Change, ChangeResult, EngineWriter, IndexRef, Row, TableState } from '../port.ts';
import { encodeRow } from './encode-row.ts';
import { addJobRowIds } from './job-row-ids.ts';
import {
  findJobRows,
  getVisible,
  maxReportedIds,
  type Plan,
  planChange,
  problemOf,
  type Step,
  sumTextBytes,
} from './plan-change.ts';
import { requireJournal } from './read-one-state.ts';
import { jobOfToken, jobToken } from './row-keys.ts';
import { Unsupported } from './unsupported.ts';
import {
  isVisible,
  type Journal,
  noJournal,
  openVectorIndex,
  type VectorIndex,
  type VectorLocation,
} from './vector-index.ts';

/** Bytes of the results of changes that are remembered. Source: Amazon S3 Vectors, 40 KB of metadata in the journal. */
const maxResultBytes = 24_000;
const maxMissingBytes = 8_000;

const stateOf = ({ version, rows, sparseBytes }: Journal, { dimensions }: IndexRef): TableState => ({
  version,
  rows,
  denseBytes: rows * dimensions * 4,
  sparseBytes,
  unindexedRows: 0,
  tombstones: 0,
  fragments: 0,
});

const putRows = ({ index, key, ref }: Step, rows: readonly Row[]): Promise<void> =>
  index.put(rows.map((row) => encodeRow(row, key, ref)));

const withinBytes = (ids: readonly string[], limit: number): readonly string[] => {
  let bytes = 0;
  return ids.slice(0, maxReportedIds).filter((id) => (bytes += Buffer.byteLength(JSON.stringify(id))) <= limit);
};

/** Returns the journal after a change, with as many of the last results as fit. */
const record = (
  journal: Journal,
  key: string,
  plan: Pick<Plan, 'result' | 'addedRows' | 'addedTextBytes' | 'deletingJobId'>,
): Journal => {
  const { result, addedRows, addedTextBytes, deletingJobId: jobId } = plan;
  const { missing } = result;
  const kept: ChangeResult =
    missing === undefined ? result : { ...result, missing: withinBytes(missing, maxMissingBytes) };
  let bytes = 0;
  const results = [...journal.results, [key, kept] as const].toReversed();
  return {
    ...journal,
    version: journal.version + 1,
    rows: journal.rows + addedRows,
    sparseBytes: journal.sparseBytes + addedTextBytes,
    ...(jobId === undefined ? {} : { deleting: [...(journal.deleting ?? []), { key, jobId }], view: journal.view + 1 }),
    results: results
      .filter((entry, at) => (bytes += Buffer.byteLength(JSON.stringify(entry))) <= maxResultBytes || at === 0)
      .toReversed(),
  };
};

type Applied = readonly [journal: Journal, result: ChangeResult];

type ReplaceJob = Extract<Change, { kind: 'replaceJob' }>;

/** Saves a journal, and returns it. */
const save = async ({ index }: Step, journal: Journal): Promise<Journal> => {
  await index.writeJournal(journal);
  return journal;
};

/** Adds the ids of rows to those of their jobs, if the index stores those of every job. */
const listJobRows = async ({ index, journal }: Step, rows: readonly Row[]): Promise<void> => {
  if (journal.hasJobRowIds === true) await addJobRowIds(index, rows);
};

/** Removes rows, and then the records that contain their ids. */
const removeRows = async (
  { index }: Step,
  { remove, removeRecords }: Pick<Plan, 'remove' | 'removeRecords'>,
): Promise<void> => {
  await index.remove(remove);
  await index.records.remove(removeRecords);
};

/** Ends a replacement. The rows that it hid are gone, so the visible ones stay the same. */
const endReplacement = (step: Step): Promise<Journal> =>
  save(step, { ...step.journal, hidden: [], replacement: null, isSettling: false });

/** Removes the rows of a job whose replacement has been given up, and those of a replaced job that are left. */
const removeHidden = async (step: Step): Promise<Journal> => {
  const { rows, recordKeys } = await findJobRows(step, step.journal.hidden.map(jobOfToken));
  await removeRows(step, { remove: rows.map(({ id }) => id), removeRecords: recordKeys });
  return endReplacement(step);
};

/**
 * Completes a replacement whose new rows are visible: writes the rows whose id existed before, and removes the old ones.
 * @param removed Old rows; null if they are not known.
 */
const completeReplacement = async (
  step: Step,
  rows: readonly Row[],
  removed: Pick<Plan, 'remove' | 'removeRecords'> | null,
): Promise<Journal> => {
  const existing = await step.index.get(
    rows.map(({ id }) => id),
    false,
  );
  await putRows(
    step,
    rows.filter(({ id }) => existing.get(id)?.version !== step.key),
  );
  const { view, isSettling } = step.journal;
  const journal = isSettling ? await save(step, { ...step.journal, view: view + 1, isSettling: false }) : step.journal;
  if (removed === null) return removeHidden({ ...step, journal });
  await removeRows(step, removed);
  return endReplacement({ ...step, journal });
};

/**
 * Replaces the rows of a job. The new rows are hidden by their job until all of them are stored. Then one write of the
 * journal shows them and hides the old ones. Rows whose id exists already are written after that, and the journal makes
 * readers wait for them. A replacement that died before the journal showed its rows changes nothing.
 */
const replaceJob = async (first: Step, change: ReplaceJob): Promise<Applied> => {
  const rows = [...new Map(change.rows.map((row) => [row.id, row])).values()];
  const { key, journal: found } = first;
  const known = found.results.find(([other]) => other === key)?.[1];
  if (known !== undefined)
    return [found.replacement?.key === key ? await completeReplacement(first, rows, null) : found, known];
  const unsupported = problemOf(rows, first.ref);
  if (unsupported !== null) return [found, { written: 0, deleted: 0, unsupported }];
  const isOther = found.replacement !== null && found.replacement.key !== key;
  const before = isOther ? await removeHidden(first) : found;
  const newJobId = rows[0]?.jobId ?? null;
  const hidden = newJobId === null ? [] : [jobToken(newJobId)];
  const step: Step = {
    ...first,
    journal: {
      ...before,
      hidden,
      replacement: { key, oldJobId: change.oldJobId, newJobId },
      view: before.view + 1,
    },
  };
  const ids = new Set(rows.map(({ id }) => id));
  const replaced = await getVisible(step, [...ids], false);
  const isOldShown = isVisible(before)({ jobId: change.oldJobId });
  // The rows of a job that is being deleted have been counted.
  const old = isOldShown ? await findJobRows(step, [change.oldJobId]) : { rows: [], recordKeys: [] };
  const removed = old.rows.filter(({ id }) => !ids.has(id));
  const addedRows = rows.length - replaced.size - removed.length;
  if (addedRows > 0 && addedRows > step.room) return [before, { written: 0, deleted: 0, noRoom: addedRows }];
  await save(step, step.journal);
  await listJobRows(step, rows);
  await putRows(
    step,
    rows.filter(({ id }) => !replaced.has(id)),
  );
  const result: ChangeResult = { written: rows.length, deleted: removed.length };
  const addedTextBytes = sumTextBytes(rows) - sumTextBytes([...replaced.values(), ...removed]);
  const shown = {
    ...record(step.journal, key, { result, addedRows, addedTextBytes }),
    hidden: [jobToken(change.oldJobId)],
    view: step.journal.view + 1,
    isSettling: replaced.size > 0,
  };
  const remove = removed.map(({ id }) => id);
  const last = { ...step, journal: await save(step, shown) };
  return [await completeReplacement(last, rows, { remove, removeRecords: old.recordKeys }), result];
};

/** Whether a change has no rows, so that it only finds out whether the change of its key was applied. */
const isLookup = (change: Change): boolean =>
  change.kind === 'upsert' && change.rows.length === 0 && change.expected === undefined;

/** Writes and removes the rows of a planned change, and returns the journal. May be repeated. */
const carryOut = async (step: Step, change: Change, plan: Plan): Promise<Journal> => {
  // A patched row has been listed by the change that wrote it.
  if (change.kind === 'upsert') await listJobRows(step, plan.put);
  await putRows(step, plan.put);
  await removeRows(step, plan);
  const { deleting = [] } = step.journal;
  const others = deleting.filter(({ jobId }) => change.kind !== 'deleteJob' || jobId !== change.jobId);
  return others.length === deleting.length ? step.journal : save(step, { ...step.journal, deleting: others });
};

/**
 * Applies one change. The journal gets its result before the rows change: a change that died half-way is applied again,
 * and returns the counts of its first attempt.
 */
const applyChange = async (step: Step, change: Change): Promise<Applied> => {
  const { journal, key } = step;
  if (change.kind === 'replaceJob') return replaceJob(step, change);
  const known = journal.results.find(([other]) => other === key)?.[1];
  // A later change may have replaced its rows, so only the last one can have died half-way, or one of a job.
  const isBegun =
    journal.results.at(-1)?.[0] === key ||
    journal.replacement?.key === key ||
    (journal.deleting ?? []).some((deletion) => deletion.key === key);
  if (isLookup(change)) {
    if (known === undefined) return [journal, { written: 0, deleted: 0 }];
    return [journal, isBegun ? { ...known, unfinished: true } : known];
  }
  if (known !== undefined && !isBegun) return [journal, known];
  if (known !== undefined) {
    // The versions were checked by the first attempt, which may have written some rows.
    const repeated = 'expected' in change ? { ...change, expected: new Map() } : change;
    return [await carryOut(step, change, await planChange({ ...step, room: Infinity }, repeated)), known];
  }
  const plan = await planChange(step, change);
  const isEmpty = plan.put.length + plan.remove.length === 0;
  const next = isEmpty ? journal : await save(step, record(journal, key, plan));
  return [await carryOut({ ...step, journal: next }, change, plan), plan.result];
};

const noBranches = async (): Promise<never> => {
  throw new Unsupported('branches', 'The engine s3_vectors has no branches');
};

/** Writer of the engine on Amazon S3 Vectors. */
export const openWriter = (location: VectorLocation): EngineWriter => {
  const open = (ref: IndexRef): VectorIndex => openVectorIndex(location, ref.layers[0].table);
  const readState = async (ref: IndexRef): Promise<TableState> =>
    stateOf((await open(ref).readJournal()) ?? noJournal, ref);
  return {
    create: async (ref) => {
      await open(ref).create(ref);
      return readState(ref);
    },
    commit: async (ref, changes, keys = [], maxRows = Infinity) => {
      const index = open(ref);
      let journal = requireJournal(await index.readJournal(), ref);
      const results: ChangeResult[] = [];
      for (const [at, change] of changes.entries()) {
        const step = { index, ref, journal, key: keys[at] ?? `${journal.version}/${at}`, room: maxRows - journal.rows };
        const [next, result] = await applyChange(step, change);
        journal = next;
        results.push(result);
      }
      return { state: stateOf(journal, ref), results };
    },
    // The service maintains its own index.
    maintain: async (ref) => ({ state: await readState(ref), vectorIndex: 'needless' }),
    buildVectorIndex: async (ref) => (await readState(ref)).rows,
    drop: (table) => openVectorIndex(location, table).drop(),
    branch: noBranches,
    materialize: noBranches,
  };
};
