import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { awaitReceipt, changeIndexUses, deletionsSend, type IndexRecord } from '../indexes/index.ts';
import type { Deps } from '../kernel/capability.ts';
import { AppError, notFound } from '../kernel/errors.ts';
import { hasTakenOver, type RebuildWriter, rebuildsWrite } from '../rebuilds/index.ts';
import { addressOfErasure, type ErasureAddress, type ErasureRecord, type NewErasure } from './record.ts';
import { type ErasureReader, erasuresWrite } from './repository.ts';
import { type Requested, selectionOf, selectionSealer, selectorOf } from './selection.ts';

export const createErasureUses = {
  ...changeIndexUses,
  erasures: erasuresWrite,
  rebuilds: rebuildsWrite,
  selections: selectionSealer,
  deletions: deletionsSend,
};

/** Erasures of an organization that may run at once. */
const maxOpen = 100;

interface Start {
  readonly deps: Deps<typeof createErasureUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/** Ends the time in which a takeover can be undone, since the former content has the rows. Throws 409 before a takeover. */
export const endRollback = async (
  rebuilds: Pick<RebuildWriter, 'find' | 'endWindow'>,
  { organizationId, id: indexId, rebuildId }: IndexRecord,
  at: string,
): Promise<void> => {
  if (rebuildId === null) return;
  const address = { organizationId, indexId, rebuildId };
  const rebuild = await rebuilds.find(address);
  if (rebuild === null || rebuild.endedAt !== null) return;
  if (!hasTakenOver(rebuild))
    throw new AppError('conflict', 'The index is being rebuilt. Erase when the rebuild has ended, or cancel it');
  await rebuilds.endWindow(address, at);
};

/** Waits until the log has applied an erasure. One that takes longer continues in the background. Throws 409. */
const awaitErased = async (deps: Start['deps'], index: IndexRecord, address: ErasureAddress): Promise<void> => {
  try {
    await awaitReceipt(deps, index, address.erasureId);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'unavailable') return;
    await deps.erasures.withdraw(address);
    throw error;
  }
};

/** Removes rows from every read of an index, and begins to remove all that is left of them. Throws 409 and 429. */
export const createErasure = async (
  { deps, caller, idempotency }: Start,
  index: IndexRecord,
  requested: Requested,
): Promise<ErasureRecord> => {
  const { organizationId } = caller;
  const id = idempotency.id('era');
  const createdAt = idempotency.at.toISOString();
  await deps.waits.requireBelowLimit(index);
  if (!idempotency.isRepeat && (await deps.erasures.countOpen(organizationId)) >= maxOpen)
    throw new AppError('conflict', `At most ${maxOpen} erasures of an organization run at once`);
  await endRollback(deps.rebuilds, index, createdAt);
  const selection = selectionOf(requested);
  const created: NewErasure = {
    id,
    organizationId,
    indexId: index.id,
    region: index.region,
    by: selectorOf(requested),
    selection: await deps.selections.seal(id, selection),
    createdAt,
    createdBy: caller.subjectId,
  };
  const address = addressOfErasure(created);
  await deps.erasures.add(created);
  await deps.log.append(index, { op: 'erase', erasure_id: id, ...selection }, id, { isRepeat: idempotency.isRepeat });
  await awaitErased(deps, index, address);
  await deps.deletions.send(index, id);
  return requireErasure(deps.erasures, address);
};

/** Returns an erasure. Throws 404. */
export const requireErasure = async (erasures: ErasureReader, address: ErasureAddress): Promise<ErasureRecord> => {
  const found = await erasures.find(address);
  if (found === null) throw notFound('Erasure');
  return found;
};
