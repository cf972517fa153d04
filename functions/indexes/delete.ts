import { aliasesRead } from '../../shared/aliases/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { AppError, notFound } from '../../shared/kernel/errors.ts';
import { indexesWrite, isLive, logSend } from '../../shared/indexes/index.ts';
import { usageWrite } from '../../shared/usage/index.ts';

export const deleteIndex = endpoint({
  id: 'delete-index',
  method: 'DELETE',
  path: '/v1/indexes/{index_id}',
  tag: 'Indexes',
  summary: 'Delete an index',
  description:
    'Callers do not see the index any more at once. Its branches stay as they are, and its storage is freed when none of them reads it. While an alias names the index, the response is a 409.',
  auth: { needs: 'write' },
  audit: {
    action: 'index.deleted',
    before: async ({ caller, deps, path }) => {
      const index = await deps.indexes.get(caller.organizationId, path.index_id);
      return { id: path.index_id, name: index?.name ?? null };
    },
  },
  errorCodes: ['conflict'],
  uses: { aliases: aliasesRead, indexes: indexesWrite, log: logSend, usage: usageWrite },
  status: 204,
  handle: async ({ caller, clock, deps, path }) => {
    const index = await deps.indexes.get(caller.organizationId, path.index_id);
    if (index === null) throw notFound('Index');
    const aliases = isLive(index) ? await deps.aliases.of(caller.organizationId, [index.id]) : [];
    if (aliases.length > 0) {
      const names = aliases.map(({ name }) => name);
      throw new AppError(
        'conflict',
        `The index has the aliases ${names.slice(0, 10).join(', ')}. Move or delete them first`,
      );
    }
    const isFirst = await deps.indexes.markDeleting(caller.organizationId, index.id, clock.now().toISOString());
    // An earlier deletion may have died before this.
    await deps.usage.releaseIndex(caller.organizationId, index.id);
    await deps.log.append(index, { op: 'close' });
    if (!isFirst) throw notFound('Index');
    return undefined;
  },
});
