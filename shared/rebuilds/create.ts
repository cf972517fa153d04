import type * as z from 'zod';
import { goldenSetsRead } from '../golden-sets/index.ts';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import {
  dependentsOf,
  type IndexRecord,
  indexesRead,
  regionsRead,
  requireEngineIn,
  requireReadyIndex,
  withContent,
} from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { isSameChunking } from '../kernel/chunking.ts';
import { AppError, invalid, notFound } from '../kernel/errors.ts';
import { embeddingModelsKnown } from '../platform/models/model-names.ts';
import { contentReader } from '../platform/aws/content.ts';
import { readerInvoke } from '../reader/index.ts';
import { currentAnalyzer, engines, hasFeature } from '#engine';
import { estimateRebuild } from './estimate.ts';
import { rebuildsSend } from './message.ts';
import {
  addressOfRebuild,
  type ContentSettings,
  hasTakenOver,
  isFilling,
  type NewRebuild,
  type RebuildRecord,
  settingsOf,
} from './record.ts';
import { type RebuildReader, rebuildsWrite } from './repository.ts';
import type { RebuildEstimate, rebuildFields } from './schemas.ts';

/** Capabilities that starting a rebuild needs. */
export const createRebuildUses = {
  indexes: indexesRead,
  rebuilds: rebuildsWrite,
  queue: rebuildsSend,
  models: embeddingModelsKnown,
  regions: regionsRead,
  reader: readerInvoke,
  content: contentReader('uploads'),
  sets: goldenSetsRead,
};

interface Start {
  readonly deps: Deps<typeof createRebuildUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

type Body = z.output<z.ZodObject<typeof rebuildFields>>;

/** Rebuilds of an organization that may fill a successor at once. They bound its load. */
const maxRunning = 2;

/** Returns how the successor is to store and find rows. Throws 409 and 422. */
const settingsAfter = ({ models, regions }: Start['deps'], index: IndexRecord, body: Body): ContentSettings => {
  const { embedding_model: model, text_language: textLanguage = index.textLanguage, engine = index.engine } = body;
  const embeddingModel =
    model === undefined ? index.embeddingModel : model === 'default' ? models.defaultOf(textLanguage).id : model;
  if (!models.has(embeddingModel)) {
    const values = models.all.map(({ id }) => `'${id}'`).join(', ');
    throw invalid(['body', 'embedding_model'], `this deployment has ${values} and 'default'`);
  }
  requireEngineIn(index.region, engine, regions);
  const { chunking = index.chunking } = body;
  const after = { engine, textLanguage, analyzer: currentAnalyzer, embeddingModel, chunking };
  if (JSON.stringify(after) === JSON.stringify(settingsOf(index)))
    throw new AppError(
      'conflict',
      'The index has this model, language, engine and chunking already, and the newest analysis of texts',
    );
  for (const name of isSameChunking(chunking, index.chunking) ? [] : [index.engine, engine])
    if (!engines[name].listsById)
      throw new AppError(
        'conflict',
        `The engine ${name} lists no rows by id, so the chunks of its files cannot be changed. Change the engine first, by a rebuild of its own`,
      );
  return after;
};

/** Throws 409 if branches prevent an engine. */
const requireBranches = (index: IndexRecord, engine: IndexRecord['engine']): void => {
  if (hasFeature(engine, 'branches')) return;
  const isBranched = dependentsOf(index).some(({ branchId }) => branchId.startsWith('idx_'));
  if (index.parentIndexId === null && !isBranched) return;
  throw new AppError('conflict', `The engine ${engine} has no branches. Delete the branches first, or promote them`);
};

/** Stores a rebuild and sends its first message, or only estimates it. Throws 404, 409 and 422. */
export const createRebuild = async (
  { deps, caller, idempotency }: Start,
  indexId: string,
  body: Body,
  proof: NewRebuild['proof'],
): Promise<{ readonly rebuild: RebuildRecord | null; readonly estimate: RebuildEstimate | null }> => {
  const { organizationId } = caller;
  const index = await requireReadyIndex(deps.indexes, organizationId, indexId);
  const id = idempotency.id('reb');
  const created: NewRebuild = {
    id,
    organizationId,
    indexId: index.id,
    region: index.region,
    from: settingsOf(index),
    to: settingsAfter(deps, index, body),
    foreignVectors: body.foreign_vectors,
    windowHours: body.window_hours,
    proof,
    createdAt: idempotency.at.toISOString(),
    createdBy: caller.subjectId,
  };
  requireBranches(index, created.to.engine);
  if (proof !== null && (await deps.sets.find(index, proof.goldenSet)) === null) throw notFound('Golden set');
  if (body.dry_run) return { rebuild: null, estimate: await estimateRebuild(deps, index, created.to) };
  const address = addressOfRebuild(created);
  if ((await deps.rebuilds.find(address)) === null) {
    if ((await deps.rebuilds.countRunning(organizationId)) >= maxRunning)
      throw new AppError(
        'conflict',
        `${maxRunning} rebuilds of the organization are running. Wait until one has ended`,
      );
    if (!(await deps.rebuilds.add(created, index)))
      throw new AppError(
        'conflict',
        'The index is being rebuilt, or its last rebuild can still be undone. DELETE that rebuild to end it',
      );
  }
  await deps.queue.send(index.region, address);
  return { rebuild: await deps.rebuilds.find(address), estimate: null };
};

/**
 * Returns an index as it is with the successor of a rebuild, which may lack the latest changes until it takes over. Throws 404
 * and 409.
 */
export const successorOf = async (
  rebuilds: Pick<RebuildReader, 'find'>,
  index: IndexRecord,
  rebuildId: string,
): Promise<IndexRecord> => {
  const { organizationId, id: indexId } = index;
  const found = await rebuilds.find({ organizationId, indexId, rebuildId });
  if (found === null) throw notFound('Rebuild');
  if (hasTakenOver(found)) return index;
  if (found.endedAt === null && found.other !== null && isFilling(found)) return withContent(index, found.other);
  throw new AppError('conflict', 'The rebuild has no successor');
};

/** Returns a rebuild of an existing index. Throws 404. */
export const requireRebuild = async (
  rebuilds: RebuildReader,
  address: Parameters<RebuildReader['find']>[0],
): Promise<RebuildRecord> => {
  const found = await rebuilds.find(address);
  if (found === null) throw notFound('Rebuild');
  return found;
};
