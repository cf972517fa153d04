import type { IndexRef, Retention } from '../port.ts';
import { type OpenVersions, widthOf } from './open-versions.ts';
import { versionKey, versionOfKey, versionPrefix } from './segment-format.ts';

/** Longest time between writing a merged segment and the version that names it. */
const maxMergeMs = 60 * 60 * 1_000;

/**
 * Removes the objects of an index that no kept version names. A segment that is not live in a version is in none after it.
 * Every version from the oldest kept one on therefore consists of segments of that one, and of younger ones.
 */
export const collectObjects = async (
  versions: OpenVersions,
  ref: IndexRef,
  { keepSeconds, keepVersions }: Retention,
  now: Date,
): Promise<void> => {
  const { table, version } = ref.layers[0];
  const objects = await versions.store.list(`${table}/`);
  const cutMs = now.getTime() - keepSeconds * 1_000;
  const isVersion = (key: string): boolean => key.startsWith(versionPrefix(table));
  const replaced = objects.filter(({ key, writtenAt }) => isVersion(key) && writtenAt.getTime() <= cutMs);
  const oldest = Math.min(version, Math.max(0, ...replaced.map(({ key }) => versionOfKey(key))));
  // The first version stays, so that a repeated creation finds it.
  const kept = new Set([versionKey(table, 1)]);
  for (const at of new Set([oldest, ...(await keepVersions())])) {
    const opened = at === 0 ? null : await versions.find(table, at, widthOf(ref));
    kept.add(versionKey(table, at));
    for (const { info } of opened?.live ?? []) kept.add(info.object);
    if (opened?.manifest.base != null) kept.add(opened.manifest.base.rowSet);
  }
  const isYoung = (key: string, writtenAt: Date): boolean =>
    isVersion(key) ? versionOfKey(key) > oldest : writtenAt.getTime() > cutMs - maxMergeMs;
  const gone = objects.filter(({ key, writtenAt }) => !kept.has(key) && !isYoung(key, writtenAt));
  await versions.store.remove(gone.map(({ key }) => key));
};
