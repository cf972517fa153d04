import type { IdempotencyContext } from '../http/idempotency.ts';
import { awaitReceipt } from './await-receipt.ts';
import type { Principal } from '../http/principal.ts';
import type { Deps } from '../kernel/capability.ts';
import type { changeIndexUses } from './capabilities.ts';
import type { Receipt } from './contracts.ts';
import type { RequestedChange } from './index-log.ts';
import type { IndexRecord } from './record.ts';
import { countedByChange } from './usage-values.ts';

/** Request that changes an index. */
interface ChangeCall {
  readonly deps: Deps<typeof changeIndexUses>;
  readonly caller: Principal;
  readonly idempotency: IdempotencyContext;
}

/**
 * Appends a change to the log of an index and waits for its receipt: the change is then durable and searchable. A repeat of
 * the request under its `Idempotency-Key` gets the receipt of the first run, and nothing is applied twice. Throws as
 * `awaitReceipt`. What was written counts for the caller, and for the values of the usage key of the index.
 * @param change Returns the change. Not called if an earlier run of the request has been applied.
 * @param startedMs Start of the request, by `performance.now()`.
 * @returns The receipt, and the version of the written rows.
 */
export const applyChange = async (
  { deps, caller, idempotency }: ChangeCall,
  index: IndexRecord,
  change: () => RequestedChange | Promise<RequestedChange>,
  startedMs: number = performance.now(),
): Promise<Receipt & { readonly version: string }> => {
  const version = idempotency.id('rcp');
  const { isRepeat } = idempotency;
  const applied = isRepeat ? await deps.indexes.receipt(index.organizationId, index.id, version) : null;
  const requested = applied === null ? await change() : null;
  if (requested !== null) await deps.log.append(index, requested, version, { isRepeat });
  const receipt = await awaitReceipt(deps, index, version, performance.now() - startedMs);
  if (requested !== null)
    await deps.subjectUsage.add(caller.organizationId, countedByChange(caller, index, requested, receipt));
  return { ...receipt, version };
};
