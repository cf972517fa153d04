import type { KeptVersion } from '../port.ts';
import type { StoredObject } from './object-store.ts';
import { versionOfKey, versionPrefix } from './segment-format.ts';

/** Manifests of kept versions that are read at once. */
export const manifestsAtOnce = 16;

/** Seconds for which every version is kept after it was replaced, at least. */
const allSeconds = 20 * 60;
/** Unit of the kept versions of the last day, and of those before, in milliseconds. */
const [fineMs, coarseMs] = [5 * 60_000, 60 * 60_000];
const dayMs = 24 * 60 * 60_000;

/** Returns the versions among the objects of an index, oldest first. */
export const versionsIn = (objects: readonly StoredObject[], table: string): readonly KeptVersion[] =>
  objects
    .filter(({ key }) => key.startsWith(versionPrefix(table)))
    .map(({ key, writtenAt }) => ({ version: versionOfKey(key), writtenAt }));

/**
 * Returns the versions that are kept for some days. These are all that were the newest within the last 20 minutes. Before that,
 * they are those that were the newest at the end of five minutes, and before a day at the end of an hour.
 * @param fromVersion Version before which only those of the last minutes are kept.
 */
export const keptOf = (
  found: readonly KeptVersion[],
  keepDays: number,
  now: Date,
  fromVersion = 0,
): readonly KeptVersion[] =>
  found.filter(({ version, writtenAt }, at) => {
    const replacedAt = found[at + 1]?.writtenAt;
    if (replacedAt === undefined) return true;
    const ageMs = now.getTime() - replacedAt.getTime();
    if (ageMs <= allSeconds * 1_000) return true;
    if (ageMs > keepDays * dayMs || version < fromVersion) return false;
    const unitMs = ageMs > dayMs ? coarseMs : fineMs;
    return Math.floor(writtenAt.getTime() / unitMs) !== Math.floor(replacedAt.getTime() / unitMs);
  });
