import {
  type IndexRecord,
  isLive,
  type LogMessage,
  neverExpires,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { dayMs, hourMs } from '../../../../shared/kernel/durations.ts';
import { expiredBy, expiringRows } from '#engine';
import { commitChanges } from './commit-changes.ts';
import type { Writing } from '../uses.ts';

/** Times from now before which rows may expire, shortest first. Each costs a count of rows. */
const horizons = [hourMs, 6 * hourMs, dayMs, 7 * dayMs, 30 * dayMs, 365 * dayMs];

/** Pause between two removals, since each reads the expiry of all rows. */
const pauseMs = hourMs;

/** Returns a time before which no row of an index expires, one of the horizons; null if no row expires. */
const nextExpiry = async ({ deps }: Writing, index: IndexRecord, now: Date): Promise<Date | null> => {
  const reader = deps.contents.readers(index.organizationId, index.engine);
  const ref = toIndexRef(index);
  if ((await reader.count(ref, expiringRows)) === 0) return null;
  let next = now;
  for (const horizon of horizons) {
    const end = laterBy(now, horizon);
    if ((await reader.count(ref, expiredBy(end.getTime()))) > 0) break;
    next = end;
  }
  return next;
};

/** Removes the rows of an index that have expired, and notes when the next ones may. */
export const applyExpiry = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<void> => {
  const { deps, run } = writing;
  const now = run.clock.now();
  await commitChanges(writing, index, [message]);
  const after = await deps.indexes.get(index.organizationId, index.id);
  if (!isLive(after)) return;
  const next = await nextExpiry(writing, after, now);
  if (next === null) {
    await deps.indexes.endExpiry(after);
    await deps.indexes.saveExpiry(after, neverExpires);
    return;
  }
  const later = laterBy(now, pauseMs);
  await deps.indexes.noteExpiry(after.organizationId, after.id, (next > later ? next : later).toISOString());
  await deps.indexes.saveExpiry(after, next.toISOString());
};
