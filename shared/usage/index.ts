export { type Account, countMessages, type Holding, newAccount, nothingHeld, type UsageTotals } from './account.ts';
export { embeddingTokens, maxTokensOf } from './embedding-tokens.ts';
export { estimateCostUsd } from './estimate-cost.ts';
export { indexHistory } from './history.ts';
export { usageRead, usageWrite } from './ledger.ts';
export type { TakeBack, UsageWriter } from './contracts.ts';
export { monthOf } from './items.ts';
export {
  type MonthlyQuota,
  monthlyQuota,
  monthlyQuotaRead,
  type QuotaAmounts,
  quotaTooSmall,
} from './monthly-quota.ts';
export type { QuotaKind, QuotaTask } from './quota-steps.ts';
export { monthUsage } from './month-usage.ts';
export { OrganizationUsage, UsageQuery } from './schemas.ts';
export {
  type IndexRoom,
  noRoomForVectors,
  requireRoomForVectors,
  roomForIndex,
  type VectorRoom,
} from './room-for-vectors.ts';
export { requireFileJob } from './reserve-file-job.ts';
export { trafficUse } from './traffic.ts';
export { type WaitingWrites, waitingWritesUse } from './waiting-writes.ts';
export { addWithinLimit, limitReached } from './within-limit.ts';
