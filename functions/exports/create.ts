import {
  createExport as create,
  createExportUses,
  ExportCreate,
  ExportResponse,
  toExportResponse,
} from '../../shared/exports/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { summaryWeight } from '../../shared/vectors/index.ts';

export const createExport = endpoint({
  id: 'create-export',
  method: 'POST',
  path: '/v1/indexes/{index_id}/exports',
  tag: 'Exports',
  summary: 'Export an index',
  description:
    'Writes all rows with ids, texts, metadata, vectors and source files to files of JSON Lines or Parquet, as of one version of the index: the present one, or a former one by `as_of`. A credential that is bound to rows exports those. Reads every row, and counts as five searches. At most 4 exports of an organization run at once and 32 are stored, at most 8 of one index and 16 by one credential. More are a 409.',
  auth: { needs: 'write', servesBound: true },
  audit: { action: 'export.created', after: ({ id }) => ({ id }), details: ['format', 'vectors', 'as_of'] },
  rate: 'searches',
  weight: summaryWeight,
  errorCodes: ['conflict', 'index_not_ready', 'not_supported_by_engine', 'version_not_kept'],
  idempotent: true,
  uses: createExportUses,
  body: ExportCreate,
  timeoutSeconds: 29,
  status: 202,
  response: ExportResponse,
  handle: async (call) => toExportResponse(await create(call, call.path.index_id, call.body)),
});
