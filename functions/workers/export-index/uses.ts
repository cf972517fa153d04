import { exportsSend, exportStore } from '../../../shared/exports/index.ts';
import { indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';
import { contentWriter } from '../../../shared/platform/aws/content.ts';
import { engineScan } from '#engine';

export const exportIndexUses = {
  exports: exportStore,
  queue: exportsSend,
  indexes: indexesWrite,
  log: logSend,
  engines: engineScan,
  stored: contentWriter({ puts: ['exported'], deletes: ['exported'] }),
};

/** Dependencies and run of an invocation. */
export type ExportContext = RunContext<typeof exportIndexUses>;
