import type { IdempotencyContext } from '../http/idempotency.ts';
import { awaitReceipt } from './await-receipt.ts';
import type { Deps } from '../kernel/capability.ts';
import type { changeIndexUses } from './capabilities.ts';
import type { Receipt } from './contracts.ts';
import type { AskedChange } from './log.ts';
import type { IndexRecord } from './record.ts';

/** A request that changes an index. */
interface ChangeCall {
  readonly deps: Deps<typeof changeIndexUses>;
  readonly idempotency: IdempotencyContext;
}

/**
 * Puts a change into the log of an index and waits until it is applied: durable and searchable. A repeat of the request
 * under its `Idempotency-Key` gets the receipt of the first, and nothing is applied twice. `version`: what the rows
 * have that were written. Throws as `awaitReceipt` does.
 * @param change Made unless an earlier run of the request has been applied.
 * @param startedMs When the request began, by `performance.now()`.
 */
export const applyChange = async (
  { deps, idempotency }: ChangeCall,
  index: IndexRecord,
  change: () => AskedChange | Promise<AskedChange>,
  startedMs: number = performance.now(),
): Promise<Receipt & { readonly version: string }> => {
  const version = idempotency.id('rcp');
  const { isRepeat } = idempotency;
  const applied = isRepeat ? await deps.indexes.receipt(index.organizationId, index.id, version) : null;
  if (applied === null) await deps.log.append(index, await change(), version, { isRepeat });
  return { ...(await awaitReceipt(deps, index, version, performance.now() - startedMs)), version };
};
