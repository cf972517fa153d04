import { aliasUses } from '../../shared/aliases/index.ts';
import { endpoint, type OwnRate } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';
import { openaiFiles, openaiUploads } from '../../shared/openai-files/index.ts';
import { originalDownload } from '../../shared/platform/aws/content.ts';
import { openaiErrorFormat } from './steps/error-format.ts';
import { listUses, operationUses } from './steps/operations.ts';
import { route } from './steps/route.ts';

const rateOf = (
  _body: string,
  { method, path }: { readonly method: string; readonly path: string },
): OwnRate | undefined => {
  if (method !== 'POST') return undefined;
  if (path.endsWith('/search')) return 'searches';
  return /\/vector_stores\/[^/]+\/(?:files|file_batches)$/.test(path) ? 'file_jobs' : undefined;
};

export const openaiApi = endpoint({
  id: 'openai-api',
  method: 'POST',
  path: '/v1/openai',
  tag: 'OpenAI',
  summary: 'Serve the files and vector stores of the OpenAI API',
  auth: { needs: 'read' },
  rate: rateOf,
  isPrefix: true,
  errorFormat: openaiErrorFormat,
  uses: {
    ...operationUses,
    ...listUses,
    ...aliasUses,
    originals: openaiFiles,
    uploads: openaiUploads,
    downloads: originalDownload,
  },
  timeoutSeconds: 29,
  memoryMb: 1024,
  status: 200,
  produces: 'application/json',
  handle: async ({ caller, clock, deps, headers, request, requestId }) => {
    if (request === null) throw notFound('Path');
    const { originals, uploads, downloads, aliases, jobs, indexes, ...operations } = deps;
    const result = await route({
      operations,
      files: originals,
      uploads,
      downloads,
      aliases,
      lists: { jobs, indexes },
      session: { caller, clock, requestId },
      request,
      contentType: headers['content-type'] ?? '',
    });
    if ('location' in result) return { status: 302, headers: { location: result.location }, body: '' };
    if (!('content' in result)) return { body: JSON.stringify(result) };
    const { content, contentType } = result;
    return {
      body: Buffer.from(content).toString('base64'),
      isBase64: true,
      headers: {
        'content-type': contentType,
        'x-content-type-options': 'nosniff',
        'content-disposition': 'attachment',
      },
    };
  },
});
