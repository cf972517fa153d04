import { fillSlot, indexCapacityWarning } from '../../../../shared/events/index.ts';
import { crossedWarning, holdingOf, type IndexRecord, type LogMessage } from '../../../../shared/indexes/index.ts';
import { engines } from '../../../../shared/platform/engine/engines.ts';
import type { ChangeResult, TableState } from '../../../../shared/platform/engine/port.ts';
import { countMessages, type Room, type UsageTotals } from '../../../../shared/usage/index.ts';
import { changeCounters } from '../../../../shared/ledger/index.ts';
import type { Writing } from '../uses.ts';

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
    case 'patch_where':
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

/** Whether files of a table contain deleted or overwritten content: the index grew by fewer rows than were written. */
const removesContent = (before: IndexRecord, after: TableState, outcomes: readonly MessageOutcome[]): boolean => {
  const sum = (figure: 'written' | 'deleted'): number =>
    outcomes.reduce((total, { result }) => total + result[figure], 0);
  if (!engines[before.engine].keepsRemovedContent) return false;
  return sum('deleted') > 0 || sum('written') > after.rows - before.state.rows;
};

type Commit = NonNullable<Parameters<Writing['deps']['indexes']['saveState']>[3]>;

/**
 * Saves the committed version with its usage. A commit that takes the index over the warning of its capacity records
 * `index.capacity_warning` in the same write, thus once. Returns null if the index is gone.
 */
const saveState = async (
  { deps, run }: Writing,
  index: IndexRecord,
  state: TableState,
  commit: Commit,
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
  writing: Writing,
  index: IndexRecord,
  state: TableState,
  outcomes: readonly MessageOutcome[],
  room: Room | null,
  then?: () => Promise<void>,
): Promise<void> => {
  const { deps, run } = writing;
  const at = run.clock.now().toISOString();
  const messages = outcomes.map((outcome) => ({ receiptId: outcome.message.receipt_id, used: usedBy(outcome) }));
  const { organizationId, id } = index;
  await Promise.all([
    changeCounters(
      deps,
      index,
      at,
      (current) => {
        const usage = countMessages({ usage: current.usage, held: holdingOf(current) }, messages, at);
        return saveState(writing, current, state, { at, usage, room });
      },
      then,
    ),
    removesContent(index, state, outcomes) ? deps.indexes.notePendingCleanup(organizationId, id, at) : null,
  ]);
};
