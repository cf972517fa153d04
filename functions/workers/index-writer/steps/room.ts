import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import { type IndexRoom, noRoomForVectors, roomForIndex, type VectorRoom } from '../../../../shared/usage/index.ts';
import { failTask } from './fail-task.ts';
import { refuse } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Returns the remaining vector quota of an index. */
export const roomIn = async ({ deps }: Writing, { organizationId, id }: IndexRecord): Promise<IndexRoom> =>
  roomForIndex(deps.usage, { organizationId, plan: await planOf(deps.organizations, organizationId) }, id);

/** Quota for changes that add no row. */
export const anyRoom = { room: null, mostRows: Infinity } as const;

/** Whether changes may add rows, so that the remaining quota must be read. */
export const mayAdd = (changes: readonly Change[]): boolean =>
  changes.some((change) => change.kind === 'promote' || ('rows' in change && change.rows.length > 0));

/** Fails the job of a message that exceeds the quota. Returns false if the message is of no job. */
export const failWithoutRoom = async (writing: Writing, message: LogMessage, room: VectorRoom): Promise<boolean> => {
  const { message: error } = noRoomForVectors(room);
  if (!(await failTask(writing, message, error))) return false;
  await refuse(writing, message, error);
  return true;
};
