import { fieldsOf } from '../../../shared/http/body.ts';
import { endpoint, type SentQuery } from '../../../shared/http/endpoint.ts';
import type { RequestWeight } from '../../../shared/kernel/plans.ts';
import { contextOf, json, openai } from './context.ts';
import { cancelBatch, createBatch, getBatch, listBatchFiles } from './file-batches.ts';
import {
  BatchCreate,
  FileAttach,
  FileUpdate,
  maxFiles,
  maxStores,
  Search,
  StoreCreate,
  StoreFileListQuery,
  StoreListQuery,
  StoreUpdate,
  usualPage,
} from './schemas.ts';
import {
  attach,
  deleteStoreFile,
  getStoreFile,
  getStoreFileContent,
  listStoreFiles,
  updateStoreFile,
} from './store-files.ts';
import { createStore, deleteStore, getStore, listStores, searchStore, updateStore } from './stores.ts';

const read = { needs: 'read', servesBound: true } as const;
const write = { needs: 'write', alsoReads: true, servesBound: true } as const;
/** A change of the store itself, which has the rows of all. */
const change = { needs: 'write', alsoReads: true } as const;

/** Maximum weight in flight of a request, whose parts run one after the other. */
const maxInFlight = 8;

const weightOf = (rate: number): RequestWeight => ({ rate, inFlight: Math.min(rate, maxInFlight) });

/** Returns the number of files that a body attaches. The validation refuses other numbers without a file job. */
const filesIn = (body: string): number => {
  const { file_ids: ids, files } = fieldsOf(body);
  const sent = files ?? ids;
  return Array.isArray(sent) && sent.length <= maxFiles ? sent.length : 0;
};

/** Each file of a request counts as a file job. */
const weightOfFiles = (body: string): RequestWeight => weightOf(Math.max(1, filesIn(body)));

/** Stores whose figures cost as much as a search. */
const storesPerSearch = 10;

const weightOfStores = (_body: string, { limit }: SentQuery): RequestWeight => {
  const sent = Number(limit ?? usualPage);
  return weightOf(sent >= 1 && sent <= maxStores ? Math.ceil(sent / storesPerSearch) : 1);
};

/** Vector stores, which are indexes, and their files. */
export const storeRoutes = [
  endpoint({
    ...openai,
    id: 'openai-create-store',
    method: 'POST',
    path: '/v1/openai/vector_stores',
    summary: 'Create a vector store',
    auth: { ...change, unrestricted: true },
    rate: (body) => (filesIn(body) > 0 ? 'file_jobs' : undefined),
    weight: weightOfFiles,
    body: StoreCreate,
    handle: (call) => json(createStore(contextOf(call), call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-list-stores',
    method: 'GET',
    path: '/v1/openai/vector_stores',
    summary: 'List vector stores',
    auth: read,
    rate: 'searches',
    weight: weightOfStores,
    query: StoreListQuery,
    handle: (call) => json(listStores(contextOf(call), call.query)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-store',
    method: 'GET',
    path: '/v1/openai/vector_stores/{index_id}',
    summary: 'Get a vector store',
    auth: read,
    handle: (call) => json(getStore(contextOf(call), call.path.index_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-update-store',
    method: 'POST',
    path: '/v1/openai/vector_stores/{index_id}',
    summary: 'Update a vector store',
    auth: change,
    body: StoreUpdate,
    handle: (call) => json(updateStore(contextOf(call), call.path.index_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-delete-store',
    method: 'DELETE',
    path: '/v1/openai/vector_stores/{index_id}',
    summary: 'Delete a vector store',
    auth: change,
    handle: (call) => json(deleteStore(contextOf(call), call.path.index_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-search-store',
    method: 'POST',
    path: '/v1/openai/vector_stores/{index_id}/search',
    summary: 'Search a vector store',
    auth: read,
    rate: 'searches',
    body: Search,
    handle: (call) => json(searchStore(contextOf(call), call.path.index_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-create-store-file',
    method: 'POST',
    path: '/v1/openai/vector_stores/{index_id}/files',
    summary: 'Attach a file to a vector store',
    auth: write,
    rate: 'file_jobs',
    body: FileAttach,
    handle: (call) => json(attach(contextOf(call), call.path.index_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-list-store-files',
    method: 'GET',
    path: '/v1/openai/vector_stores/{index_id}/files',
    summary: 'List the files of a vector store',
    auth: read,
    query: StoreFileListQuery,
    handle: (call) => json(listStoreFiles(contextOf(call), call.path.index_id, call.query)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-store-file',
    method: 'GET',
    path: '/v1/openai/vector_stores/{index_id}/files/{file_id}',
    summary: 'Get a file of a vector store',
    auth: read,
    handle: (call) => json(getStoreFile(contextOf(call), call.path.index_id, call.path.file_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-update-store-file',
    method: 'POST',
    path: '/v1/openai/vector_stores/{index_id}/files/{file_id}',
    summary: 'Update the attributes of a file',
    auth: write,
    rate: 'vector_writes',
    body: FileUpdate,
    handle: (call) => json(updateStoreFile(contextOf(call), call.path.index_id, call.path.file_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-delete-store-file',
    method: 'DELETE',
    path: '/v1/openai/vector_stores/{index_id}/files/{file_id}',
    summary: 'Remove a file from a vector store',
    auth: write,
    handle: (call) => json(deleteStoreFile(contextOf(call), call.path.index_id, call.path.file_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-store-file-content',
    method: 'GET',
    path: '/v1/openai/vector_stores/{index_id}/files/{file_id}/content',
    summary: 'Get the text of a file',
    auth: read,
    handle: (call) => json(getStoreFileContent(contextOf(call), call.path.index_id, call.path.file_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-create-batch',
    method: 'POST',
    path: '/v1/openai/vector_stores/{index_id}/file_batches',
    summary: 'Attach several files to a vector store',
    auth: write,
    rate: 'file_jobs',
    weight: weightOfFiles,
    body: BatchCreate,
    handle: (call) => json(createBatch(contextOf(call), call.path.index_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-batch',
    method: 'GET',
    path: '/v1/openai/vector_stores/{index_id}/file_batches/{batch_id}',
    summary: 'Get a batch of files',
    auth: read,
    handle: (call) => json(getBatch(contextOf(call), call.path.index_id, call.path.batch_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-cancel-batch',
    method: 'POST',
    path: '/v1/openai/vector_stores/{index_id}/file_batches/{batch_id}/cancel',
    summary: 'Cancel a batch of files',
    auth: write,
    handle: (call) => json(cancelBatch(contextOf(call), call.path.index_id, call.path.batch_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-list-batch-files',
    method: 'GET',
    path: '/v1/openai/vector_stores/{index_id}/file_batches/{batch_id}/files',
    summary: 'List the files of a batch',
    auth: read,
    query: StoreFileListQuery,
    handle: (call) => json(listBatchFiles(contextOf(call), call.path.index_id, call.path.batch_id, call.query)),
  }),
];
