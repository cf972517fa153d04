import { batchesOf } from '../../../../shared/kernel/batches.ts';
import { expiryOf } from '../expiry.ts';
import type { ChangeResult, IndexRef, Restoration } from '../port.ts';
import { changesOf } from './branch-changes.ts';
import type { OpenVersion, OpenVersions } from './open-versions.ts';
import { fetchRows } from './read-segments.ts';
import { type MergeBounds, nextVersion, type NextVersion } from './write-version.ts';

/** Rows that are in memory at once. */
const rowsAtOnce = 2_000;
/** Versions that restored another, which a manifest remembers for the collection. */
const maxRestored = 16;

/** Rows that an index has again: those of jobs that are gone, and the earliest expiry of the others. */
interface Revived {
  readonly left: readonly string[];
  readonly expiresFrom: number;
}

const reviveRows = async (
  versions: OpenVersions,
  former: OpenVersion,
  ids: readonly string[],
  ref: IndexRef,
  { goneOf }: Restoration,
): Promise<Revived> => {
  const table = await versions.tableOf(former, ref);
  const left: string[] = [];
  let expiresFrom = Infinity;
  for (const some of batchesOf(ids, rowsAtOnce)) {
    const rows = await fetchRows(former, table, some, null);
    const jobs = new Set(rows.flatMap(({ jobId }) => jobId ?? []));
    const gone = jobs.size === 0 ? new Set<string>() : await goneOf([...jobs]);
    for (const { id, jobId, metadata } of rows)
      if (jobId !== null && gone.has(jobId)) left.push(id);
      else expiresFrom = Math.min(expiresFrom, expiryOf(metadata));
  }
  return { left, expiresFrom };
};

/** Returns the version that makes a former one the content again, and its result. Its segments are those of the former. */
export const restoredVersion = async (
  versions: OpenVersions,
  { newest, former }: { readonly newest: OpenVersion; readonly former: OpenVersion },
  ref: IndexRef,
  bounds: MergeBounds,
  restoration: Restoration,
): Promise<{ readonly result: ChangeResult; readonly next: NextVersion | null }> => {
  const changes = await changesOf(versions, { base: newest, branch: former, ref });
  const again = changes.filter(({ change }) => change !== 'deleted').map(({ id }) => id);
  const { left, expiresFrom } = await reviveRows(versions, former, again, ref, restoration);
  const rows = former.manifest.rows - left.length;
  const nothing: ChangeResult = { written: 0, deleted: 0 };
  if (rows > Math.max(restoration.maxRows, newest.manifest.rows))
    return { result: { ...nothing, noRoom: rows - newest.manifest.rows }, next: null };
  const result: ChangeResult = {
    written: again.length - left.length,
    deleted: changes.length - again.length,
    leftOut: left.length,
    ...(expiresFrom === Infinity ? {} : { expiresFrom }),
  };
  const { version, journal, restored = [] } = newest.manifest;
  const from = { ...former, manifest: { ...former.manifest, version, journal } };
  const commit = { rows: [], removed: left, removedJobs: [], journal: [[restoration.key, result] as const] };
  const next = await nextVersion(versions, from, commit, ref, bounds);
  const restoring = [...restored, next.manifest.version].slice(-maxRestored);
  return { result, next: { ...next, manifest: { ...next.manifest, restored: restoring } } };
};
