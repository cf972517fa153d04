import {
  encodeResponse,
  handleReaderRequest,
  ReaderRequest,
  readerSize,
  readTime,
} from '../../../shared/reader/index.ts';
import { service } from '../../../shared/pipeline/worker.ts';
import { embedderUse } from '../../../shared/platform/models/capability.ts';
import { rerankersUse } from '../../../shared/platform/rerank/capability.ts';
import { engineRead } from '#engine';

export const indexReader = service({
  id: 'index-reader',
  summary: 'Searches and reads the indexes of a region, and embeds text for them',
  scope: 'region',
  request: ReaderRequest,
  uses: { engines: engineRead, embedders: embedderUse, rerankers: rerankersUse, readMs: readTime },
  ...readerSize,
  // Shorter than the timeout of the callers.
  timeoutSeconds: 28,
  handle: async ({ request, deps }) => encodeResponse(await handleReaderRequest(deps, request)),
});
