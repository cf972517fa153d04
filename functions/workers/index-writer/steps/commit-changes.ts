import * as z from 'zod';
import {
  fromWireRow,
  type IndexRecord,
  type LogMessage,
  toIndexRef,
  WireRow,
} from '../../../../shared/indexes/index.ts';
import type { Change, CommitResult, Row } from '../../../../shared/platform/engine/port.ts';
import { finishTask, isOpenJob } from './finish-task.ts';
import { acknowledge } from './receipts.ts';
import type { Writing } from './writing.ts';

/** Commits, or fresh rows, after which the table is brought up to date in the background. */
const maintainAtFragments = 20;
const maintainAtUnindexedRows = 500;

type StoredRows = readonly z.infer<typeof WireRow>[] | { readonly key: string };

const loadRows = async ({ deps }: Writing, index: IndexRecord, rows: StoredRows): Promise<readonly Row[]> => {
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
  result: CommitResult['results'][number],
  durationMs: number,
): Promise<void> => {
  if (message.change.op === 'write_task') await finishTask(writing, message, result.written, durationMs);
  await acknowledge(writing, message, { written: result.written, deleted: result.deleted, error: null });
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
  await deps.indexes.saveState(index.organizationId, index.id, state, run.clock.now().toISOString());
  for (const [at, { message }] of changes.entries()) {
    await finish(writing, message, results[at] ?? { written: 0, deleted: 0 }, durationMs);
  }
  if (state.fragments >= maintainAtFragments || state.unindexedRows >= maintainAtUnindexedRows) {
    await deps.log.append(index, { op: 'maintain' }, `maintain-${index.id}-${state.version}`);
  }
};
