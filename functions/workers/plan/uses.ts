import { credentialsRead } from '../../../shared/credentials/index.ts';
import { contentReader, contentWriter, uploadAccept } from '../../../shared/platform/aws/content.ts';
import { recordEvents } from '../../../shared/events/index.ts';
import { filesWrite, planSend, tasksSend } from '../../../shared/files/index.ts';
import { indexesRead, logSend } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { extractorUse, ocrEnabled } from '#documents';
import { monthlyQuotaRead, originalAllowance } from '../../../shared/usage/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';

export const planUses = {
  credentials: credentialsRead,
  files: filesWrite,
  indexes: indexesRead,
  organizations: organizationsRead,
  content: contentReader('uploads'),
  stored: contentWriter({ puts: ['batches'], deletes: ['uploads'] }),
  uploads: uploadAccept,
  events: recordEvents('files'),
  tasks: tasksSend,
  plans: planSend,
  log: logSend,
  extractor: extractorUse,
  ocrEnabled: ocrEnabled,
  quota: monthlyQuotaRead,
  originals: originalAllowance,
};

/** Dependencies and run of an invocation. */
export type PlanContext = RunContext<typeof planUses>;
