import { exportsSend, exportsWrite, requireExport } from '../../shared/exports/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const deleteExport = endpoint({
  id: 'delete-export',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}/exports/{export_id}',
  tag: 'Exports',
  summary: 'Delete an export',
  description: 'Ends the export if it runs, and deletes its files.',
  auth: { needs: 'write', servesBound: true },
  audit: { action: 'export.deleted', before: ({ path }) => ({ id: path.export_id }) },
  uses: { indexes: indexesRead, exports: exportsWrite, queue: exportsSend },
  status: 204,
  handle: async ({ caller, clock, deps, path }) => {
    const address = { organizationId: caller.organizationId, indexId: path.index_id, exportId: path.export_id };
    const found = await requireExport(deps, address);
    await deps.exports.markDeleting(address, clock.now().toISOString());
    await deps.queue.send(found.region, address);
    return undefined;
  },
});
