import { credentialStore } from '../../../shared/connectors/index.ts';
import { crawlsErase, crawlsWrite } from '../../../shared/crawls/index.ts';
import { erasureStore, receiptSigner, selectionSealer } from '../../../shared/erasures/index.ts';
import { eventsWrite, recordEvents } from '../../../shared/events/index.ts';
import { exportsSend, exportsWrite } from '../../../shared/exports/index.ts';
import { evaluationsWrite } from '../../../shared/evaluations/index.ts';
import { filesWrite } from '../../../shared/files/index.ts';
import { importsWrite } from '../../../shared/imports/index.ts';
import { buildsSend, deadChangesUse, deletionsSend, indexesWrite, logSend } from '../../../shared/indexes/index.ts';
import type { RunContext } from '../../../shared/pipeline/worker.ts';
import { contentReader, contentWriter } from '../../../shared/platform/aws/content.ts';
import { queryLogErase } from '../../../shared/query-log/index.ts';
import { rebuildStore, rebuildsWrite } from '../../../shared/rebuilds/index.ts';
import { engineWrite } from '#engine';
import { monthlyQuota, originalAllowance, subjectUsageWrite, usageWrite } from '../../../shared/usage/index.ts';

export const indexDeleterUses = {
  indexes: indexesWrite,
  files: filesWrite,
  stored: contentWriter({ puts: ['batches'], deletes: ['uploads', 'batches', 'golden', 'evaluated'] }),
  indexEvents: recordEvents('indexes'),
  events: recordEvents('files'),
  log: logSend,
  deletions: deletionsSend,
  engines: engineWrite,
  usage: usageWrite,
  quota: monthlyQuota,
  originals: originalAllowance,
  subjectUsage: subjectUsageWrite,
  crawls: crawlsWrite,
  crawled: crawlsErase,
  imports: importsWrite,
  connectors: credentialStore,
  rebuilds: rebuildStore,
  rebuildChanges: rebuildsWrite,
  builds: buildsSend,
  erasures: erasureStore,
  selections: selectionSealer,
  signer: receiptSigner,
  lists: contentReader('batches'),
  cached: contentWriter({ deletes: ['embeddings', 'exported'] }),
  exports: exportsWrite,
  exportQueue: exportsSend,
  history: eventsWrite,
  deadChanges: deadChangesUse,
  queryLog: queryLogErase,
  evaluations: evaluationsWrite,
};

/** Dependencies and context of a run that deletes an index. */
export type Deleting = RunContext<typeof indexDeleterUses>;
