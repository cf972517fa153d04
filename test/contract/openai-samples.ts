import { asOwner, once, onMade, type Prepared, type Sample } from './samples.ts';
import { newIndex, type Tenant } from './support/fixture.ts';

const boundary = 'boundary';
const contentType = `multipart/form-data; boundary=${boundary}`;

/** Returns a form with text fields and one file. */
const formOf = (fields: Readonly<Record<string, string>>, file: string): string =>
  [
    ...Object.entries(fields).map(([name, value]) => [`name="${name}"`, value]),
    [`name="${file}"; filename="notes.md"\r\ncontent-type: text/markdown`, 'The kettle whistles.'],
  ]
    .map(([head, value]) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n${value}\r\n`)
    .concat(`--${boundary}--\r\n`)
    .join('');

const fileForm = formOf({ purpose: 'assistants' }, 'file');

const newFile = async ({ send, owner }: Tenant): Promise<string> => {
  const headers = { authorization: `Bearer ${owner.bearer}`, 'content-type': contentType };
  const { status, text } = await send({ method: 'POST', url: '/v1/openai/files', headers, body: fileForm });
  if (status !== 200) throw new Error(text);
  return (JSON.parse(text) as { readonly id: string }).id;
};

const storePath = ({ indexId }: Tenant): string => `/v1/openai/vector_stores/${indexId}`;

/** Returns the id of a new file that is attached to the index of the tenant. */
const newAttached = async (tenant: Tenant): Promise<string> => {
  const file_id = await newFile(tenant);
  await asOwner(tenant, 'POST', `${storePath(tenant)}/files`, { file_id });
  return file_id;
};

const attached = (tenant: Tenant): Promise<string> => once(tenant, 'attached file', () => newAttached(tenant));

const newBatch = async (tenant: Tenant): Promise<string> => {
  const file_ids = [await newFile(tenant)];
  return (await asOwner(tenant, 'POST', `${storePath(tenant)}/file_batches`, { file_ids })).id;
};

const newUpload = async (tenant: Tenant): Promise<string> =>
  (await asOwner(tenant, 'POST', '/v1/openai/uploads', uploadBody)).id;

const uploadBody = { filename: 'a.md', mime_type: 'text/markdown', bytes: 20, purpose: 'assistants' };

const newPart = async (tenant: Tenant, uploadId: string): Promise<string> => {
  const headers = { authorization: `Bearer ${tenant.owner.bearer}`, 'content-type': contentType };
  const url = `/v1/openai/uploads/${uploadId}/parts`;
  const { text } = await tenant.send({ method: 'POST', url, headers, body: formOf({}, 'data') });
  return (JSON.parse(text) as { readonly id: string }).id;
};

const plain = (prepared: Prepared = {}): Sample => ({ prepare: () => Promise.resolve(prepared) });

const onStore = (prepared: Prepared = {}): Sample => ({
  prepare: ({ indexId }) => Promise.resolve({ path: { index_id: indexId }, ...prepared }),
});

const onStoreFile = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({ path: { index_id: tenant.indexId, file_id: await attached(tenant) }, ...prepared }),
});

const onBatch = (prepared: Prepared = {}): Sample => ({
  prepare: async (tenant) => ({
    path: { index_id: tenant.indexId, batch_id: await once(tenant, 'batch', () => newBatch(tenant)) },
    ...prepared,
  }),
});

const onFile: Sample = {
  prepare: async (tenant) => ({ path: { file_id: await once(tenant, 'file', () => newFile(tenant)) } }),
  isHidden: true,
};

/** Samples of the OpenAI API by the id of their endpoint. */
export const openaiSamples: Readonly<Record<string, Sample>> = {
  'openai-create-file': plain({ contentType, body: fileForm }),
  'openai-list-files': plain({ query: 'limit=5&purpose=assistants' }),
  'openai-get-file': onFile,
  'openai-get-file-content': onFile,
  'openai-delete-file': {
    prepare: async (tenant) => ({ path: { file_id: await newFile(tenant) } }),
    isHidden: true,
    consumes: true,
  },
  'openai-create-upload': plain({ body: uploadBody }),
  'openai-add-part': {
    prepare: async (tenant) => ({
      path: { upload_id: await newUpload(tenant) },
      contentType,
      body: formOf({}, 'data'),
    }),
    isHidden: true,
    consumes: true,
  },
  'openai-complete-upload': {
    prepare: async (tenant) => {
      const upload_id = await newUpload(tenant);
      return { path: { upload_id }, body: { part_ids: [await newPart(tenant, upload_id)] } };
    },
    isHidden: true,
    consumes: true,
  },
  'openai-cancel-upload': {
    prepare: async (tenant) => ({ path: { upload_id: await newUpload(tenant) } }),
    isHidden: true,
    consumes: true,
  },
  'openai-list-models': plain(),
  'openai-get-model': { ...plain({ path: { model_id: 'embedded-minilm-l6-v2' } }), isShared: true },
  'openai-create-store': { ...plain({ body: { name: 'store' } }), makesIndex: true },
  'openai-list-stores': plain({ query: 'limit=5' }),
  'openai-get-store': onStore(),
  'openai-update-store': onStore({ body: { metadata: { shelf: 'top' } } }),
  'openai-delete-store': {
    prepare: async (tenant, caller) => onMade(tenant, caller, await newIndex(tenant.send, tenant.owner.bearer)),
    consumes: true,
    perCaller: true,
  },
  'openai-search-store': onStore({ body: { query: 'kettle', rewrite_query: true } }),
  'openai-create-store-file': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId },
      body: { file_id: await once(tenant, 'file', () => newFile(tenant)) },
    }),
    isHidden: true,
  },
  'openai-list-store-files': onStore({ query: 'limit=5' }),
  'openai-get-store-file': onStoreFile(),
  'openai-update-store-file': {
    ...onStoreFile({ body: { attributes: {} } }),
    lacks: { status: 409, code: 'conflict' },
  },
  'openai-delete-store-file': {
    prepare: async (tenant) => ({ path: { index_id: tenant.indexId, file_id: await newAttached(tenant) } }),
    consumes: true,
  },
  'openai-get-store-file-content': onStoreFile(),
  'openai-create-batch': {
    prepare: async (tenant) => ({
      path: { index_id: tenant.indexId },
      body: { file_ids: [await once(tenant, 'file', () => newFile(tenant))] },
    }),
    isHidden: true,
  },
  'openai-get-batch': onBatch(),
  'openai-cancel-batch': onBatch(),
  'openai-list-batch-files': onBatch({ query: 'limit=5' }),
};
