import { recordEvents } from '../../../shared/events/index.ts';
import { filesWrite, tasksSend } from '../../../shared/files/index.ts';
import { indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { ocrUse, transcriberUse, extractorUse } from '#documents';
import { monthlyQuota, usageWrite } from '../../../shared/usage/index.ts';
import { organizationsRead } from '../../../shared/organizations/index.ts';
import { embedderUse } from '../../../shared/platform/models/capability.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';

export const fileTaskUses = {
  files: filesWrite,
  indexes: indexesWrite,
  content: contentReader('uploads', 'batches', 'embeddings'),
  stored: contentWriter({ puts: ['batches', 'embeddings', 'uploads'], deletes: ['batches', 'uploads'] }),
  events: recordEvents('files'),
  log: logSend,
  tasks: tasksSend,
  organizations: organizationsRead,
  quota: monthlyQuota,
  usage: usageWrite,
  extractor: extractorUse,
  ocr: ocrUse,
  transcriber: transcriberUse,
  embedders: embedderUse,
};

/** Dependencies and run of an invocation. */
export type TaskContext = RunContext<typeof fileTaskUses>;
