export { type Account, countJob, countMessages, type Holding, newAccount, type UsageTotals } from './account.ts';
export { estimateCostUsd } from './estimate-cost.ts';
export { indexHistory } from './history.ts';
export { usageRead, usageWrite } from './ledger.ts';
export { monthUsage } from './month-usage.ts';
export { OrganizationUsage } from './schemas.ts';
export { trafficUse } from './traffic.ts';
export { addWithinLimit } from './within-limit.ts';
