import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError } from '../../shared/kernel/errors.ts';
import { openai } from './steps/context.ts';
import { fileRoutes } from './steps/file-routes.ts';
import { storeRoutes } from './steps/store-routes.ts';

export const openaiApi = endpoint({
  ...openai,
  id: 'openai-api',
  method: 'POST',
  path: '/v1/openai',
  summary: 'Serve the files and vector stores of the OpenAI API',
  auth: { needs: 'read', servesBound: true },
  routes: [...fileRoutes, ...storeRoutes],
  timeoutSeconds: 29,
  memoryMb: 1024,
  handle: () => {
    const message =
      'This path is not supported with this method: see files, uploads, vector stores and models of OpenAI';
    throw new AppError('bad_request', message, { fields: { openai_code: 'unsupported_endpoint' } });
  },
});
