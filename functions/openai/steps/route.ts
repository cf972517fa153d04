import { resolveIndex } from '../../../shared/aliases/index.ts';
import { AppError, notFound } from '../../../shared/kernel/errors.ts';
import { indexNamePattern } from '../../../shared/kernel/ids.ts';
import type { OpenaiContext, OpenaiResult } from './context.ts';
import { cancelBatch, createBatch, getBatch, listBatchFiles } from './file-batches.ts';
import { createFile, deleteFile, getFile, getFileContent, listFiles } from './files.ts';
import {
  createStoreFile,
  deleteStoreFile,
  getStoreFile,
  getStoreFileContent,
  listStoreFiles,
  updateStoreFile,
} from './store-files.ts';
import { createStore, deleteStore, getStore, listStores, searchStore, updateStore } from './stores.ts';
import { addPart, cancelUpload, completeUpload, createUpload } from './uploads.ts';

type Run = (context: OpenaiContext, ...ids: string[]) => Promise<OpenaiResult>;

/** Requests of the OpenAI API by method and path. A `*` is an id, which is passed on. */
const routes: Readonly<Record<string, Run>> = {
  'POST files': createFile,
  'GET files': listFiles,
  'GET files/*': getFile,
  'GET files/*/content': getFileContent,
  'DELETE files/*': deleteFile,
  'POST uploads': createUpload,
  'POST uploads/*/parts': addPart,
  'POST uploads/*/complete': completeUpload,
  'POST uploads/*/cancel': cancelUpload,
  'POST vector_stores': createStore,
  'GET vector_stores': listStores,
  'GET vector_stores/*': getStore,
  'POST vector_stores/*': updateStore,
  'DELETE vector_stores/*': deleteStore,
  'POST vector_stores/*/search': searchStore,
  'POST vector_stores/*/files': createStoreFile,
  'GET vector_stores/*/files': listStoreFiles,
  'GET vector_stores/*/files/*': getStoreFile,
  'POST vector_stores/*/files/*': updateStoreFile,
  'DELETE vector_stores/*/files/*': deleteStoreFile,
  'GET vector_stores/*/files/*/content': getStoreFileContent,
  'POST vector_stores/*/file_batches': createBatch,
  'GET vector_stores/*/file_batches/*': getBatch,
  'POST vector_stores/*/file_batches/*/cancel': cancelBatch,
  'GET vector_stores/*/file_batches/*/files': listBatchFiles,
};

/** Runs a request of the OpenAI API. Throws 400 for one that the service does not support. */
export const route = async (context: OpenaiContext): Promise<OpenaiResult> => {
  const { method, path } = context.request;
  const segments = path.split('/');
  // Every second segment is an id.
  const ids = segments.filter((_, at) => at % 2 === 1);
  const isAction = (segment: string, at: number): boolean => at % 2 === 0 || segment === '';
  const template = segments.map((segment, at) => (isAction(segment, at) ? segment : '*')).join('/');
  const run = Object.hasOwn(routes, `${method} ${template}`) ? routes[`${method} ${template}`] : undefined;
  if (run === undefined)
    throw new AppError(
      'bad_request',
      `${method} /${path.slice(0, 200)} is not supported: see files, uploads and vector stores of the OpenAI API`,
      {
        fields: { openai_code: 'unsupported_endpoint' },
      },
    );
  const [first, ...others] = ids;
  if (segments[0] !== 'vector_stores' || first === undefined) return run(context, ...ids);
  if (!indexNamePattern.test(first)) throw notFound('Vector store');
  const indexId = await resolveIndex(context.aliases, context.session.caller, first);
  return run(context, indexId, ...others);
};
