import { jobAddressIn } from '../../../../shared/files/index.ts';
import type { IndexRecord, MessageOf } from '../../../../shared/indexes/index.ts';
import { addUsage } from './update-ledger.ts';
import { acknowledge, done } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Adds tokens to the usage ledger for a job that was counted before. */
const countLate = async (writing: Writing, index: IndexRecord, receiptId: string, tokens: number): Promise<void> => {
  const at = writing.run.clock.now().toISOString();
  await addUsage(writing, index, { id: receiptId, used: { embedding_tokens: tokens } }, at);
};

/**
 * Counts the tokens that a model read for a task which had ended before the model responded. They are counted with the job
 * if that is not counted yet, else by themselves. The task notes it last, so that a repeat finds it done.
 */
export const applyCountTokens = async (
  writing: Writing,
  index: IndexRecord,
  message: MessageOf<'count_tokens'>,
): Promise<void> => {
  const { files } = writing.deps;
  const { job_id: jobId, ordinal, group, tokens } = message.change;
  const address = { ...jobAddressIn(message, jobId), ordinal };
  const task = await files.taskAt(address);
  if (task?.embedded.has(group) !== true) {
    const job = await files.get(address);
    if (job === null || job.counted) await countLate(writing, index, message.receipt_id, tokens);
    await files.noteTokens(address, { group, tokens, late: true });
  }
  await acknowledge(writing, message, done);
};
