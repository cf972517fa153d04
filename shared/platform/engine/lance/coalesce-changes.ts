import type { ChangeResult } from '../port.ts';
import type { StoredRow } from './encode-rows.ts';
import { growthOf, type ExistingRow, existingFrom, lookUpExisting, noRow } from './existing-rows.ts';
import type { Totals } from './measure-tables.ts';
import { type Content, type KeyedChange, type RowOperations, applyChange, type ChangeContext } from './apply-change.ts';
import { visibleStates, type View } from './read-layers.ts';

/** Combined result of the changes of a commit: one row or tombstone per id, and the change of the totals. */
export interface CoalescedChanges {
  readonly stored: readonly StoredRow[];
  readonly results: readonly ChangeResult[];
  /** Assumes that none of the rows existed if the table was not read. */
  readonly growth: Totals;
  readonly isUnasked: boolean;
}

const namedIds = (changes: readonly KeyedChange[]): readonly string[] => {
  const ids = changes.flatMap(({ change }) => {
    if (change.kind === 'delete') return change.ids;
    if (change.kind === 'patch') return change.patches.map(({ id }) => id);
    return change.kind === 'upsert' || change.kind === 'replaceJob' ? change.rows.map(({ id }) => id) : [];
  });
  return [...new Set(ids)];
};

const storedRowsOf = (
  pending: ReadonlyMap<string, Content | null>,
  known: ReadonlyMap<string, ExistingRow>,
): readonly StoredRow[] => {
  const stored: StoredRow[] = [];
  for (const [id, content] of pending) {
    const row = content?.row ?? null;
    const { visible, masks, maskedBytes } = known.get(id) ?? noRow;
    // A row that was written and removed again within the commit leaves no trace.
    if (row === null && !visible) continue;
    stored.push({ id, row, version: content?.version ?? null, masks, maskedBytes, inherited: false });
  }
  return stored;
};

/**
 * Returns whether changes have the same result for any table content: rows mask nothing, have no condition, and fit the
 * limit.
 */
const areIndependentOfRows = (masks: boolean, changes: readonly KeyedChange[], maxGrowth: number): boolean => {
  const rows = changes.map(({ change }) => (change.kind === 'upsert' && !change.expected ? change.rows.length : null));
  const growth = rows.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return !masks && !rows.includes(null) && growth <= maxGrowth;
};

/** Combined result of the changes so far, by id. A tombstone is null. */
interface Pending {
  readonly rows: ReadonlyMap<string, Content | null>;
  readonly isVisible: (id: string) => boolean;
  readonly set: (id: string, content: Content | null) => void;
  /** Starts a change. */
  readonly begin: () => void;
  /** Rows that the change has added so far, minus those that it has removed. */
  readonly added: () => number;
  /** Undoes the change. */
  readonly rollback: () => void;
}

const startPending = (known: ReadonlyMap<string, ExistingRow>): Pending => {
  const rows = new Map<string, Content | null>();
  const former = new Map<string, Content | null | undefined>();
  let added = 0;
  const isVisible = (id: string): boolean => {
    const content = rows.get(id);
    return content === undefined ? (known.get(id) ?? noRow).visible : content !== null;
  };
  return {
    rows,
    isVisible,
    set: (id, content) => {
      added += (content === null ? 0 : 1) - (isVisible(id) ? 1 : 0);
      if (!former.has(id)) former.set(id, rows.get(id));
      rows.set(id, content);
    },
    begin: () => {
      added = 0;
      former.clear();
    },
    added: () => added,
    rollback: () => {
      for (const [id, content] of former) {
        if (content === undefined) rows.delete(id);
        else rows.set(id, content);
      }
    },
  };
};

const rowOperations = (view: View, known: Map<string, ExistingRow>, pending: Pending): RowOperations => ({
  put: (contents) => {
    contents.forEach((content) => pending.set(content.row.id, content));
    return new Set(contents.map(({ row }) => row.id)).size;
  },
  remove: (ids) => {
    const visible = [...new Set(ids)].filter(pending.isVisible);
    visible.forEach((id) => pending.set(id, null));
    return visible.length;
  },
  matching: async (where, matches) => {
    const stored = await visibleStates(view, where);
    for (const state of stored) known.set(state.id, existingFrom(state, state.depth));
    const written = [...pending.rows].flatMap(([id, content]) =>
      content !== null && matches(content.row) ? [id] : [],
    );
    return [...stored.map(({ id }) => id).filter((id) => !pending.rows.has(id)), ...written];
  },
  lookUp: async (ids) => {
    for (const [id, state] of await lookUpExisting(view, ids)) known.set(id, state);
  },
  versionOf: (id) => {
    if (!pending.isVisible(id)) return null;
    return pending.rows.get(id)?.version ?? (known.get(id) ?? noRow).version;
  },
  written: (id) => pending.rows.get(id)?.row,
});

/**
 * Applies the changes in order on top of the view and combines their results, so that one merge can write them. The
 * view is not read if its content makes no difference to the result: the merge itself reports whether a row existed.
 * @param maxGrowth Rows by which the view may grow. A change that adds rows beyond that is left out.
 */
export const coalesceChanges = async (
  surroundings: ChangeContext,
  changes: readonly KeyedChange[],
  maxGrowth: number,
): Promise<CoalescedChanges> => {
  const { view, masks } = surroundings;
  const isUnasked = areIndependentOfRows(masks, changes, maxGrowth);
  const known = isUnasked ? new Map<string, ExistingRow>() : await lookUpExisting(view, namedIds(changes));
  const pending = startPending(known);
  const play = rowOperations(view, known, pending);
  const results: ChangeResult[] = [];
  let room = maxGrowth;
  for (const keyed of changes) {
    pending.begin();
    const result = await applyChange(surroundings, play, keyed);
    const added = pending.added();
    const fits = added <= Math.max(0, room);
    if (fits) room -= added;
    else pending.rollback();
    results.push(fits ? result : { written: 0, deleted: 0, noRoom: added });
  }
  const stored = storedRowsOf(pending.rows, known);
  return { stored, results, growth: growthOf(stored, known), isUnasked };
};
