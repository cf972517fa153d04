import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { minuteMs } from '../../../../shared/kernel/durations.ts';
import type { Erased, IndexRef, Leftovers } from '../port.ts';
import { manifestsAtOnce, versionsIn } from './kept-versions.ts';
import { type LiveSegment, maskOf, type OpenVersion, type OpenVersions, widthOf } from './open-versions.ts';
import { versionKey } from './segment-format.ts';
import { isOwn } from './write-version.ts';

/** Time for which a merge or fold may go on that began before rows were erased, and writes objects with them. */
export const erasureWorkMs = 90 * minuteMs;

/** A table of an index. */
interface StoredTable {
  readonly name: string;
  readonly createdAt: Date;
}

/** Whether a segment has removed rows with some ids, or names them as removed. */
const containsErased = async ({ segment, isDead }: LiveSegment, ids: ReadonlySet<string>): Promise<boolean> => {
  const [{ ids: rows }, removed] = await Promise.all([segment.get('keys'), segment.get('removed')]);
  return rows.some((id, row) => isDead?.(row) === true && ids.has(id)) || [...removed].some((id) => ids.has(id));
};

/**
 * Whether the table below a version has rows with some ids that segments mask, or files with rows that were removed.
 * @param isOld Whether the table may be from before the erasure.
 */
const tableContainsErased = async (
  versions: OpenVersions,
  opened: OpenVersion,
  { ids }: Erased,
  isOld: boolean,
): Promise<boolean> => {
  const { base } = opened.manifest;
  if (base === null) return false;
  if (isOld && base.hasRemovedRows) return true;
  const [known, isMasked] = await Promise.all([versions.rowSet(base), maskOf(opened)]);
  return [...ids].some((id) => isMasked(id) && known.find(id) !== null);
};

/** Returns the names of the objects and tables that versions need, from one on. */
const neededFrom = async (
  versions: OpenVersions,
  found: readonly number[],
  ref: IndexRef,
): Promise<ReadonlySet<string>> => {
  const { table } = ref.layers[0];
  // The first version has no rows.
  const needed = new Set([versionKey(table, 1), ...found.map((version) => versionKey(table, version))]);
  await inParallel(found, manifestsAtOnce, async (version) => {
    const opened = await versions.find(table, version, widthOf(ref));
    for (const { object } of opened?.manifest.live ?? []) needed.add(object);
    if (opened?.manifest.base != null) needed.add(opened.manifest.base.rowSet).add(opened.manifest.base.table);
  });
  return needed;
};

/**
 * Returns what may be left of erased rows. The newest version is looked into. An object from before the erasure, or of work that
 * began before, is left unless a version from `fromVersion` on needs it.
 * @param tables Tables of the index.
 */
export const leftoversOf = async (
  versions: OpenVersions,
  newest: OpenVersion,
  ref: IndexRef,
  erased: Erased,
  tables: readonly StoredTable[],
): Promise<Leftovers> => {
  const { table } = ref.layers[0];
  const untilMs = erased.at.getTime() + erasureWorkMs;
  const { base, version } = newest.manifest;
  const createdAt = tables.find(({ name }) => name === base?.table)?.createdAt ?? erased.at;
  const inTable = await tableContainsErased(versions, newest, erased, createdAt.getTime() < untilMs);
  const inSegments = await inParallel(newest.live, manifestsAtOnce, async (one) =>
    !isOwn(one.info, ref) || (await containsErased(one, erased.ids)) ? [one.info.object] : [],
  );
  const live = [...inSegments.flat(), ...(base !== null && (inTable || base.owner !== table) ? [base.table] : [])];
  const objects = await versions.store.list(`${table}/`);
  const later = versionsIn(objects, table).filter(({ version: at }) => at >= erased.fromVersion);
  const needed = await neededFrom(
    versions,
    later.map(({ version: at }) => at),
    ref,
  );
  const stored = [...objects.map(({ key, writtenAt }) => ({ name: key, createdAt: writtenAt })), ...tables];
  const older = stored.filter(({ name, createdAt: at }) => !needed.has(name) && at.getTime() < untilMs);
  return { version, live, older: older.map(({ name }) => name) };
};
