import type { Change, ChangeResult, Row } from '../port.ts';
import { matchFilter } from '../match-filter.ts';
import { compileFilter, quote } from './compile-filter.ts';
import { textBytes, type StoredRow } from './encode-rows.ts';
import type { Totals } from './measure-tables.ts';
import { statesOf, visibleStates, type RowState, type View } from './read-layers.ts';

/** What the view shows for an id before the commit, and what a row of the nearest layer with this id masks. */
interface Known {
  readonly visible: boolean;
  readonly textBytes: number;
  readonly masks: boolean;
  readonly maskedBytes: number;
}

/** What a commit comes down to: one row or tombstone per id, and the change of the totals. */
export interface Fold {
  readonly stored: readonly StoredRow[];
  readonly results: readonly ChangeResult[];
  readonly growth: Totals;
}

const unknown: Known = { visible: false, textBytes: 0, masks: false, maskedBytes: 0 };

const knownFrom = (state: RowState, depth: number): Known => {
  const visible = !state.deleted;
  if (depth === 0) {
    return { visible, textBytes: state.textBytes, masks: state.masks, maskedBytes: state.maskedBytes };
  }
  return { visible, textBytes: state.textBytes, masks: visible, maskedBytes: visible ? state.textBytes : 0 };
};

const lookUp = async (view: View, ids: readonly string[]): Promise<Map<string, Known>> => {
  const known = new Map<string, Known>();
  let wanted = ids;
  for (const [depth, table] of view.entries()) {
    if (wanted.length === 0) break;
    for (const state of await statesOf(table, wanted)) known.set(state.id, knownFrom(state, depth));
    wanted = wanted.filter((id) => !known.has(id));
  }
  return known;
};

const namedIds = (changes: readonly Change[]): readonly string[] => {
  const ids = changes.flatMap((change) => {
    if (change.kind === 'delete') return change.ids;
    return change.kind === 'upsert' || change.kind === 'replaceJob' ? change.rows.map(({ id }) => id) : [];
  });
  return [...new Set(ids)];
};

const settle = (
  pending: ReadonlyMap<string, Row | null>,
  known: ReadonlyMap<string, Known>,
): { readonly stored: readonly StoredRow[]; readonly growth: Totals } => {
  const stored: StoredRow[] = [];
  let [rows, sparseBytes] = [0, 0];
  for (const [id, row] of pending) {
    const before = known.get(id) ?? unknown;
    // A row that was written and removed again within the commit leaves no trace.
    if (row === null && !before.visible) continue;
    stored.push({ id, row, masks: before.masks, maskedBytes: before.maskedBytes });
    rows += (row === null ? 0 : 1) - (before.visible ? 1 : 0);
    sparseBytes += textBytes(row?.text ?? null) - (before.visible ? before.textBytes : 0);
  }
  return { stored, growth: { rows, sparseBytes } };
};

/** The steps that changes are made of, on top of what the view shows. */
interface Play {
  readonly put: (rows: readonly Row[]) => number;
  readonly remove: (ids: readonly string[]) => number;
  /** Ids of the rows that are visible by now and satisfy the same condition, as SQL and as a function. */
  readonly matching: (where: string, matches: (row: Row) => boolean) => Promise<readonly string[]>;
}

const startPlay = (view: View, known: Map<string, Known>, pending: Map<string, Row | null>): Play => {
  const isVisible = (id: string): boolean => {
    const row = pending.get(id);
    return row === undefined ? (known.get(id) ?? unknown).visible : row !== null;
  };
  return {
    put: (rows) => {
      rows.forEach((row) => pending.set(row.id, row));
      return new Set(rows.map(({ id }) => id)).size;
    },
    remove: (ids) => {
      const visible = [...new Set(ids)].filter(isVisible);
      visible.forEach((id) => pending.set(id, null));
      return visible.length;
    },
    matching: async (where, matches) => {
      const stored = await visibleStates(view, where);
      for (const state of stored) known.set(state.id, knownFrom(state, state.depth));
      const written = [...pending].flatMap(([id, row]) => (row !== null && matches(row) ? [id] : []));
      return [...stored.map(({ id }) => id).filter((id) => !pending.has(id)), ...written];
    },
  };
};

const applyChange = async (play: Play, change: Change, nonFilterableKeys: readonly string[]): Promise<ChangeResult> => {
  const { put, remove, matching } = play;
  const ofJob = (jobId: string): Promise<readonly string[]> =>
    matching(`job_id = ${quote(jobId)}`, (row) => row.jobId === jobId);
  switch (change.kind) {
    case 'upsert':
      return { written: put(change.rows), deleted: 0 };
    case 'delete':
      return { written: 0, deleted: remove(change.ids) };
    case 'deleteWhere': {
      const matches = (row: Row): boolean => matchFilter(change.filter, row.metadata, nonFilterableKeys);
      return { written: 0, deleted: remove(await matching(compileFilter(change.filter), matches)) };
    }
    case 'deleteJob':
      return { written: 0, deleted: remove(await ofJob(change.jobId)) };
    case 'replaceJob': {
      const kept = new Set(change.rows.map(({ id }) => id));
      const deleted = remove((await ofJob(change.oldJobId)).filter((id) => !kept.has(id)));
      return { written: put(change.rows), deleted };
    }
  }
};

/**
 * Plays the changes in order on what the view shows and gathers their end, so that one merge can write it. Nothing here
 * depends on an earlier attempt: the last word on each id is absolute, so playing the same changes again ends the same.
 */
export const foldChanges = async (
  view: View,
  changes: readonly Change[],
  nonFilterableKeys: readonly string[],
): Promise<Fold> => {
  const known = await lookUp(view, namedIds(changes));
  const pending = new Map<string, Row | null>();
  const play = startPlay(view, known, pending);
  const results: ChangeResult[] = [];
  for (const change of changes) results.push(await applyChange(play, change, nonFilterableKeys));
  return { ...settle(pending, known), results };
};
