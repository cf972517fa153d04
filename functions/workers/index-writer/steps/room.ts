import { failJob } from '../../../../shared/files/index.ts';
import type { LogMessage } from '../../../../shared/indexes/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import { noRoomForVectors, roomForVectors, type VectorRoom } from '../../../../shared/usage/index.ts';
import { jobAddress } from './finish-task.ts';
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
  const { change } = message;
  if (change.op !== 'write_task') return false;
  const { deps, run } = writing;
  const address = jobAddress(message, change.job_id);
  const { message: error } = noRoomForVectors(room);
  await deps.files.unseal(address);
  const job = await deps.files.noteInvocation(address, run.invocationId);
  if (job !== null) await failJob(deps, job, { error, code: 'processing_failed' }, run.clock);
  await refuse(writing, message, error);
  return true;
};
