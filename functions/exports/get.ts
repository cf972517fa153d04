import { exportFiles, ExportReport, exportsRead, requireExport, toExportResponse } from '../../shared/exports/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';
import { exportPresign } from '../../shared/platform/aws/content.ts';

/** Validity of a download URL. */
const urlSeconds = 3_600;

export const getExport = endpoint({
  id: 'get-export',
  method: 'GET',
  path: '/v1/indexes/{index_id}/exports/{export_id}',
  tag: 'Exports',
  summary: 'Get an export',
  description: 'Returns the export, and a URL for each of its files once it is completed.',
  auth: { needs: 'read', servesBound: true },
  uses: { indexes: indexesRead, exports: exportsRead, content: exportPresign },
  status: 200,
  response: ExportReport,
  handle: async ({ caller, deps, path }) => {
    const address = { organizationId: caller.organizationId, indexId: path.index_id, exportId: path.export_id };
    const found = await requireExport(deps, address);
    const parts = found.status === 'completed' ? await exportFiles(deps.content, found, urlSeconds) : [];
    return { ...toExportResponse(found), parts: [...parts] };
  },
});
