import { endpoint } from '../../../shared/http/endpoint.ts';
import { contextOf, json, openai } from './context.ts';
import { createFile, deleteFile, getFile, getFileContent, listFiles } from './files.ts';
import { getModel, listModels } from './models.ts';
import { FileForm, FileListQuery, PartForm, UploadComplete, UploadCreate } from './schemas.ts';
import { addPart, cancelUpload, completeUpload, createUpload } from './uploads.ts';

const read = { needs: 'read', servesBound: true } as const;
const write = { needs: 'write', alsoReads: true, servesBound: true } as const;
/** Forms have the bytes of files. */
const form = { consumes: 'multipart/form-data', rate: 'file_jobs' } as const;

/** Files that exist without an index, uploads in parts, and models. */
export const fileRoutes = [
  endpoint({
    ...openai,
    ...form,
    id: 'openai-create-file',
    method: 'POST',
    path: '/v1/openai/files',
    summary: 'Upload a file',
    auth: write,
    body: FileForm,
    handle: (call) => json(createFile(contextOf(call), call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-list-files',
    method: 'GET',
    path: '/v1/openai/files',
    summary: 'List files',
    auth: read,
    query: FileListQuery,
    handle: (call) => json(listFiles(contextOf(call), call.query)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-file',
    method: 'GET',
    path: '/v1/openai/files/{file_id}',
    summary: 'Get a file',
    auth: read,
    handle: (call) => json(getFile(contextOf(call), call.path.file_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-file-content',
    method: 'GET',
    path: '/v1/openai/files/{file_id}/content',
    summary: 'Get the bytes of a file',
    auth: read,
    handle: (call) => getFileContent(contextOf(call), call.path.file_id),
  }),
  endpoint({
    ...openai,
    id: 'openai-delete-file',
    method: 'DELETE',
    path: '/v1/openai/files/{file_id}',
    summary: 'Delete a file',
    auth: write,
    handle: (call) => json(deleteFile(contextOf(call), call.path.file_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-create-upload',
    method: 'POST',
    path: '/v1/openai/uploads',
    summary: 'Start an upload in parts',
    auth: write,
    body: UploadCreate,
    handle: (call) => json(createUpload(contextOf(call), call.body)),
  }),
  endpoint({
    ...openai,
    ...form,
    id: 'openai-add-part',
    method: 'POST',
    path: '/v1/openai/uploads/{upload_id}/parts',
    summary: 'Upload a part',
    auth: write,
    body: PartForm,
    handle: (call) => json(addPart(contextOf(call), call.path.upload_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-complete-upload',
    method: 'POST',
    path: '/v1/openai/uploads/{upload_id}/complete',
    summary: 'Join the parts of an upload',
    auth: write,
    rate: 'file_jobs',
    body: UploadComplete,
    handle: (call) => json(completeUpload(contextOf(call), call.path.upload_id, call.body)),
  }),
  endpoint({
    ...openai,
    id: 'openai-cancel-upload',
    method: 'POST',
    path: '/v1/openai/uploads/{upload_id}/cancel',
    summary: 'Cancel an upload',
    auth: write,
    handle: (call) => json(cancelUpload(contextOf(call), call.path.upload_id)),
  }),
  endpoint({
    ...openai,
    id: 'openai-list-models',
    method: 'GET',
    path: '/v1/openai/models',
    summary: 'List embedding models',
    auth: read,
    handle: ({ deps }) => json(listModels(deps.models)),
  }),
  endpoint({
    ...openai,
    id: 'openai-get-model',
    method: 'GET',
    path: '/v1/openai/models/{model_id}',
    summary: 'Get an embedding model',
    auth: read,
    handle: ({ deps, path }) => json(getModel(deps.models, path.model_id)),
  }),
];
