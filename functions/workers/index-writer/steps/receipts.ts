import { laterBy } from '../../../../shared/kernel/clock.ts';
import { hourMs } from '../../../../shared/kernel/durations.ts';
import type { LogMessage, Receipt } from '../../../../shared/indexes/index.ts';
import type { ChangeResult } from '#engine';
import type { VectorQuota } from '../../../../shared/ledger/index.ts';
import type { Writing } from '../uses.ts';

export const nothing: ChangeResult = { written: 0, deleted: 0 };

/** Whether a change wrote or removed a row. */
export const didSomething = ({ written, deleted }: ChangeResult): boolean => written + deleted > 0;

const refusalOf = ({ conflicts, tooLarge, tooMany, noRoom, outside, unsupported }: ChangeResult): string | null => {
  if (unsupported !== undefined) return `${unsupported}. Nothing was written`;
  if (noRoom !== undefined) return `The plan has no room for ${noRoom} more vectors`;
  if (conflicts !== undefined) return 'Rows have other versions than the request expects. Nothing was written';
  if (outside !== undefined)
    return `${outside} rows would no longer match the filter of these credentials. Nothing was written`;
  if (tooLarge !== undefined)
    return `Metadata would exceed 40 KiB as JSON, nothing was written: ${tooLarge.join(', ')}`;
  return tooMany === undefined
    ? null
    : `The change concerns ${tooMany} vectors, which is more than one commit can write`;
};

/** Returns the receipt of a change. */
export const toReceipt = (result: ChangeResult, quota: VectorQuota | null = null): Receipt => {
  const { written, deleted, conflicts, missing, leftOut, noRoom } = result;
  return {
    written,
    deleted,
    error: refusalOf(result),
    ...(conflicts === undefined ? {} : { conflicts }),
    ...(missing === undefined ? {} : { missing }),
    ...(leftOut === undefined ? {} : { leftOut }),
    ...(noRoom === undefined || quota === null ? {} : { quota }),
  };
};

/** Receipt of a change that wrote no row. */
export const done: Receipt = toReceipt(nothing);

/** Hours for which a receipt is stored. */
const receiptHours = 24;

/** Writes the receipt of a message, for which the caller polls. A second receipt changes nothing. */
export const acknowledge = async (
  { deps, run }: Writing,
  message: Omit<LogMessage, 'change'>,
  receipt: Receipt,
): Promise<void> => {
  const expiresAt = laterBy(run.clock.now(), receiptHours * hourMs);
  await deps.indexes.addReceipt(message.organization_id, message.index_id, message.receipt_id, receipt, expiresAt);
};

/** Writes the receipt of a refused message, with the vector quota if that was too small. */
export const refuse = (
  writing: Writing,
  message: Omit<LogMessage, 'change'>,
  error: string,
  quota?: VectorQuota,
): Promise<void> =>
  acknowledge(writing, message, { written: 0, deleted: 0, error, ...(quota === undefined ? {} : { quota }) });
