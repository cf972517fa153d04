import { createApiKey } from './api-keys/create.ts';
import { listApiKeys } from './api-keys/list.ts';
import { revokeApiKey } from './api-keys/revoke.ts';
import { bootstrap } from './auth/bootstrap.ts';
import { listEvents } from './events/list.ts';
import { createFile } from './files/create.ts';
import { getFile } from './files/get.ts';
import { getFileProcessing } from './files/get-processing.ts';
import { listFiles } from './files/list.ts';
import { listFileTasks } from './files/list-tasks.ts';
import { branchIndex } from './indexes/branch.ts';
import { createIndex } from './indexes/create.ts';
import { deleteIndex } from './indexes/delete.ts';
import { getIndex } from './indexes/get.ts';
import { listIndexes } from './indexes/list.ts';
import { listRegions } from './indexes/list-regions.ts';
import { updateIndex } from './indexes/update.ts';
import { getDocs } from './meta/get-docs.ts';
import { getHealth } from './meta/get-health.ts';
import { getOpenapi } from './meta/get-openapi.ts';
import { getOrganization } from './organization/get.ts';
import { denseSearch } from './search/dense.ts';
import { hybridSearch } from './search/hybrid.ts';
import { sparseSearch } from './search/sparse.ts';
import { indexReader } from './services/index-reader/service.ts';
import { deleteVectors } from './vectors/delete.ts';
import { fetchVectors } from './vectors/fetch.ts';
import { listVectors } from './vectors/list.ts';
import { upsertVectors } from './vectors/upsert.ts';
import { createWebhookEndpoint } from './webhooks/create.ts';
import { deleteWebhookEndpoint } from './webhooks/delete.ts';
import { listWebhookEndpoints } from './webhooks/list.ts';
import { updateWebhookEndpoint } from './webhooks/update.ts';
import { deliver } from './workers/deliver/worker.ts';
import { fileTask } from './workers/file-task/worker.ts';
import { indexWriter } from './workers/index-writer/worker.ts';
import { plan } from './workers/plan/worker.ts';
import { relay } from './workers/relay/worker.ts';
import { sweep } from './workers/sweep/schedule.ts';

/** Every endpoint of the HTTP API, by the path of its module. */
export const endpoints = {
  'auth/bootstrap': bootstrap,
  'organization/get': getOrganization,
  'api-keys/create': createApiKey,
  'api-keys/list': listApiKeys,
  'api-keys/revoke': revokeApiKey,
  'indexes/list-regions': listRegions,
  'indexes/create': createIndex,
  'indexes/list': listIndexes,
  'indexes/get': getIndex,
  'indexes/update': updateIndex,
  'indexes/delete': deleteIndex,
  'indexes/branch': branchIndex,
  'files/create': createFile,
  'files/list': listFiles,
  'files/get': getFile,
  'files/list-tasks': listFileTasks,
  'files/get-processing': getFileProcessing,
  'vectors/upsert': upsertVectors,
  'vectors/list': listVectors,
  'vectors/fetch': fetchVectors,
  'vectors/delete': deleteVectors,
  'search/dense': denseSearch,
  'search/sparse': sparseSearch,
  'search/hybrid': hybridSearch,
  'events/list': listEvents,
  'webhooks/create': createWebhookEndpoint,
  'webhooks/list': listWebhookEndpoints,
  'webhooks/update': updateWebhookEndpoint,
  'webhooks/delete': deleteWebhookEndpoint,
  'meta/get-health': getHealth,
  'meta/get-openapi': getOpenapi,
  'meta/get-docs': getDocs,
};

/** Every function that a queue drives. */
export const workers = {
  'workers/plan/worker': plan,
  'workers/file-task/worker': fileTask,
  'workers/index-writer/worker': indexWriter,
  'workers/relay/worker': relay,
  'workers/deliver/worker': deliver,
};

/** Every function that others call. */
export const services = { 'services/index-reader/service': indexReader };

/** Every function that the clock drives. */
export const schedules = { 'workers/sweep/schedule': sweep };
