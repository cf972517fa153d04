import type { IndexRecord, LogMessage } from '../../../../shared/indexes/index.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import type { Change } from '../../../../shared/platform/engine/port.ts';
import {
  type RemainingQuota,
  vectorLimitReached,
  remainingQuotaOf,
  type VectorQuota,
} from '../../../../shared/usage/index.ts';
import { failTask } from './fail-task.ts';
import { refuse } from './receipts.ts';
import type { Writing } from '../uses.ts';

/** Returns the remaining vector quota of an index. */
export const remainingQuotaIn = async (
  { deps }: Writing,
  { organizationId, id }: IndexRecord,
): Promise<RemainingQuota> =>
  remainingQuotaOf(deps.usage, { organizationId, plan: await planOf(deps.organizations, organizationId) }, id);

/** Quota for changes that add no row. */
export const unlimitedQuota = { quota: null, maxRows: Infinity } as const;

/** Whether changes may add rows, so that the remaining quota must be read. */
export const mayAddRows = (changes: readonly Change[]): boolean =>
  changes.some((change) => change.kind === 'promote' || ('rows' in change && change.rows.length > 0));

/** Fails the job of a message that exceeds the quota. Returns false if the message is of no job. */
export const failOverQuota = async (writing: Writing, message: LogMessage, quota: VectorQuota): Promise<boolean> => {
  const { message: error } = vectorLimitReached(quota);
  if (!(await failTask(writing, message, error))) return false;
  await refuse(writing, message, error);
  return true;
};
