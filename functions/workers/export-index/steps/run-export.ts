import { addressOfExport, type ExportAddress, type ExportRecord } from '../../../../shared/exports/index.ts';
import {
  asOfVersion,
  dependentOf,
  firstReadable,
  type IndexRecord,
  isLive,
  releaseLayers,
  toIndexRef,
} from '../../../../shared/indexes/index.ts';
import { exportPrefix } from '../../../../shared/kernel/content-keys.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import { DamagedIndex, damagedMessage } from '#engine';
import type { ExportContext } from '../uses.ts';
import { maxPartRows, writePart } from './write-part.ts';

/** Maximum time of a part. No part begins that the end of the run would interrupt. */
const partTimeMs = 240_000;

/** Maximum duration of an export. Files are deleted a week after they were written. */
const maxExportMs = 20 * hourMs;

const release = ({ deps, run }: ExportContext, { organizationId, id, layers }: ExportRecord): Promise<void> =>
  releaseLayers(deps, { organizationId, id }, layers.slice(0, 1), run.clock);

/** Releases the versions that an ended export has read, and records its event. */
const finish = async (context: ExportContext, ended: ExportRecord): Promise<void> => {
  await release(context, ended);
  await context.deps.exports.recordEvent(addressOfExport(ended));
};

/** Ends an export as failed. */
const end = async (context: ExportContext, address: ExportAddress, error: string): Promise<void> => {
  const { deps, run } = context;
  const failed = await deps.exports.fail(address, error, run.clock.now().toISOString());
  if (failed !== null) await finish(context, failed);
};

/** Deletes an export with its files. A run that still writes a file leaves it to the lifecycle rule of the bucket. */
const erase = async (context: ExportContext, found: ExportRecord): Promise<void> => {
  const { deps } = context;
  const address = addressOfExport(found);
  await release(context, found);
  await deps.stored.deleteAll(found.region, exportPrefix(address));
  await deps.exports.delete(address);
};

/**
 * Keeps the current version of an index for an export without parts. Like a branch, it is noted in the index, so that
 * maintenance does not remove the version. Returns null if another run continues the export.
 */
const pin = async (context: ExportContext, found: ExportRecord, index: IndexRecord): Promise<ExportRecord | null> => {
  const { deps, run } = context;
  await release(context, found);
  const view = await deps.engines(index.organizationId, index.engine).viewOf(toIndexRef(index));
  const { layers } = found.asOf === null ? index : asOfVersion(index, found.asOf.version);
  const pinned = { layers, view };
  const begun = await deps.exports.begin(found, pinned, run.clock.now().toISOString());
  if (begun === null) return null;
  const [own] = begun.layers;
  if (own !== undefined)
    await deps.indexes.changeDependents(index.organizationId, index.id, {
      include: dependentOf(begun.id, own),
    });
  return begun;
};

/** Times that an export begins again because files were replaced or deleted. */
const maxRestarts = 10;

/**
 * Whether files were replaced or deleted since the export began, so that its rows are of several states. Then it begins
 * again, or fails after some times.
 */
const restartIfChanged = async (
  context: ExportContext,
  current: ExportRecord,
  index: IndexRecord,
): Promise<boolean> => {
  const { deps } = context;
  const isRebuilt = current.layers[0]?.table !== index.layers[0].table;
  const engine = deps.engines(index.organizationId, index.engine);
  if (!isRebuilt && (await engine.viewOf(toIndexRef(index))) === current.view) return false;
  const address = addressOfExport(current);
  if (current.restarts === maxRestarts)
    await end(context, address, `Files were replaced or deleted during each of ${maxRestarts + 1} attempts`);
  else if ((await deps.exports.restart(current)) !== null) await deps.queue.send(current.region, address);
  return true;
};

/** Writes parts until the export is complete, the time of the run ends, or another run continues it. */
const writeParts = async (
  context: ExportContext,
  begun: ExportRecord,
  index: IndexRecord,
  partRows: number,
): Promise<void> => {
  const { deps, run } = context;
  let current = begun;
  for (;;) {
    if (run.remainingMs() < partTimeMs) return deps.queue.send(current.region, addressOfExport(current));
    const { part, next } = await writePart(context, current, index, partRows);
    if (await restartIfChanged(context, current, index)) return undefined;
    const step = {
      parts: part === null ? current.parts : [...current.parts, part],
      after: next,
      at: run.clock.now().toISOString(),
    };
    if (next === null) {
      const completed = await deps.exports.complete(current, step);
      if (completed !== null) await finish(context, completed);
      return undefined;
    }
    const advanced = await deps.exports.advance(current, step);
    if (advanced === null) return undefined;
    current = advanced;
  }
};

const notKept = 'The version is not kept any more';

/** Begins, continues or deletes an export. @param partRows Maximum rows of a part. */
export const runExport = async (
  context: ExportContext,
  address: ExportAddress,
  partRows = maxPartRows,
): Promise<void> => {
  const { deps, run } = context;
  const found = await deps.exports.find(address);
  if (found === null) return;
  if (found.status === 'deleting') return erase(context, found);
  // The run that ended it may have died before it released the versions or recorded the event.
  if (found.completedAt !== null) return finish(context, found);
  const index = await deps.indexes.get(address.organizationId, address.indexId);
  if (!isLive(index)) return end(context, address, 'The index has been deleted');
  if (run.clock.now().getTime() - Date.parse(found.startedAt ?? found.createdAt) > maxExportMs)
    return end(context, address, 'The export has not ended within 20 hours');
  const { asOf } = found;
  if (asOf !== null && (asOf.table !== index.layers[0].table || asOf.version < firstReadable(index)))
    return end(context, address, notKept);
  try {
    const begun = found.parts.length === 0 ? await pin(context, found, index) : found;
    if (begun !== null) await writeParts(context, begun, index, partRows);
  } catch (error) {
    if (!(error instanceof DamagedIndex)) throw error;
    run.log.error('index.damaged', { index_id: index.id, error });
    await end(context, address, asOf === null ? damagedMessage : notKept);
  }
};

/** Ends an export whose attempts are exhausted. */
export const failExport = async (context: ExportContext, address: ExportAddress): Promise<void> => {
  const found = await context.deps.exports.find(address);
  if (found?.status === 'deleting') await erase(context, found);
  else await end(context, address, 'The index could not be exported after several attempts');
};
