import type { LogMessage } from '../../../../shared/indexes/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import { noRoomForVectors, roomForVectors, type VectorRoom } from '../../../../shared/usage/index.ts';
import { failTask } from './fail-task.ts';
import { refuse } from './receipts.ts';
import type { Writing } from './writing.ts';

/** What the plan of an organization has room for, by its books. */
export const roomOf = async ({ deps }: Writing, organizationId: string): Promise<VectorRoom> =>
  roomForVectors(deps.usage, { organizationId, plan: await planOf(deps.organizations, organizationId) });

/** Vectors that there is still room for; any number where nobody has to know. */
export const leftIn = (room: VectorRoom | null): number =>
  room === null ? Infinity : Math.max(0, room.limit - room.current);

/** Whether changes may add rows, so that it matters how many there is room for. */
export const mayAdd = (changes: readonly Change[]): boolean =>
  changes.some((change) => change.kind === 'promote' || ('rows' in change && change.rows.length > 0));

/** Ends the job of a message that the plan has no room for; false where it is of no job. */
export const failWithoutRoom = async (writing: Writing, message: LogMessage, room: VectorRoom): Promise<boolean> => {
  const { message: error } = noRoomForVectors(room);
  if (!(await failTask(writing, message, error))) return false;
  await refuse(writing, message, error);
  return true;
};
