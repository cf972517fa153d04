import { recordEvents } from '../events/index.ts';
import { filesWrite } from '../files/index.ts';
import { indexesWrite, logSend } from '../indexes/index.ts';
import { capability, type Deps, makeDeps, neededBy } from '../kernel/capability.ts';
import { organizationsRead } from '../organizations/index.ts';
import type { Run } from '../pipeline/worker.ts';
import { contentWriter } from '../platform/aws/content.ts';
import { monthlyQuota, originalAllowance, subjectUsageWrite, usageWrite } from '../usage/index.ts';

const ledgerUses = {
  indexes: indexesWrite,
  files: filesWrite,
  log: logSend,
  stored: contentWriter({ deletes: ['uploads'] }),
  events: recordEvents('files'),
  indexEvents: recordEvents('indexes'),
  usage: usageWrite,
  quota: monthlyQuota,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  organizations: organizationsRead,
};

export type LedgerDeps = Deps<typeof ledgerUses>;

/** All that follows a commit: tasks, jobs, usage, credits and events. The functions of this folder use it. */
export const ledgerUse = capability<LedgerDeps>(neededBy(ledgerUses), (runtime) => makeDeps(ledgerUses, runtime));

/** Dependencies of the ledger in one run. */
export interface LedgerContext {
  readonly deps: LedgerDeps;
  readonly run: Run;
}
