import { embedder } from './services/embedder/service.ts';
import { connectorBrowser } from './services/connector-browser/service.ts';
import { reranker } from './services/reranker/service.ts';
import { indexReader } from './services/index-reader/service.ts';
import { svixRelay } from './services/svix-relay/service.ts';
import { webhookReceiver } from './services/webhook-receiver/service.ts';
import { sweepCrawls } from './workers/crawl/schedule.ts';
import { crawl } from './workers/crawl/worker.ts';
import { indexDeleter } from './workers/index-deleter/worker.ts';
import { deliver } from './workers/deliver/worker.ts';
import { evaluate } from './workers/evaluate/worker.ts';
import { exportIndex } from './workers/export-index/worker.ts';
import { fileTask } from './workers/file-task/worker.ts';
import { importFile } from './workers/import-file/worker.ts';
import { indexBuilder } from './workers/index-builder/worker.ts';
import { indexWriter } from './workers/index-writer/worker.ts';
import { plan } from './workers/plan/worker.ts';
import { rebuildIndex } from './workers/rebuild-index/worker.ts';
import { relay } from './workers/relay/worker.ts';
import { sweep } from './workers/sweep/schedule.ts';
import { sweepFiles } from './workers/sweep-files/schedule.ts';
import { sweepSyncs } from './workers/sync/schedule.ts';
import { sync } from './workers/sync/worker.ts';

/** Workers, which consume a queue. */
export const workers = {
  'workers/plan/worker': plan,
  'workers/file-task/worker': fileTask,
  'workers/import-file/worker': importFile,
  'workers/export-index/worker': exportIndex,
  'workers/evaluate/worker': evaluate,
  'workers/index-writer/worker': indexWriter,
  'workers/index-builder/worker': indexBuilder,
  'workers/index-deleter/worker': indexDeleter,
  'workers/rebuild-index/worker': rebuildIndex,
  'workers/relay/worker': relay,
  'workers/deliver/worker': deliver,
  'workers/crawl/worker': crawl,
  'workers/sync/worker': sync,
};

/** Services, which other functions or external callers invoke. */
export const services = {
  'services/connector-browser/service': connectorBrowser,
  'services/embedder/service': embedder,
  'services/reranker/service': reranker,
  'services/index-reader/service': indexReader,
  'services/svix-relay/service': svixRelay,
  'services/webhook-receiver/service': webhookReceiver,
};

/** Schedules, which run at intervals. */
export const schedules = {
  'workers/crawl/schedule': sweepCrawls,
  'workers/sync/schedule': sweepSyncs,
  'workers/sweep/schedule': sweep,
  'workers/sweep-files/schedule': sweepFiles,
};
