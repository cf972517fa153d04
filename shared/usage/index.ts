export {
  addUsage,
  type UsageCounters,
  countMessages,
  type Holding,
  newUsageCounters,
  nothingHeld,
  type Room,
  type UsageTotals,
} from './usage-counters.ts';
export { embeddingTokens, maxTokensOf } from './embedding-tokens.ts';
export { estimateCostUsd, estimateSearchUsd } from './estimate-cost.ts';
export { dailyUsage, usageDayKey } from './daily-usage.ts';
export { dateRangeOf, dateRangeQuery } from './date-range.ts';
export { addDays, dateOf, type DayTotals, indexHistory, type IndexDay, organizationHistory } from './history.ts';
export { addHistograms, summarizeLatencies } from './latency-histogram.ts';
export { usageRead, usageWrite } from './usage-ledger.ts';
export type { UndoCount, UsageWriter } from './contracts.ts';
export { monthOf, recallKey } from './items.ts';
export {
  type MonthlyQuota,
  monthlyQuota,
  monthlyQuotaRead,
  type QuotaAmounts,
  type QuotaKind,
  type QuotaTask,
  quotaTooSmall,
} from './monthly-quota.ts';
export { indexUsages, monthUsage } from './month-usage.ts';
export {
  CredentialUsage,
  ValueUsage,
  DailyUsage,
  IndexUsage,
  OrganizationUsage,
  toUsageBody,
  usageMonth,
  UsageQuery,
} from './schemas.ts';
export {
  vectorLimitReached,
  requireVectorQuota,
  remainingQuotaOf,
  hasRoom,
  type VectorQuota,
} from './remaining-quota.ts';
export { requireFileJob } from './reserve-file-job.ts';
export {
  type NewOriginal,
  openOriginalAllowance,
  type OriginalAllowance,
  originalAllowance,
} from './original-allowance.ts';
export { openStoredFilesLedger } from './stored-files.ts';
export { spendingLimits, type SpendingWatch, spendingWatch } from './spending.ts';
export { rateLimiter } from './rate-limiter.ts';
export { credentialTerms, hasRates, monthlyLimitsFor, requireMonthlyLimits } from './credential-terms.ts';
export {
  type SubjectUsageReader,
  countedCredential,
  type CountedFigures,
  subjectsOf,
  subjectUsageRead,
  subjectUsageWrite,
  type UsageValue,
  type ValueSubject,
} from './subject-usage.ts';
export { planTerms } from './rate-limit-shards.ts';
export { type WaitingWrites, waitingWritesUse } from './waiting-writes.ts';
export { addWithinPlanLimit, planLimitReached } from './plan-limit.ts';
