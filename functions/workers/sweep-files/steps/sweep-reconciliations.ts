import { type indexesWrite, LogMessage, type logSend } from '../../../../shared/indexes/index.ts';
import type { Deps } from '../../../../shared/kernel/capability.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';
import { processBatch, maxBatchItems } from '../../../../shared/pipeline/process-batch.ts';

type SweepDeps = Deps<{ indexes: typeof indexesWrite; log: typeof logSend }>;

/** Repeats poison messages that left their log without a decision, at its end. After a day they are refused. */
export const sweepReconciliations = async ({ indexes, log }: SweepDeps, now: Date): Promise<void> => {
  const at = now.toISOString();
  await processBatch(await indexes.dueReconciliations(now, maxBatchItems), async (key) => {
    const note = await indexes.postponeReconciliation(key, at);
    if (note === null) return;
    const message = LogMessage.parse(note.message);
    const { organization_id: organizationId, index_id: id, receipt_id: receiptId, change } = message;
    const index = await indexes.get(organizationId, id);
    if (index === null || change.op === 'reconcile') return indexes.endReconciliation(message);
    const isLast = now.getTime() - Date.parse(note.since) >= dayMs;
    await log.append(index, { op: 'reconcile', change, is_last: isLast }, receiptId, { again: at });
    return undefined;
  });
};
