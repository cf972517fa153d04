import {
  endRollback,
  erasedRows,
  type ErasurePlace,
  erasurePlaces,
  type ErasureRecord,
  type ErasureStep,
  type PlaceReports,
  type Selection,
} from '../../../../shared/erasures/index.ts';
import { type DeletionMessage, dependentsOf, type IndexRecord, isLive } from '../../../../shared/indexes/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { erasedPrefix } from '../../../../shared/kernel/content-keys.ts';
import { erasureWorkMs } from '#engine';
import type { Deleting } from '../uses.ts';
import type { Erasing, Looks, Target } from './erasing.ts';
import { eraseFiles } from './erase-files.ts';
import { eraseObjects } from './erase-objects.ts';
import { eraseTraces } from './erase-traces.ts';
import { receiptText } from './receipt-text.ts';

/** Files that a receipt names because they stay. */
const maxNamedFiles = 1_000;

/** Returns the branches of an index that read it, or that an erasure has made independent. Those of branches come first. */
const branchesOf = async (
  deleting: Deleting,
  index: IndexRecord,
  independent: readonly string[] = [],
): Promise<readonly IndexRecord[]> => {
  const found = new Map<string, IndexRecord>();
  for (const branchId of [...dependentsOf(index).map(({ branchId: id }) => id), ...independent]) {
    if (!branchId.startsWith('idx_') || branchId === index.id) continue;
    const branch = await deleting.deps.indexes.get(index.organizationId, branchId);
    if (!isLive(branch)) continue;
    for (const one of [...(await branchesOf(deleting, branch)), branch]) found.set(one.id, one);
  }
  return [...found.values()];
};

/** Removes the rows from branches too. Returns how many were removed, by index; null: a log has not applied it yet. */
const removeRows = async (
  { deps, run }: Deleting,
  { id, indexId }: ErasureRecord,
  targets: readonly IndexRecord[],
  selection: Selection,
): Promise<ReadonlyMap<string, number> | null> => {
  const removed = new Map<string, number>();
  for (const target of targets) {
    const receiptId = target.id === indexId ? id : `${id}-${target.id}`;
    const receipt = await deps.indexes.receipt(target.organizationId, target.id, receiptId);
    if (receipt?.error != null) throw new Error(`rows of ${target.id} could not be erased: ${receipt.error}`);
    if (receipt !== null) {
      removed.set(target.id, receipt.deleted);
      continue;
    }
    await endRollback(deps.rebuildChanges, target, run.clock.now().toISOString());
    await deps.log.append(target, { op: 'erase', erasure_id: id, ...selection }, receiptId, { isRepeat: true });
  }
  return removed.size === targets.length ? removed : null;
};

/** Places in which every look finds what maintenance has not removed yet. */
const maintained: ReadonlySet<ErasurePlace> = new Set(['branches', 'segments', 'versions']);

/** Returns the reports after a look. A place is verified if nothing was found. */
const reportsAfter = (before: PlaceReports, looks: Looks, at: string): PlaceReports => {
  const after = { ...before };
  for (const place of erasurePlaces) {
    const look = looks[place];
    if (look === undefined) continue;
    const { removed } = before[place];
    const { count, isOpen = false } = look;
    after[place] = {
      removed: maintained.has(place) ? Math.max(removed, count) : removed + count,
      verifiedAt: count === 0 && !isOpen ? at : null,
    };
  }
  return after;
};

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

/** Stores what the log has removed, once. */
const reportRows = (
  found: ErasureRecord,
  removed: ReadonlyMap<string, number>,
  at: string,
): ErasureRecord & { readonly erasedAt: string } => {
  if (found.erasedAt !== null) return { ...found, erasedAt: found.erasedAt };
  const places = { ...found.places, rows: { removed: sum(removed.values()), verifiedAt: at } };
  return { ...found, erasedAt: at, places };
};

const targetsOf = async (
  { deps }: Deleting,
  { id }: ErasureRecord,
  indexes: readonly IndexRecord[],
): Promise<readonly Target[]> => {
  const targets: Target[] = [];
  for (const index of indexes) {
    const rows = (await erasedRows(deps.lists, index, id)) ?? [];
    targets.push({ index, rows: new Map(rows.map(({ id: row, jobId }) => [row, jobId])) });
  }
  return targets;
};

/** Signs the receipt. The lists of rows are deleted first, since nothing is left that they name. */
const complete = async ({ deps, run }: Deleting, { found, targets }: Erasing, step: ErasureStep): Promise<void> => {
  for (const { index } of targets) {
    const { organizationId, id: indexId, region } = index;
    await deps.stored.deleteAll(region, erasedPrefix({ organizationId, indexId }, found.id));
  }
  const now = run.clock.now();
  const text = receiptText({ ...found, ...step, completedAt: now.toISOString() });
  await deps.erasures.complete(found, step, await deps.signer.sign(text), now);
};

/** Whether nothing was found in any place, and no work goes on that began before the erasure. */
const isClean = ({ erasedAt }: Erasing['found'], places: PlaceReports, now: Date): boolean =>
  now >= laterBy(erasedAt, erasureWorkMs) && erasurePlaces.every((place) => places[place].verifiedAt !== null);

/**
 * Removes what is left of the rows of an erasure, and signs its receipt once a look into every place has found nothing. Each
 * part finds what it removes by itself, so that a repeat is the look that verifies it. The sweep requests the next one.
 */
export const runErasure = async (
  deleting: Deleting,
  message: DeletionMessage & { readonly erasure_id: string },
): Promise<void> => {
  const { deps, run } = deleting;
  const { organization_id: organizationId, index_id: indexId, erasure_id: erasureId } = message;
  const stored = await deps.erasures.find({ organizationId, indexId, erasureId });
  const index = await deps.indexes.get(organizationId, indexId);
  if (stored === null || stored.completedAt !== null || !isLive(index)) return;
  const selection = await deps.selections.open(stored.id, stored.selection);
  const indexes = [...(await branchesOf(deleting, index, Object.keys(stored.cleanFrom))), index];
  const removed = await removeRows(deleting, stored, indexes, selection);
  if (removed === null) return;
  const at = run.clock.now().toISOString();
  const erasing: Erasing = {
    found: reportRows(stored, removed, at),
    selection,
    targets: await targetsOf(deleting, stored, indexes),
  };
  const files = await eraseFiles(deleting, erasing);
  const traces = await eraseTraces(deleting, erasing, files);
  const objects = await eraseObjects(deleting, erasing);
  const looks = { files, ...traces, ...objects.looks };
  const places = reportsAfter(erasing.found.places, looks, run.clock.now().toISOString());
  const { erasedAt } = erasing.found;
  const step = { erasedAt, places, cleanFrom: objects.cleanFrom, keptFiles: [...files.kept].slice(0, maxNamedFiles) };
  if (isClean(erasing.found, places, run.clock.now())) await complete(deleting, erasing, step);
  else await deps.erasures.save(erasing.found, step, run.clock.now());
};
