import * as z from 'zod';
import {
  fromWireRow,
  holdingOf,
  type IndexRecord,
  type LogMessage,
  toIndexRef,
  WireRow,
} from '../../../../shared/indexes/index.ts';
import type { Change, ChangeResult, Row, TableState } from '../../../../shared/platform/engine/port.ts';
import { countMessages, type UsageTotals } from '../../../../shared/usage/index.ts';
import { countEndedJob, endJob, keepBooks } from './count-job.ts';
import { finishTask, isOpenJob, jobAddress } from './finish-task.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/** Commits, or fresh rows, after which the table is brought up to date in the background. */
const maintainAtFragments = 20;
const maintainAtUnindexedRows = 500;

type StoredRows = readonly z.infer<typeof WireRow>[] | { readonly key: string };

/** The rows of a change, wherever they are. */
export const loadRows = async ({ deps }: Writing, index: IndexRecord, rows: StoredRows): Promise<readonly Row[]> => {
  if (!('key' in rows)) return rows.map(fromWireRow);
  const bytes = await deps.content.get(index.region, rows.key);
  if (bytes === null) throw new Error(`the rows of a change are gone: ${rows.key}`);
  return z
    .array(WireRow)
    .parse(JSON.parse(new TextDecoder().decode(bytes)))
    .map(fromWireRow);
};

/** The engine's form of a message; null where it has nothing to write any more. */
const toChange = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<Change | null> => {
  const { change } = message;
  switch (change.op) {
    case 'upsert':
      return { kind: 'upsert', rows: await loadRows(writing, index, change.rows) };
    case 'delete':
      return { kind: 'delete', ids: change.ids };
    case 'delete_where':
      return { kind: 'deleteWhere', filter: change.filter };
    case 'remove_job':
      return { kind: 'deleteJob', jobId: change.job_id };
    case 'write_task':
      return (await isOpenJob(writing, message))
        ? { kind: 'upsert', rows: await loadRows(writing, index, change.rows) }
        : null;
    case 'create':
    case 'branch':
    case 'drop':
    case 'maintain':
      throw new Error(`${change.op} is no change of rows`);
  }
};

const finish = async (
  writing: Writing,
  message: LogMessage,
  result: ChangeResult,
  durationMs: number,
): Promise<void> => {
  const job = await finishTask(writing, message, result.written, durationMs);
  if (job !== null) await endJob(writing, job);
  if (message.change.op === 'remove_job') await countEndedJob(writing, jobAddress(message, message.change.job_id));
  await acknowledge(writing, message, { written: result.written, deleted: result.deleted, error: null });
};

interface MessageOutcome {
  readonly message: LogMessage;
  readonly result: ChangeResult;
}

const isCountedRemoval = ({ message: { change } }: MessageOutcome): boolean =>
  change.op === 'delete' || change.op === 'delete_where' || (change.op === 'remove_job' && change.counted);

/** What a message counts for in the account of the index; the rows of a file are counted with its job. */
const usedBy = (outcome: MessageOutcome): Partial<UsageTotals> => {
  const { change } = outcome.message;
  const { written, deleted } = outcome.result;
  if (change.op === 'upsert') return { vectors_written: written, embedding_tokens: change.tokens };
  const replaces = change.op === 'write_task' && change.replaces !== null;
  return replaces || isCountedRemoval(outcome) ? { vectors_deleted: deleted } : {};
};

/**
 * What removals have removed, also where they were committed by a run that died before it could say so: then the rows that
 * the index has lost since its last recorded version belong to the first of them.
 */
const withLostRemovals = (
  index: IndexRecord,
  state: TableState,
  outcomes: readonly MessageOutcome[],
): readonly MessageOutcome[] => {
  const [first, ...rest] = outcomes;
  if (first === undefined || !outcomes.every(isCountedRemoval)) return outcomes;
  const told = outcomes.reduce((sum, { result }) => sum + result.deleted, 0);
  const lost = Math.max(0, index.state.rows - state.rows - told);
  return [{ ...first, result: { ...first.result, deleted: first.result.deleted + lost } }, ...rest];
};

/** Records the committed version together with what the messages used, and both in the books of the organization. */
export const saveCommit = async (
  writing: Writing,
  index: IndexRecord,
  state: TableState,
  outcomes: readonly MessageOutcome[],
): Promise<void> => {
  const { deps, run } = writing;
  const at = run.clock.now().toISOString();
  const messages = outcomes.map((outcome) => ({ receiptId: outcome.message.receipt_id, used: usedBy(outcome) }));
  const commit = { at, usage: countMessages({ usage: index.usage, held: holdingOf(index) }, messages, at) };
  await keepBooks(writing, await deps.indexes.saveState(index.organizationId, index.id, state, commit), at);
};

/** One commit for all messages, then the committed version with the index, then what waits on each message. */
export const commitChanges = async (
  writing: Writing,
  index: IndexRecord,
  messages: readonly LogMessage[],
): Promise<void> => {
  const { deps, run } = writing;
  const engine = deps.engines(index.organizationId);
  const changes: { readonly message: LogMessage; readonly change: Change }[] = [];
  const empty: LogMessage[] = [];
  for (const message of messages) {
    const change = await toChange(writing, index, message);
    if (change === null) empty.push(message);
    else changes.push({ message, change });
  }
  for (const message of empty) await acknowledge(writing, message, { written: 0, deleted: 0, error: null });
  if (changes.length === 0) return;
  const startedMs = run.clock.now().getTime();
  const { state, results } = await engine.commit(
    toIndexRef(index),
    changes.map(({ change }) => change),
  );
  const durationMs = run.clock.now().getTime() - startedMs;
  const told = changes.map(({ message }, at) => ({ message, result: results[at] ?? { written: 0, deleted: 0 } }));
  const outcomes = withLostRemovals(index, state, told);
  await saveCommit(writing, index, state, outcomes);
  for (const { message, result } of outcomes) await finish(writing, message, result, durationMs);
  if (state.fragments >= maintainAtFragments || state.unindexedRows >= maintainAtUnindexedRows) {
    await deps.log.append(index, { op: 'maintain' }, `maintain-${index.id}-${state.version}`);
  }
};
