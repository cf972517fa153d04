import { argument, chooseAction, type Command, textOption, UsageError } from '../command.ts';

export const branch: Command = {
  usage: 'branch create NAME | diff | promote [--parent-changes keep|discard]',
  summary: 'branches the index of --index, compares a branch with its parent, or promotes it',
  options: { 'parent-changes': { type: 'string' } },
  ...chooseAction({
    create: async (call) => {
      const params = { path: { index_id: await call.indexId() } };
      const body = { name: argument(call, 1, 'NAME') };
      const created = await call.client().post('/v1/indexes/{index_id}/branches', { params, body });
      call.print(created, created.id);
    },
    diff: async (call) => {
      const params = { path: { index_id: await call.indexId() } };
      for await (const row of call.client().pages('/v1/indexes/{index_id}/diff', { params }))
        call.print(row, `${row.change.padEnd(9)}  ${row.id}`);
    },
    promote: async (call) => {
      const changes = textOption(call, 'parent-changes');
      if (changes !== undefined && changes !== 'keep' && changes !== 'discard')
        throw new UsageError(`--parent-changes is "${changes}". Give keep or discard.`);
      const params = { path: { index_id: await call.indexId() } };
      const report = await call.client().post('/v1/indexes/{index_id}/promote', {
        params,
        body: { ...(changes !== undefined && { parent_changes: changes }) },
      });
      call.print(report, `Promoted to ${report.index_id}.`);
    },
  }),
};
