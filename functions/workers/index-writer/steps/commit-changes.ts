import * as z from 'zod';
import {
  fromWireRow,
  holdingOf,
  type IndexRecord,
  type LogMessage,
  toIndexRef,
  WirePatch,
  WireRow,
  WireWrite,
} from '../../../../shared/indexes/index.ts';
import type { Change, ChangeResult, Expected, Row, TableState } from '../../../../shared/platform/engine/port.ts';
import { metadataBytes } from '../../../../shared/http/metadata.ts';
import { countMessages, type UsageTotals } from '../../../../shared/usage/index.ts';
import { countEndedJob, endJob, keepBooks } from './count-job.ts';
import { finishTask, isLeftUnended, isOpenTask, jobAddress } from './finish-task.ts';
import { acknowledge, nothing, toReceipt } from './receipts.ts';
import type { Writing } from './writing.ts';

/** Commits, or fresh rows, after which the table is brought up to date in the background. */
const maintainAtFragments = 20;
const maintainAtUnindexedRows = 500;
/** In larger tables also the share of the rows that is fresh, because each run leaves a segment that slows searches. */
const maintainAtUnindexedShare = 0.01;

/** Whether searches suffer more from what maintenance has not seen yet than writes would from maintenance. */
const wantsMaintenance = ({ rows, fragments, unindexedRows }: TableState): boolean =>
  fragments >= maintainAtFragments ||
  unindexedRows >= Math.max(maintainAtUnindexedRows, rows * maintainAtUnindexedShare);

/** The items of a change, wherever they are. */
const loadItems = async <Item>(
  { deps }: Writing,
  index: IndexRecord,
  items: readonly Item[] | { readonly key: string },
  schema: z.ZodType<Item>,
): Promise<readonly Item[]> => {
  if (!('key' in items)) return items;
  const bytes = await deps.content.get(index.region, items.key);
  if (bytes === null) throw new Error(`the rows of a change are gone: ${items.key}`);
  return z.array(schema).parse(JSON.parse(new TextDecoder().decode(bytes)));
};

/** The rows of a file task. */
export const loadRows = async (
  writing: Writing,
  index: IndexRecord,
  rows: { readonly key: string },
): Promise<readonly Row[]> => (await loadItems(writing, index, rows, WireRow)).map(fromWireRow);

/** The versions that rows must have, where the change names any. */
const expectedOf = (
  items: readonly { readonly id: string; readonly if_version?: string | null | undefined }[],
): { readonly expected?: Expected } => {
  const named = items.flatMap(({ id, if_version }) => (if_version === undefined ? [] : [[id, if_version] as const]));
  return named.length === 0 ? {} : { expected: new Map(named) };
};

/** The engine's form of a message; null where it has nothing to write any more. */
const toChange = async (writing: Writing, index: IndexRecord, message: LogMessage): Promise<Change | null> => {
  const { change } = message;
  switch (change.op) {
    case 'upsert': {
      const items = await loadItems(writing, index, change.rows, WireWrite);
      return { kind: 'upsert', rows: items.map(fromWireRow), ...expectedOf(items) };
    }
    case 'patch': {
      const patches = await loadItems(writing, index, change.patches, WirePatch);
      return { kind: 'patch', patches, mostBytes: metadataBytes, ...expectedOf(patches) };
    }
    case 'delete':
      return { kind: 'delete', ids: change.ids };
    case 'delete_where':
      return { kind: 'deleteWhere', filter: change.filter };
    case 'remove_job':
      return { kind: 'deleteJob', jobId: change.job_id };
    case 'write_task':
      return (await isOpenTask(writing, message))
        ? { kind: 'upsert', rows: await loadRows(writing, index, change.rows) }
        : null;
    case 'create':
    case 'branch':
    case 'promote':
    case 'fold':
    case 'count_crawl':
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
  await acknowledge(writing, message, toReceipt(result));
};

/** Ends a message that has nothing to write any more, with what the run that wrote it may have left undone. */
const finishEmpty = async (writing: Writing, message: LogMessage): Promise<void> => {
  const { change } = message;
  const job = change.op === 'write_task' ? await writing.deps.files.get(jobAddress(message, change.job_id)) : null;
  if (job !== null && isLeftUnended(job)) await endJob(writing, job);
  await acknowledge(writing, message, toReceipt(nothing));
};

interface MessageOutcome {
  readonly message: LogMessage;
  readonly result: ChangeResult;
}

/** What a message counts for in the account of the index; the rows of a file are counted with its job. */
const usedBy = ({ message: { change }, result: { written, deleted } }: MessageOutcome): Partial<UsageTotals> => {
  switch (change.op) {
    case 'upsert':
      return { vectors_written: written, embedding_tokens: change.tokens };
    case 'patch':
      return { vectors_written: written };
    case 'promote':
      return { vectors_written: written, vectors_deleted: deleted };
    case 'delete':
    case 'delete_where':
      return { vectors_deleted: deleted };
    case 'remove_job':
      return change.counted ? { vectors_deleted: deleted } : {};
    case 'write_task':
      return change.replaces === null ? {} : { vectors_deleted: deleted };
    default:
      return {};
  }
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

interface Keyed {
  readonly message: LogMessage;
  readonly change: Change;
}

/** One commit for all changes, then the committed version with the index, then what waits on each of them. */
const applyChanges = async (writing: Writing, index: IndexRecord, changes: readonly Keyed[]): Promise<void> => {
  const { deps, run } = writing;
  const startedMs = run.clock.now().getTime();
  const { state, results } = await deps.engines(index.organizationId).commit(
    toIndexRef(index),
    changes.map(({ change }) => change),
    changes.map(({ message }) => message.receipt_id),
  );
  const durationMs = run.clock.now().getTime() - startedMs;
  const outcomes = changes.map(({ message }, at) => ({ message, result: results[at] ?? nothing }));
  await saveCommit(writing, index, state, outcomes);
  for (const { message, result } of outcomes) await finish(writing, message, result, durationMs);
  if (wantsMaintenance(state)) {
    await deps.log.append(index, { op: 'maintain' }, `maintain-${index.id}-${state.version}`);
  }
};

/** Applies messages that can share a commit. */
export const commitChanges = async (
  writing: Writing,
  index: IndexRecord,
  messages: readonly LogMessage[],
): Promise<void> => {
  const changes: Keyed[] = [];
  const empty: LogMessage[] = [];
  for (const message of messages) {
    const change = await toChange(writing, index, message);
    if (change === null) empty.push(message);
    else changes.push({ message, change });
  }
  if (changes.length > 0) await applyChanges(writing, index, changes);
  // Afterwards: what they count goes into the account that the commit has saved.
  for (const message of empty) await finishEmpty(writing, message);
};
