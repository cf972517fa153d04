import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import type { IndexRef, Retention } from '../port.ts';
import { keptOf, manifestsAtOnce, versionsIn } from './kept-versions.ts';
import { type OpenVersion, type OpenVersions, widthOf } from './open-versions.ts';
import { versionKey, versionOfKey, versionPrefix } from './segment-format.ts';

/** Longest time between writing a merged segment and the version that names it. */
const maxMergeMs = 60 * 60 * 1_000;

/** Versions that are not kept any more, from which on the manifests of all others are read. */
const minGone = 64;

/**
 * Removes the objects of an index that no kept version names. A segment that is not live in a version is in none after it,
 * unless a version restores a former one. Every version from the oldest young one on therefore consists of segments of that
 * one, of those that restore, and of younger ones.
 * @param newest Newest version of the index.
 * @returns Names of the tables below the kept versions, apart from those of younger ones. Null: too little is gone.
 */
export const collectObjects = async (
  versions: OpenVersions,
  newest: OpenVersion,
  ref: IndexRef,
  { keepSeconds, keepDays = 0, keepVersions, purge = false, fromVersion = 0 }: Retention,
  now: Date,
): Promise<ReadonlySet<string> | null> => {
  const { table } = ref.layers[0];
  const objects = await versions.store.list(`${table}/`);
  const cutMs = now.getTime() - keepSeconds * 1_000;
  const found = versionsIn(objects, table);
  const replaced = found.filter(({ writtenAt }) => writtenAt.getTime() <= cutMs);
  const oldest = Math.min(newest.manifest.version, Math.max(0, ...replaced.map(({ version }) => version)));
  const earlier =
    keepDays === 0 ? [] : keptOf(found, keepDays, now, fromVersion).filter(({ version }) => version < oldest);
  if (keepDays > 0 && !purge && replaced.length - earlier.length < minGone) return null;
  // The first version stays, so that a repeated creation finds it.
  const kept = new Set([versionKey(table, 1)]);
  const tables = new Set<string>();
  const keep = ({ manifest, live }: OpenVersion): void => {
    kept.add(versionKey(table, manifest.version));
    for (const { info } of live) kept.add(info.object);
    if (manifest.base === null) return;
    kept.add(manifest.base.rowSet);
    tables.add(manifest.base.table);
  };
  keep(newest);
  const restored = (newest.manifest.restored ?? []).filter((version) => version >= Math.min(fromVersion, oldest));
  const read = new Set([oldest, ...keepVersions, ...earlier.map(({ version }) => version), ...restored]);
  await inParallel([...read], manifestsAtOnce, async (at) => {
    const opened = at === 0 ? null : await versions.find(table, at, widthOf(ref));
    if (opened !== null) keep(opened);
  });
  const isVersion = (key: string): boolean => key.startsWith(versionPrefix(table));
  const isYoung = (key: string, writtenAt: Date): boolean =>
    isVersion(key) ? versionOfKey(key) > oldest : writtenAt.getTime() > cutMs - maxMergeMs;
  const gone = objects.filter(({ key, writtenAt }) => !kept.has(key) && !isYoung(key, writtenAt));
  await versions.store.remove(gone.map(({ key }) => key));
  return tables;
};
