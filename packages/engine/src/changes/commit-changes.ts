import { randomUUID } from 'node:crypto';
import { liveBy } from '../expiry.ts';
import { matchesAll } from '../filter.ts';
import type { Change, ChangeResult, CommitResult, EngineWriter, IndexRef } from '../port.ts';
import { applyChange, type KeyedChange } from './apply-change.ts';
import type { Commit, IndexContent } from './index-content.ts';
import { PendingRows } from './pending-rows.ts';

const nothing: ChangeResult = { written: 0, deleted: 0 };

/** Returns the ids that changes name. */
const namedIds = (changes: readonly KeyedChange[]): readonly string[] =>
  changes.flatMap(({ change }) => {
    const expected = 'expected' in change ? [...change.expected.keys()] : [];
    if (change.kind === 'delete' || change.kind === 'erase') return change.ids;
    if (change.kind === 'copy') return [...change.rows.map(({ id }) => id), ...change.removed];
    return change.kind === 'upsert' || change.kind === 'replaceJob'
      ? [...change.rows.map(({ id }) => id), ...expected]
      : expected;
  });

/**
 * Returns the ids whose rows changes need: those of patches, and those that a change compares with its `within`, or which may
 * have expired.
 */
const readIds = (changes: readonly KeyedChange[], { liveAt }: IndexRef): readonly string[] =>
  changes.flatMap(({ change }) => {
    if (change.kind === 'patch') return change.patches.map(({ id }) => id);
    if (change.kind !== 'delete' && change.kind !== 'upsert') return [];
    if (change.within === undefined && liveAt === undefined) return [];
    return change.kind === 'delete' ? change.ids : [...(change.expected?.keys() ?? [])];
  });

/**
 * Returns whether changes have the same result for any content, so that nothing is looked up: they write rows without
 * a condition, and these fit the limit.
 */
const areIndependentOfRows = (changes: readonly KeyedChange[], maxGrowth: number): boolean => {
  const rows = changes.map(({ change }) => (change.kind === 'upsert' && !change.expected ? change.rows.length : null));
  return !rows.includes(null) && rows.reduce<number>((sum, count) => sum + (count ?? 0), 0) <= maxGrowth;
};

/** Whether the only change empties the index, which needs no list of its rows. */
const isEmptying = (changes: readonly KeyedChange[]): boolean => {
  const [only, ...others] = changes;
  return only?.change.kind === 'deleteWhere' && others.length === 0 && matchesAll(only.change.filter);
};

/** Decides changes one after the other. Returns their effect, with their results in its journal. */
const planChanges = async (
  content: IndexContent,
  changes: readonly KeyedChange[],
  maxGrowth: number,
): Promise<Commit> => {
  const [first] = changes;
  if (first !== undefined && isEmptying(changes)) {
    const { liveAt } = content.ref;
    const live = liveAt === undefined ? null : await content.matching({ filter: liveBy(liveAt) });
    const result = { written: 0, deleted: live?.size ?? (await content.rows()) };
    return { rows: [], removed: 'all', removedJobs: [], journal: [[first.key, result]] };
  }
  const pending = new PendingRows(content);
  if (!areIndependentOfRows(changes, maxGrowth)) {
    const read = new Set(readIds(changes, content.ref));
    const named = new Set(namedIds(changes)).difference(read);
    await Promise.all([pending.read([...read]), pending.lookUp([...named])]);
  }
  const journal: (readonly [string, ChangeResult])[] = [];
  let room = maxGrowth;
  for (const keyed of changes) {
    pending.begin();
    const result = await applyChange(content, pending, keyed);
    const { added } = pending;
    const fits = added <= Math.max(0, room);
    if (fits) room -= added;
    else pending.rollback();
    const { expiresFrom } = pending;
    const noted = expiresFrom === Infinity ? result : { ...result, expiresFrom };
    journal.push([keyed.key, fits ? noted : { ...nothing, noRoom: added }]);
  }
  return { ...pending.effect(), journal };
};

const isEmpty = ({ rows, removed, removedJobs, journal }: Commit): boolean =>
  removed === 'all'
    ? journal.every(([, { deleted }]) => deleted === 0)
    : rows.length + removed.length + removedJobs.length === 0;

/** Whether a change has no rows, so that it only looks up the result of the change with its key. */
const isLookup = (change: Change): boolean =>
  change.kind === 'upsert' && change.rows.length === 0 && change.expected === undefined;

/**
 * Decides and writes changes. Those that the journal has are not applied again, unless their write is unfinished.
 * @returns Null: another writer has changed the index, so that the changes must be decided again.
 */
const commitOnce = async (
  content: IndexContent,
  changes: readonly KeyedChange[],
  maxRows: number,
): Promise<readonly ChangeResult[] | null> => {
  const known = content.journal;
  const fresh = changes.filter(({ key, change }) => !known.has(key) && !isLookup(change));
  const maxGrowth = maxRows === Infinity || fresh.length === 0 ? Infinity : maxRows - (await content.rows());
  const plan = await planChanges(content, fresh, maxGrowth);
  const isCurrent = async (): Promise<boolean> => changes.every(({ key }) => known.has(key)) || content.isNewest();
  if (!(await (isEmpty(plan) ? isCurrent() : content.write(plan)))) return null;
  const results = new Map(plan.journal);
  for (const { key, change } of changes) {
    const { unfinished = false, ...result } = known.get(key) ?? results.get(key) ?? nothing;
    results.set(key, unfinished && isLookup(change) ? { ...result, unfinished } : result);
    if (!unfinished || isLookup(change)) continue;
    // The first attempt has checked versions and limits. It may have written some of the rows.
    const repeated = 'expected' in change ? { ...change, expected: new Map() } : change;
    const { journal: _, ...effect } = await planChanges(content, [{ key, change: repeated }], Infinity);
    await content.write({ ...effect, journal: [[key, result]] });
  }
  return changes.map(({ key }) => results.get(key) ?? nothing);
};

/**
 * Returns the `commit` of an engine's writer: what each change means is decided here, once for all engines.
 * @param open Opens the content of an index. Throws `DamagedIndex`.
 */
export const commitTo =
  (open: (ref: IndexRef) => Promise<IndexContent>): EngineWriter['commit'] =>
  async (ref, changes, keys = [], maxRows = Infinity): Promise<CommitResult> => {
    const keyed = changes.map((change, at) => ({ key: keys[at] ?? randomUUID(), change }));
    for (;;) {
      const content = await open(ref);
      const results: ChangeResult[] = [];
      let isDone = true;
      for (const together of content.isAtomic ? [keyed] : keyed.map((one) => [one])) {
        const found = await commitOnce(content, together, maxRows);
        isDone &&= found !== null;
        results.push(...(found ?? []));
      }
      if (isDone) return { state: await content.state(), results };
    }
  };
