export {
  type UsageCounters,
  countMessages,
  type Holding,
  newUsageCounters,
  nothingHeld,
  type UsageTotals,
} from './usage-counters.ts';
export { embeddingTokens, maxTokensOf } from './embedding-tokens.ts';
export { estimateCostUsd } from './estimate-cost.ts';
export { indexHistory } from './history.ts';
export { usageRead, usageWrite } from './usage-ledger.ts';
export type { UndoCount, UsageWriter } from './contracts.ts';
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
  type RemainingQuota,
  vectorLimitReached,
  requireVectorQuota,
  remainingQuotaOf,
  type VectorQuota,
} from './remaining-quota.ts';
export { requireFileJob } from './reserve-file-job.ts';
export { rateLimiter } from './rate-limiter.ts';
export { type WaitingWrites, waitingWritesUse } from './waiting-writes.ts';
export { addWithinPlanLimit, planLimitReached } from './plan-limit.ts';
