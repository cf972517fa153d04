import type { components } from '../../schema.ts';
import { pause } from '../../pause.ts';
import { StrataError } from '../../strata-error.ts';
import { argument, type Call, chooseAction, type Command, textOption, UsageError } from '../command.ts';

/** Returns what the branch must prove. */
const requirementOf = (call: Call): { readonly golden_set: string; readonly max_loss: number } | undefined => {
  const [set, loss] = [textOption(call, 'require'), textOption(call, 'max-loss')];
  if (set === undefined && loss === undefined) return undefined;
  const maxLoss = Number(loss);
  if (set === undefined || !(maxLoss > 0 && maxLoss <= 1))
    throw new UsageError('Give a golden set to --require, and a number above 0 and up to 1 to --max-loss.');
  return { golden_set: set, max_loss: maxLoss };
};

const pollMs = 1_000;

/** Sends a promotion until the evaluation that it requires has ended. */
const promote = async <Report>(call: Call, send: () => Promise<Report>): Promise<Report> => {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof StrataError) || error.code !== 'evaluation_running') throw error;
      call.note('The evaluation is running.', true);
      await pause(pollMs);
    }
  }
};

export const branch: Command = {
  usage: 'branch create NAME | diff | promote [--parent-changes keep|discard] [--require SET --max-loss N]',
  summary: 'branches the index of --index, compares a branch with its parent, or promotes it',
  options: { 'parent-changes': { type: 'string' }, require: { type: 'string' }, 'max-loss': { type: 'string' } },
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
      const required = requirementOf(call);
      const params = { path: { index_id: await call.indexId() } };
      const body: components['schemas']['IndexPromote'] = {
        ...(changes === undefined ? {} : { parent_changes: changes }),
        ...(required === undefined ? {} : { require: required }),
      };
      const report = await promote(call, () => call.client().post('/v1/indexes/{index_id}/promote', { params, body }));
      const { evaluation } = report;
      const proof = evaluation === undefined ? '' : ` Detectable loss: ${evaluation.detectable_loss.toFixed(4)}.`;
      call.print(report, `Promoted to ${report.index_id}.${proof}`);
    },
  }),
};
