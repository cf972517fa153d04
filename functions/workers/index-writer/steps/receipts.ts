import type { LogMessage, Receipt } from '../../../../shared/indexes/index.ts';
import type { Writing } from './writing.ts';

/** How long a receipt is kept for whoever waits. */
const receiptHours = 24;

/** Tells whoever waits how a message ended; the first word stands. */
export const acknowledge = async (
  { deps, run }: Pick<Writing, 'run'> & { readonly deps: Pick<Writing['deps'], 'indexes'> },
  message: LogMessage,
  receipt: Receipt,
): Promise<void> => {
  const expiresAt = new Date(run.clock.now().getTime() + receiptHours * 3_600_000);
  await deps.indexes.addReceipt(message.organization_id, message.index_id, message.receipt_id, receipt, expiresAt);
};

/** Ends a message without its change. */
export const refuse = (writing: Parameters<typeof acknowledge>[0], message: LogMessage, error: string): Promise<void> =>
  acknowledge(writing, message, { written: 0, deleted: 0, error });
