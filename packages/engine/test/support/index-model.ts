import type { JsonObject } from '../../../../shared/kernel/json.ts';
import { oneSpelling } from '../../../../shared/kernel/text.ts';
import type { Filter } from '../../src/filter.ts';
import type { Change, ChangeResult, Difference, Row } from '../../src/port.ts';
import { oracle } from './filter-oracle.ts';

/** A row with the key of the change that wrote it. */
export interface Written {
  readonly row: Row;
  readonly version: string;
}

/** What an index should hold: the plain meaning of every change, one after the other. */
export interface Model {
  /** All rows, those included that have expired and are not removed yet. */
  readonly rows: Map<string, Written>;
  readonly now: () => number;
  /** What the parent held at the branch point. */
  readonly base: ReadonlyMap<string, Written>;
  /** Ids that were written or removed since. */
  readonly touched: Set<string>;
}

/** A promotion in terms of models. */
export interface Promotion {
  readonly kind: 'promote';
  readonly branch: Model;
  readonly parentChanges: 'keep' | 'discard';
}

/** A change as the model takes it. */
export type ModelChange = Exclude<Change, { kind: 'promote' }> | Promotion;

export const emptyModel = (now: () => number = () => 0): Model => ({
  now,
  rows: new Map(),
  base: new Map(),
  touched: new Set(),
});

const isLive = ({ now }: Model, { row: { expiresAt = Infinity } }: Written): boolean => expiresAt > now();

/** Returns the rows that have not expired. */
export const liveRows = (model: Model): ReadonlyMap<string, Written> =>
  new Map([...model.rows].filter(([, written]) => isLive(model, written)));

export const branchModel = ({ rows, now }: Model): Model => ({
  now,
  rows: new Map(rows),
  base: new Map(rows),
  touched: new Set(),
});

const remove = ({ rows, touched }: Model, matches: (row: Row) => boolean): number => {
  const gone = [...rows.values()].filter(({ row }) => matches(row));
  for (const { row } of gone) {
    rows.delete(row.id);
    touched.add(row.id);
  }
  return gone.length;
};

const put = ({ rows, touched }: Model, written: readonly Written[]): number => {
  for (const one of written) {
    rows.set(one.row.id, one);
    touched.add(one.row.id);
  }
  return new Set(written.map(({ row }) => row.id)).size;
};

/** RFC 7396 for flat objects, which are all that the tests make. */
const merged = (metadata: JsonObject, patch: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries({ ...metadata, ...patch }).filter(([, value]) => value !== null));

const conflictsOf = (model: Model, change: Extract<Change, { kind: 'upsert' | 'patch' }>) =>
  [...(change.expected ?? [])].flatMap(([id, version]) => {
    const actual = liveRows(model).get(id)?.version ?? null;
    return actual === version ? [] : [{ id, version: actual }];
  });

const patch = (model: Model, change: Extract<Change, { kind: 'patch' }>, version: string): ChangeResult => {
  const missing: string[] = [];
  const ids = new Set<string>();
  for (const { id, metadata } of change.patches) {
    const found = liveRows(model).get(id);
    if (found === undefined) missing.push(id);
    else {
      const row = { ...found.row, metadata: merged(found.row.metadata, metadata) };
      put(model, [{ row, version }]);
      ids.add(id);
    }
  }
  return { written: ids.size, deleted: 0, missing };
};

const differenceOf = (model: Model, id: string): readonly Difference[] => {
  const { rows, base } = model;
  const row = rows.get(id);
  if (row?.version === base.get(id)?.version) return [];
  if (row !== undefined && !isLive(model, row)) return base.has(id) ? [{ id, change: 'deleted' }] : [];
  if (rows.has(id)) return [{ id, change: base.has(id) ? 'changed' : 'added' }];
  return base.has(id) ? [{ id, change: 'deleted' }] : [];
};

/** Changes since the branch point as a reader finds them, in order of id. */
export const differencesOf = (model: Model): readonly Difference[] =>
  [...model.touched].toSorted().flatMap((id) => differenceOf(model, id));

const promote = (model: Model, { branch, parentChanges }: Promotion): ChangeResult => {
  const wanted =
    parentChanges === 'keep'
      ? [...branch.touched].filter((id) => branch.rows.get(id)?.version !== branch.base.get(id)?.version)
      : [...new Set([...model.rows.keys(), ...branch.rows.keys()])];
  const differing = wanted.filter((id) => branch.rows.get(id)?.version !== model.rows.get(id)?.version);
  const gone = new Set(differing.filter((id) => !branch.rows.has(id)));
  const deleted = remove(model, ({ id }) => gone.has(id));
  return {
    written: put(
      model,
      differing.flatMap((id) => branch.rows.get(id) ?? []),
    ),
    deleted,
  };
};

/** Applies one change to the model and says what it did. */
export const applyToModel = (model: Model, change: ModelChange, version: string): ChangeResult => {
  const write = (rows: readonly Row[]): number =>
    put(
      model,
      rows.map((row) => ({ row, version })),
    );
  switch (change.kind) {
    case 'upsert': {
      const conflicts = conflictsOf(model, change);
      if (conflicts.length > 0) return { written: 0, deleted: 0, conflicts };
      return { written: write(change.rows), deleted: 0 };
    }
    case 'patch': {
      const conflicts = conflictsOf(model, change);
      return conflicts.length > 0 ? { written: 0, deleted: 0, conflicts } : patch(model, change, version);
    }
    case 'delete': {
      const live = liveRows(model);
      return { written: 0, deleted: remove(model, ({ id }) => change.ids.includes(id) && live.has(id)) };
    }
    case 'deleteWhere': {
      const live = liveRows(model);
      const matches = ({ metadata }: Row): boolean => oracle(change.filter, metadata);
      const deleted = remove(model, (row) => live.has(row.id) && matches(row));
      remove(model, matches);
      return { written: 0, deleted };
    }
    case 'patchWhere': {
      const matching = [...model.rows.values()].filter(({ row }) => oracle(change.filter, row.metadata));
      return {
        deleted: 0,
        written: write(matching.map(({ row }) => ({ ...row, metadata: merged(row.metadata, change.metadata) }))),
      };
    }
    case 'copy': {
      const gone = new Set(change.removed);
      return {
        deleted: remove(model, ({ id }) => gone.has(id)),
        written: put(
          model,
          change.rows.map(({ version: of, ...row }) => ({ row, version: of })),
        ),
      };
    }
    case 'erase': {
      const { filter, ids, jobId } = change;
      const matches = ({ id, jobId: of, metadata }: Row): boolean =>
        ids.includes(id) || (jobId !== null && of === jobId) || (filter !== null && oracle(filter, metadata));
      return { written: 0, deleted: remove(model, matches) };
    }
    case 'deleteJob':
      return { written: 0, deleted: remove(model, ({ jobId }) => jobId === change.jobId) };
    case 'replaceJob': {
      const ids = new Set(change.rows.map(({ id }) => id));
      const deleted = remove(model, ({ id, jobId }) => jobId === change.oldJobId && !ids.has(id));
      return { written: write(change.rows), deleted };
    }
    case 'promote':
      return promote(model, change);
  }
};

/** Rows that match a filter, if any, best first by negative squared euclidean distance, then by id. */
export const nearest = (
  model: Model,
  vector: readonly number[],
  topK: number,
  filter?: Filter,
): readonly (readonly [string, number])[] =>
  [...liveRows(model).values()]
    .filter(({ row }) => filter === undefined || oracle(filter, row.metadata))
    .map(({ row }): readonly [string, number] => [
      row.id,
      0 - row.vector.reduce((sum, item, at) => sum + (item - (vector[at] ?? 0)) ** 2, 0),
    ])
    .toSorted(([left, one], [right, other]) => other - one || (left < right ? -1 : 1))
    .slice(0, topK);

/** Parts of a row that are searched: its text and, if a file wrote it, the headings above it. */
const searchedParts = ({ text, jobId, metadata }: Row): readonly string[] => {
  if (text === null) return [];
  const headings = jobId === null ? [] : ((metadata['heading_path'] ?? []) as readonly string[]);
  return [oneSpelling(text), ...headings];
};

/** Returns the ids of the rows with a phrase within one part, in order. */
export const withPhrase = (model: Model, phrase: string): readonly string[] =>
  [...liveRows(model).values()]
    .filter(({ row }) => searchedParts(row).some((part) => ` ${part} `.includes(` ${phrase} `)))
    .map(({ row }) => row.id)
    .toSorted();

/** Removes the rows that have expired. */
export const expireModel = (model: Model): void => {
  const live = liveRows(model);
  remove(model, ({ id }) => !live.has(id));
};

/** Makes former rows the content again, without those of some jobs, and says what that did. */
export const restoreModel = (
  model: Model,
  former: ReadonlyMap<string, Written>,
  goneJobs: ReadonlySet<string>,
): ChangeResult => {
  const again = [...former.values()].filter(({ row, version }) => model.rows.get(row.id)?.version !== version);
  const left = again.filter(({ row: { jobId } }) => jobId !== null && goneJobs.has(jobId));
  const gone = [...model.rows.keys()].filter((id) => !former.has(id));
  remove(model, ({ id }) => gone.includes(id));
  put(model, again);
  const isLeft = new Set(left.map(({ row }) => row.id));
  remove(model, ({ id }) => isLeft.has(id));
  return { written: again.length - left.length, deleted: gone.length, leftOut: left.length };
};
