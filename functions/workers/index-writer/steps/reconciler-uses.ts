import { recordEvents } from '../../../../shared/events/index.ts';
import { filesWrite } from '../../../../shared/files/index.ts';
import { indexesWrite, logResend, logSend } from '../../../../shared/indexes/index.ts';
import type { RunContext } from '../../../../shared/pipeline/worker.ts';

export const reconcilerUses = {
  indexes: indexesWrite,
  files: filesWrite,
  events: recordEvents('files'),
  log: logSend,
  resends: logResend,
};

/** Dependencies of a run of the reconciler. */
export type Reconciling = RunContext<typeof reconcilerUses>;
