import assert from 'node:assert/strict';
import type { FileJobResponse, FileUploadCreate, FileUploadResponse } from '#client';
import { apiOf } from './api.ts';
import type { ApiAnswer, Caller } from './organization.ts';

/** Asks for an upload address. */
export const begin = async (key: Caller, index_id: string, body: FileUploadCreate): Promise<FileUploadResponse> => {
  const created = await apiOf(key).post('/v1/indexes/{index_id}/files', { params: { path: { index_id } }, body });
  assert.ok('upload_url' in created, `${created.id} exists`);
  return created;
};

/** Asks for an upload address, PUTs the file there with exactly the returned headers, and gives the id of its job. */
export const upload = async (
  key: Caller,
  indexId: string,
  filename: string,
  contentType: string,
  bytes: Uint8Array,
): Promise<string> => {
  const content = Uint8Array.from(bytes);
  return (await apiOf(key).uploadFile(indexId, { filename, contentType, content })).id;
};

/** The job once it has ended. */
export const finished = (key: Caller, indexId: string, jobId: string, seconds = 240): Promise<FileJobResponse> =>
  apiOf(key).waitForFile(indexId, jobId, { timeoutSeconds: seconds });

/** Every vector of an index, page by page. */
export const allVectors = (key: Caller, indexId: string): Promise<readonly ApiAnswer['body'][]> =>
  Array.fromAsync(
    apiOf(key).pages('/v1/indexes/{index_id}/vectors', {
      params: { path: { index_id: indexId }, query: { limit: 1_000 } },
    }),
  );
