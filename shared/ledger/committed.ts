import { fillSlot, indexCapacityWarning } from '../events/index.ts';
import { jobAddressIn } from '../files/index.ts';
import { crossedWarning, holdingOf, type IndexRecord, type LogMessage } from '../indexes/index.ts';
import { engines, type ChangeResult, type TableState } from '#engine';
import { allSettled } from '../kernel/all-settled.ts';
import { countMessages, type Room, type UsageTotals, vectorLimitReached, type VectorQuota } from '../usage/index.ts';
import type { LedgerContext } from './context.ts';
import { countJob, endJob, uncountOriginal } from './count-job.ts';
import { changeCounters } from './count-usage.ts';
import { failTask, finishTask } from './tasks.ts';

/** Message with the result of its change. */
export interface MessageOutcome {
  readonly message: LogMessage;
  readonly result: ChangeResult;
}

/** Returns the usage of a message. The rows of a file are counted with its job. */
const usedBy = ({ message: { change }, result: { written, deleted } }: MessageOutcome): Partial<UsageTotals> => {
  switch (change.op) {
    case 'upsert':
      return { vectors_written: written, embedding_tokens: change.tokens };
    case 'patch':
      return { vectors_written: written };
    case 'promote':
      return { vectors_written: written, vectors_deleted: deleted };
    case 'delete':
    case 'erase':
      return { vectors_deleted: deleted };
    case 'remove_job':
      return change.counted ? { vectors_deleted: deleted } : {};
    case 'write_task':
      return change.replaces === null ? {} : { vectors_deleted: deleted };
    default:
      return {};
  }
};

/**
 * Whether a commit leaves objects that a later purge has to remove: deleted or replaced content, because the index grew by
 * fewer rows than were written, or the first version after maintenance.
 */
const leavesContent = (before: IndexRecord, after: TableState, outcomes: readonly MessageOutcome[]): boolean => {
  const sum = (figure: 'written' | 'deleted'): number =>
    outcomes.reduce((total, { result }) => total + result[figure], 0);
  if (!engines[before.engine].keepsRemovedContent) return false;
  if (before.layers[0].version <= Math.max(1, before.maintainedVersion)) return true;
  return sum('deleted') > 0 || sum('written') > after.rows - before.state.rows;
};

type SavedCommit = Parameters<LedgerContext['deps']['indexes']['saveState']>[3];

/**
 * Saves the committed version with its usage. A commit that takes the index over the warning of its capacity records
 * `index.capacity_warning` in the same write, thus once. Returns null if the index is gone.
 */
const saveState = async (
  { deps, run }: LedgerContext,
  index: IndexRecord,
  state: TableState,
  commit: SavedCommit,
): Promise<IndexRecord | null> => {
  const { organizationId, id, name, region } = index;
  const capacity = crossedWarning(index, { ...index, state }, deps.indexes.limits);
  if (capacity === null) return deps.indexes.saveState(organizationId, id, state, commit);
  run.log.warn('index.capacity.warning', { organization_id: organizationId, index_id: id, ...capacity });
  const at = run.clock.now();
  const event = fillSlot(
    'capacity',
    indexCapacityWarning({ at, organizationId, index: { id, name, region }, capacity }),
  );
  const flush = async (): Promise<void> => {
    const item = await deps.indexes.item(organizationId, id);
    if (item !== null) await deps.indexEvents.flush(organizationId, item);
  };
  const save = (filled?: typeof event) => deps.indexes.saveState(organizationId, id, state, commit, filled);
  let saved = await save(event);
  if (saved === null) {
    // The warning of an earlier commit may still wait in the slot. If it cannot be recorded, this commit has no warning of its own.
    await flush();
    saved = (await save(event)) ?? (await save());
  }
  await flush();
  return saved;
};

/**
 * Saves the committed version and the usage of the messages, with the index and in the usage ledger.
 * @param room New lease of room.
 * @param then Work that follows the version, beside the usage ledger.
 */
export const saveCommit = async (
  context: LedgerContext,
  index: IndexRecord,
  state: TableState,
  outcomes: readonly MessageOutcome[],
  room: Room | null,
  then?: () => Promise<void>,
): Promise<void> => {
  const { deps, run } = context;
  const at = run.clock.now().toISOString();
  const messages = outcomes.map((outcome) => ({ receiptId: outcome.message.receipt_id, used: usedBy(outcome) }));
  const { organizationId, id } = index;
  const expiry = Math.min(...outcomes.map(({ result }) => result.expiresFrom ?? Infinity));
  const expiresAt = expiry === Infinity ? null : new Date(expiry).toISOString();
  const isEarlier = ({ expiresFrom: known }: IndexRecord): boolean =>
    expiresAt !== null && (known === null || expiresAt < known);
  if (expiresAt !== null && isEarlier(index)) await deps.indexes.noteExpiry(organizationId, id, expiresAt);
  const isErasure = outcomes.some(({ message: { change } }) => change.op === 'erase');
  const counted = changeCounters(
    deps,
    index,
    at,
    (current) => {
      const usage = countMessages({ usage: current.usage, held: holdingOf(current) }, messages, at);
      const [{ version }] = current.layers;
      // A repeat may see the version before the maintenance that its first run was followed by.
      const newest = version > state.version ? { ...current.state, version } : state;
      return saveState(context, current, newest, {
        at,
        usage,
        room,
        expiresFrom: isEarlier(current) ? expiresAt : null,
        erasedFrom: isErasure ? { table: current.layers[0].table, version: newest.version } : null,
      });
    },
    then,
  );
  const isLeft = leavesContent(index, state, outcomes);
  const noted = isLeft ? deps.indexes.notePendingCleanup(index, at) : Promise.resolve();
  await allSettled([counted, noted], 'a commit has not been followed up');
};

/** Commit of a table with the outcomes of its messages. */
interface Commit {
  readonly state: TableState;
  readonly outcomes: readonly MessageOutcome[];
  readonly durationMs: number;
  /** Quota that was too small, if any was read. */
  readonly quota: VectorQuota | null;
  /** New lease of room; null if there is none. */
  readonly room: Room | null;
}

/**
 * Completes or fails the task of a message, and ends and counts its job. Returns why the message is refused after all; null
 * if its result stands.
 */
const followUp = async (
  context: LedgerContext,
  { message, result }: MessageOutcome,
  { durationMs, quota }: Commit,
): Promise<string | null> => {
  const { deps, run } = context;
  if (result.noRoom !== undefined && quota !== null) {
    const { message: error } = vectorLimitReached(quota);
    if (await failTask(context, message, error)) return error;
  }
  if (result.unsupported !== undefined) await failTask(context, message, result.unsupported);
  else {
    const job = await finishTask(context, message, result.written, durationMs);
    if (job !== null) await endJob(deps, job, run.clock);
  }
  if (message.change.op === 'remove_job') {
    const address = jobAddressIn(message, message.change.job_id);
    await countJob(deps, address, run.clock);
    // The job is being deleted together with its original.
    if (message.change.counted) await uncountOriginal(deps, address, run.clock);
  }
  return null;
};

/**
 * Saves a committed version with its usage, and follows up each message: tasks, jobs, usage, credits and events. Repeatable
 * by receipt id.
 * @param acknowledge Writes the receipt of a message, with the reason if it is refused after all.
 */
export const committed = (
  context: LedgerContext,
  index: IndexRecord,
  commit: Commit,
  acknowledge: (outcome: MessageOutcome, refusal: string | null) => Promise<void>,
): Promise<void> =>
  saveCommit(context, index, commit.state, commit.outcomes, commit.room, async () => {
    for (const outcome of commit.outcomes) await acknowledge(outcome, await followUp(context, outcome, commit));
  });
