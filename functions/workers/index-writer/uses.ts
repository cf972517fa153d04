import { recordEvents } from '../../../shared/events/index.ts';
import { filesWrite } from '../../../shared/files/index.ts';
import { buildsSend, deletionsSend, indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { monthlyQuota, originalAllowance, usageWrite } from '../../../shared/usage/index.ts';
import { engineWrite } from '../../../shared/platform/engine/engine-write.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';

export const indexWriterUses = {
  indexes: indexesWrite,
  files: filesWrite,
  content: contentReader('batches'),
  stored: contentWriter({ deletes: ['uploads'] }),
  indexEvents: recordEvents('indexes'),
  events: recordEvents('files'),
  log: logSend,
  builds: buildsSend,
  deletions: deletionsSend,
  engines: engineWrite,
  usage: usageWrite,
  quota: monthlyQuota,
  originals: originalAllowance,
  organizations: organizationsRead,
};

/** Dependencies and context of a run of the writer. */
export type Writing = RunContext<typeof indexWriterUses>;
