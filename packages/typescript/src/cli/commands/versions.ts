import { argument, chooseAction, type Command, countOption } from '../command.ts';
import { toAsOf } from '../as-of.ts';

export const versions: Command = {
  usage: 'versions list [--limit N] | restore VERSION|TIME',
  summary: 'lists the former versions of the index of --index, or makes one its content again',
  options: { limit: { type: 'string' } },
  ...chooseAction({
    list: async (call) => {
      const path = { index_id: await call.indexId() };
      const limit = countOption(call, 'limit', 20);
      const found = await call.client().get('/v1/indexes/{index_id}/versions', { params: { path, query: { limit } } });
      for (const version of found)
        call.print(
          version,
          `${String(version.version).padStart(8)}  ${version.created_at}  ${version.vectors ?? '?'} rows`,
        );
    },
    restore: async (call) => {
      const as_of = toAsOf(argument(call, 1, 'VERSION or TIME'));
      const params = { path: { index_id: await call.indexId() } };
      const report = await call.client().post('/v1/indexes/{index_id}/restore', { params, body: { as_of } });
      const { version, vectors_written: written, vectors_deleted: deleted, left_out: leftOut } = report;
      const left = leftOut === 0 ? '' : ` ${leftOut} rows of deleted files stay away.`;
      call.print(report, `Restored version ${version}: ${written} rows are back, ${deleted} are gone.${left}`);
    },
  }),
};
