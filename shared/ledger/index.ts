export { admit } from './admit.ts';
export { committed, type MessageOutcome, saveCommit } from './committed.ts';
export { type LedgerContext, ledgerUse } from './context.ts';
export { countCrawl } from './count-crawl.ts';
export { countJob } from './count-job.ts';
export { countRebuild } from './count-rebuild.ts';
export { countOnce } from './count-usage.ts';
export { goneJobs } from './gone-jobs.ts';
export { branched, closed, created, switched, withdrawn } from './indexes.ts';
export {
  completeReplacement,
  currentJobOf,
  hasCountedRows,
  isReplaced,
  isSucceededBy,
  lockReplacement,
  type ReplacementMessage,
  rowKeysOf,
} from './replacements.ts';
export { beginTaskWrite, endDoneJob, failTask, finishTask, stateOfTask } from './tasks.ts';
export { vectorLimitReached, type VectorQuota } from '../usage/index.ts';
