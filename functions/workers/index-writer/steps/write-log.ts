import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { idsOf } from '../../../../shared/kernel/log.ts';
import { beginTaskWrite } from '../../../../shared/ledger/index.ts';
import type { Delivery } from '../../../../shared/pipeline/worker.ts';
import { applyBranch, refuseChange } from './apply-branch.ts';
import { applyExpiry } from './apply-expiry.ts';
import { applyReplacement } from './apply-replacement.ts';
import { applyPromotion, commitChanges } from './commit-changes.ts';
import { applyClose, applyCreate } from './create-and-close.ts';
import { applyRestore } from './apply-restore.ts';
import { applySwitch } from './apply-switch.ts';
import { applyReconcile } from './end-poison.ts';
import { isShortOfTime } from './load-change.ts';
import { ledgerOf, type Writing } from '../uses.ts';

type Entry = Delivery<LogMessage>;

type Apply = (writing: Writing, index: IndexRecord) => Promise<void>;

/** Returns the function that applies a change which cannot share a commit; null if it can. */
const applyAlone = (message: LogMessage): Apply | null => {
  const { change } = message;
  switch (change.op) {
    case 'create':
      return (writing, index) => applyCreate(writing, index, message);
    case 'branch':
      return (writing, index) => applyBranch(writing, index, { ...message, change });
    case 'promote':
      return (writing, index) => applyPromotion(writing, index, { ...message, change });
    case 'restore':
      return (writing, index) => applyRestore(writing, index, { ...message, change });
    case 'switch':
      return (writing, index) => applySwitch(writing, index, { ...message, change });
    case 'expire':
      return (writing, index) => applyExpiry(writing, index, message);
    case 'close':
      return (writing, index) => applyClose(writing, index, message);
    case 'reconcile':
      return (writing) => applyReconcile(writing, { ...message, change });
    case 'patch':
      // The rows of a filter are limited by the memory of the writer, which they do not share with others.
      return change.filter === undefined ? null : (writing, index) => commitChanges(writing, index, [message]);
    case 'erase':
      return (writing, index) => commitChanges(writing, index, [message]);
    case 'delete':
      // Alone, a deletion of all rows need not name them.
      return change.filter instanceof Object && Object.keys(change.filter).length === 0
        ? (writing, index) => commitChanges(writing, index, [message])
        : null;
    case 'write_task': {
      const { replaces } = change;
      if (replaces === null) return null;
      return (writing, index) => applyReplacement(writing, index, { ...message, change: { ...change, replaces } });
    }
    default:
      return null;
  }
};

/** Changes that are applied even if the index is being deleted. */
const appliedWhileDeleting: ReadonlySet<LogMessage['change']['op']> = new Set(['branch', 'close', 'reconcile']);

/** Splits messages into parts: each is one message that is applied alone, or changes that can share a commit. */
const partsOf = (messages: readonly LogMessage[]): readonly (readonly LogMessage[])[] => {
  const found: LogMessage[][] = [];
  for (const message of messages) {
    const last = found.at(-1);
    const head = last?.[0];
    if (last === undefined || head === undefined || applyAlone(message) !== null || applyAlone(head) !== null)
      found.push([message]);
    else last.push(message);
  }
  return found;
};

const applyPart = async (writing: Writing, index: IndexRecord | null, part: readonly LogMessage[]): Promise<void> => {
  const [head] = part;
  if (head === undefined) return;
  const { op } = head.change;
  if (index === null || (index.status === 'deleting' && !appliedWhileDeleting.has(op))) {
    for (const message of part) await refuseChange(writing, message, 'The index has been deleted');
    return;
  }
  const alone = applyAlone(head);
  if (alone === null) await commitChanges(writing, index, part);
  else await alone(writing, index);
};

/**
 * Removes messages that have a receipt or occur earlier in the batch. A request that is repeated after minutes sends its
 * message again, long after the first was applied.
 */
const withoutRepeats = async ({ deps }: Writing, messages: readonly LogMessage[]): Promise<readonly LogMessage[]> => {
  const found = new Map<string, LogMessage>();
  for (const message of messages) {
    const { organization_id, index_id, receipt_id, is_repeat = false } = message;
    if (found.has(receipt_id)) continue;
    if (is_repeat && (await deps.indexes.receipt(organization_id, index_id, receipt_id)) !== null) continue;
    found.set(receipt_id, message);
  }
  return [...found.values()];
};

/** Applies the messages of one index in order. Returns those for which no time was left. */
const writeIndex = async (writing: Writing, messages: readonly LogMessage[]): Promise<readonly LogMessage[]> => {
  const waiting = partsOf(await withoutRepeats(writing, messages));
  for (const [at, part] of waiting.entries()) {
    if (at > 0 && isShortOfTime(writing)) return waiting.slice(at).flat();
    const [head] = part;
    if (head !== undefined)
      await applyPart(writing, await writing.deps.indexes.get(head.organization_id, head.index_id), part);
  }
  return [];
};

/** Counts a failed run with the tasks whose rows it was to write, because it may have failed before that. */
const countFailedRun = async (writing: Writing, messages: readonly LogMessage[]): Promise<void> => {
  try {
    await inParallel(messages, messages.length, async (message) => {
      const { change } = message;
      if (change.op === 'write_task') await beginTaskWrite(ledgerOf(writing), { ...message, change });
    });
  } catch (error) {
    writing.run.log.warn('log.failed_run.count.failed', { messages: messages.map(idsOf), error });
  }
};

const attemptOf = (entries: readonly Entry[]): number => Math.max(...entries.map(({ attempt }) => attempt));

/**
 * Applies a batch of the log, index by index. Returns the ids of messages to retry: those for which no time was left, and all
 * messages of an index that failed, so that their order stays.
 */
export const writeLog = async (writing: Writing, deliveries: readonly Entry[]): Promise<readonly string[]> => {
  const failed: string[] = [];
  const byIndex = Map.groupBy(deliveries, ({ message }) => message.index_id);
  // Indexes with the most attempts come first.
  const longestFirst = [...byIndex.values()].toSorted((one, other) => attemptOf(other) - attemptOf(one));
  for (const [at, entries] of longestFirst.entries()) {
    const messages = entries.map(({ message }) => message);
    let left: readonly LogMessage[] = messages;
    try {
      if (at === 0 || !isShortOfTime(writing)) left = await writeIndex(writing, messages);
    } catch (error) {
      const index_id = messages[0]?.index_id;
      const what = { index_id, messages: messages.map(idsOf), error };
      writing.run.log.error('index.log.apply.failed', what);
      await countFailedRun(writing, messages);
      // The cause decides how long a single message is retried.
      if (deliveries.length === 1) throw error;
    }
    failed.push(...entries.flatMap(({ message, messageId }) => (left.includes(message) ? [messageId] : [])));
  }
  return failed;
};
