import type { IdempotencyContext } from '../http/idempotency.ts';
import { awaitReceipt } from './await-receipt.ts';
import type { Deps } from '../kernel/capability.ts';
import type { changeIndexUses } from './capabilities.ts';
import type { Receipt } from './contracts.ts';
import type { RequestedChange } from './index-log.ts';
import type { IndexRecord } from './record.ts';

/** Request that changes an index. */
interface ChangeCall {
  readonly deps: Deps<typeof changeIndexUses>;
  readonly idempotency: IdempotencyContext;
}

/**
 * Appends a change to the log of an index and waits for its receipt: the change is then durable and searchable. A repeat of
 * the request under its `Idempotency-Key` gets the receipt of the first run, and nothing is applied twice. Throws as
 * `awaitReceipt`.
 * @param change Returns the change. Not called if an earlier run of the request has been applied.
 * @param startedMs Start of the request, by `performance.now()`.
 * @returns The receipt, and the version of the written rows.
 */
export const applyChange = async (
  { deps, idempotency }: ChangeCall,
  index: IndexRecord,
  change: () => RequestedChange | Promise<RequestedChange>,
  startedMs: number = performance.now(),
): Promise<Receipt & { readonly version: string }> => {
  const version = idempotency.id('rcp');
  const { isRepeat } = idempotency;
  const applied = isRepeat ? await deps.indexes.receipt(index.organizationId, index.id, version) : null;
  if (applied === null) await deps.log.append(index, await change(), version, { isRepeat });
  return { ...(await awaitReceipt(deps, index, version, performance.now() - startedMs)), version };
};
