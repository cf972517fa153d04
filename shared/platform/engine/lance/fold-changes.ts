import type { ChangeResult } from '../port.ts';
import { textBytes, type StoredRow } from './encode-rows.ts';
import type { Totals } from './measure-tables.ts';
import { type Content, type KeyedChange, type Play, playChange, type Surroundings } from './play-change.ts';
import { statesOf, visibleStates, type RowState, type View } from './read-layers.ts';

/** What the view shows for an id before the commit, and what a row of the nearest layer with this id masks. */
interface Known {
  readonly visible: boolean;
  readonly version: string | null;
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

const unknown: Known = { visible: false, version: null, textBytes: 0, masks: false, maskedBytes: 0 };

const knownFrom = (state: RowState, depth: number): Known => {
  const visible = !state.deleted;
  if (depth === 0) {
    const { masks, maskedBytes } = state;
    return { visible, version: state.version, textBytes: state.textBytes, masks, maskedBytes };
  }
  const maskedBytes = visible ? state.textBytes : 0;
  return { visible, version: state.version, textBytes: state.textBytes, masks: visible, maskedBytes };
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

const namedIds = (changes: readonly KeyedChange[]): readonly string[] => {
  const ids = changes.flatMap(({ change }) => {
    if (change.kind === 'delete') return change.ids;
    if (change.kind === 'patch') return change.patches.map(({ id }) => id);
    return change.kind === 'upsert' || change.kind === 'replaceJob' ? change.rows.map(({ id }) => id) : [];
  });
  return [...new Set(ids)];
};

const settle = (
  pending: ReadonlyMap<string, Content | null>,
  known: ReadonlyMap<string, Known>,
): { readonly stored: readonly StoredRow[]; readonly growth: Totals } => {
  const stored: StoredRow[] = [];
  let [rows, sparseBytes] = [0, 0];
  for (const [id, content] of pending) {
    const row = content?.row ?? null;
    const before = known.get(id) ?? unknown;
    // A row that was written and removed again within the commit leaves no trace.
    if (row === null && !before.visible) continue;
    const { masks, maskedBytes } = before;
    stored.push({ id, row, version: content?.version ?? null, masks, maskedBytes, inherited: false });
    rows += (row === null ? 0 : 1) - (before.visible ? 1 : 0);
    sparseBytes += textBytes(row?.text ?? null) - (before.visible ? before.textBytes : 0);
  }
  return { stored, growth: { rows, sparseBytes } };
};

/** What changes have come to so far, row by row; a tombstone is null. */
interface Pending {
  readonly rows: ReadonlyMap<string, Content | null>;
  readonly isVisible: (id: string) => boolean;
  readonly set: (id: string, content: Content | null) => void;
  /** Begins a change. */
  readonly begin: () => void;
  /** Rows that the change has added so far, less those that it has removed. */
  readonly added: () => number;
  /** Undoes the change. */
  readonly takeBack: () => void;
}

const startPending = (known: ReadonlyMap<string, Known>): Pending => {
  const rows = new Map<string, Content | null>();
  const former = new Map<string, Content | null | undefined>();
  let added = 0;
  const isVisible = (id: string): boolean => {
    const content = rows.get(id);
    return content === undefined ? (known.get(id) ?? unknown).visible : content !== null;
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
    takeBack: () => {
      for (const [id, content] of former) {
        if (content === undefined) rows.delete(id);
        else rows.set(id, content);
      }
    },
  };
};

const startPlay = (view: View, known: Map<string, Known>, pending: Pending): Play => ({
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
    for (const state of stored) known.set(state.id, knownFrom(state, state.depth));
    const written = [...pending.rows].flatMap(([id, content]) =>
      content !== null && matches(content.row) ? [id] : [],
    );
    return [...stored.map(({ id }) => id).filter((id) => !pending.rows.has(id)), ...written];
  },
  lookUp: async (ids) => {
    for (const [id, state] of await lookUp(view, ids)) known.set(id, state);
  },
  versionOf: (id) => {
    if (!pending.isVisible(id)) return null;
    return pending.rows.get(id)?.version ?? (known.get(id) ?? unknown).version;
  },
  written: (id) => pending.rows.get(id)?.row,
});

/**
 * Plays the changes in order on what the view shows and gathers their end, so that one merge can write it.
 * @param mostGrowth rows by which the view may grow; a change that adds rows beyond that is left out.
 */
export const foldChanges = async (
  surroundings: Surroundings,
  changes: readonly KeyedChange[],
  mostGrowth: number,
): Promise<Fold> => {
  const { view } = surroundings;
  const known = await lookUp(view, namedIds(changes));
  const pending = startPending(known);
  const play = startPlay(view, known, pending);
  const results: ChangeResult[] = [];
  let room = mostGrowth;
  for (const keyed of changes) {
    pending.begin();
    const result = await playChange(surroundings, play, keyed);
    const added = pending.added();
    const fits = added <= Math.max(0, room);
    if (fits) room -= added;
    else pending.takeBack();
    results.push(fits ? result : { written: 0, deleted: 0, noRoom: added });
  }
  return { ...settle(pending.rows, known), results };
};
