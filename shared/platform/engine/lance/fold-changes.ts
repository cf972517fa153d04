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

const startPlay = (view: View, known: Map<string, Known>, pending: Map<string, Content | null>): Play => {
  const stateOf = (id: string): Known => known.get(id) ?? unknown;
  const isVisible = (id: string): boolean => {
    const content = pending.get(id);
    return content === undefined ? stateOf(id).visible : content !== null;
  };
  return {
    put: (contents) => {
      contents.forEach((content) => pending.set(content.row.id, content));
      return new Set(contents.map(({ row }) => row.id)).size;
    },
    remove: (ids) => {
      const visible = [...new Set(ids)].filter(isVisible);
      visible.forEach((id) => pending.set(id, null));
      return visible.length;
    },
    matching: async (where, matches) => {
      const stored = await visibleStates(view, where);
      for (const state of stored) known.set(state.id, knownFrom(state, state.depth));
      const written = [...pending].flatMap(([id, content]) => (content !== null && matches(content.row) ? [id] : []));
      return [...stored.map(({ id }) => id).filter((id) => !pending.has(id)), ...written];
    },
    lookUp: async (ids) => {
      for (const [id, state] of await lookUp(view, ids)) known.set(id, state);
    },
    versionOf: (id) => {
      if (!isVisible(id)) return null;
      return pending.get(id)?.version ?? stateOf(id).version;
    },
    written: (id) => pending.get(id)?.row,
  };
};

/**
 * Plays the changes in order on what the view shows and gathers their end, so that one merge can write it.
 */
export const foldChanges = async (surroundings: Surroundings, changes: readonly KeyedChange[]): Promise<Fold> => {
  const { view } = surroundings;
  const known = await lookUp(view, namedIds(changes));
  const pending = new Map<string, Content | null>();
  const play = startPlay(view, known, pending);
  const results: ChangeResult[] = [];
  for (const keyed of changes) results.push(await playChange(surroundings, play, keyed));
  return { ...settle(pending, known), results };
};
