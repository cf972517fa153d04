import { addressOfExport } from '../../../../shared/exports/index.ts';
import type { IndexRecord } from '../../../../shared/indexes/index.ts';
import { changesPrefix, embeddingsPrefix, exportsPrefix } from '../../../../shared/kernel/content-keys.ts';
import { foldedName } from '../../../../shared/kernel/text.ts';
import type { Deleting } from '../uses.ts';
import type { Erasing, FoundFiles, Looks } from './erasing.ts';

const pageSize = 100;

/** Deletes the exports of an index from before, and files of exports that are gone. Returns their number. */
const eraseExports = async (
  { deps, run }: Deleting,
  { organizationId, id: indexId, region }: IndexRecord,
  erasedAt: string,
): Promise<number> => {
  let count = 0;
  let after: string | null = null;
  do {
    const page = await deps.exports.list(organizationId, indexId, { limit: pageSize, after });
    for (const found of page.exports.filter(({ createdAt }) => createdAt < erasedAt)) {
      const address = addressOfExport(found);
      if ((await deps.exports.markDeleting(address, run.clock.now().toISOString())) === null) continue;
      await deps.exportQueue.send(found.region, address);
      count += 1;
    }
    after = page.next;
  } while (after !== null);
  const before = new Date(erasedAt);
  return count + (await deps.cached.deleteAll(region, exportsPrefix({ organizationId, indexId }), { before }));
};

/** Characters from which a question that contains a value is one about the subject. */
const minMention = 4;

/** Returns a test whether a question names the subject of an erasure. */
const mentionOf = ({ by }: Erasing['found'], { filter = {} }: Erasing['selection']): ((query: string) => boolean) => {
  const [value] = by === 'subject' ? Object.values(filter) : [];
  if (typeof value !== 'string' || value.length < minMention) return () => false;
  const named = foldedName(value);
  return (query) => foldedName(query).includes(named);
};

/**
 * Deletes what is left of erased rows outside of the index: exports, changes that were too large for their messages or could
 * not be applied, cached vectors, and events of erased files.
 */
export const eraseTraces = async (
  deleting: Deleting,
  { found, selection, targets }: Erasing,
  files: Pick<FoundFiles, 'gone' | 'kept'>,
): Promise<Looks> => {
  const { deps } = deleting;
  const { organizationId, region, erasedAt } = found;
  const before = new Date(erasedAt);
  const isErasedText = mentionOf(found, selection);
  let [exports, changes, logged] = [0, 0, 0];
  for (const { index, rows } of targets) {
    exports += await eraseExports(deleting, index, erasedAt);
    const prefix = changesPrefix({ organizationId, indexId: index.id });
    // The log has applied all changes from before the request.
    changes += await deps.stored.deleteAll(region, prefix, { before: new Date(found.createdAt), isFlat: true });
    const { entries, feedback } = await deps.queryLog.erase(index, { ids: new Set(rows.keys()), isErasedText, before });
    logged += entries + feedback;
  }
  const indexIds = new Set(targets.map(({ index }) => index.id));
  const cached = await deps.cached.deleteAll(region, embeddingsPrefix(organizationId), { before });
  return {
    exports: { count: exports },
    changes: { count: changes },
    query_log: { count: logged },
    dead_letters: { count: await deps.deadChanges.forget(region, indexIds) },
    model_cache: { count: cached },
    events: { count: await deps.history.forgetJobs(organizationId, files) },
  };
};
