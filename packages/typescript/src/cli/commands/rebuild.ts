import { pause } from '../../pause.ts';
import type { components } from '../../schema.ts';
import { type Call, type Command, countOption, exitCodes, textOption, UsageError } from '../command.ts';

const pollMs = 1_000;

type Rebuild = components['schemas']['RebuildResponse'];

const isEngine = (engine: string | undefined): engine is Rebuild['to']['engine'] | undefined =>
  engine === undefined || engine === 'lance' || engine === 's3_vectors';

const describe = ({ id, status, vectors, estimated_cost_usd: usd }: Rebuild): string =>
  `${id} ${status}, ${vectors} rows, ${usd.toFixed(2)} USD`;

/** Returns the size of chunks that the options name. Null: `default`. Undefined: none. */
const chunkingOf = (call: Call): { readonly size: number; readonly overlap?: number } | null | undefined => {
  const [size, overlap] = [textOption(call, 'chunk-size'), textOption(call, 'chunk-overlap')];
  if (overlap !== undefined && !/^\d+$/.test(overlap))
    throw new UsageError(`--chunk-overlap is "${overlap}". Give an integer from 0.`);
  if (size === undefined || size === 'default') {
    if (overlap !== undefined) throw new UsageError('--chunk-overlap needs a --chunk-size.');
    return size === undefined ? undefined : null;
  }
  return { size: countOption(call, 'chunk-size', 1), ...(overlap === undefined ? {} : { overlap: Number(overlap) }) };
};

/** Shows the progress of a rebuild until it has ended. */
const watch = async (call: Call, path: { readonly index_id: string; readonly rebuild_id: string }): Promise<number> => {
  const get = () => call.client().get('/v1/indexes/{index_id}/rebuilds/{rebuild_id}', { params: { path } });
  let rebuild = await get();
  while (['queued', 'running', 'rolling_back'].includes(rebuild.status)) {
    call.note(describe(rebuild), true);
    await pause(pollMs);
    rebuild = await get();
  }
  const until = rebuild.status === 'completed' ? `, can be undone until ${rebuild.rollback_until}` : '';
  call.print(rebuild, rebuild.error === null ? describe(rebuild) + until : `${describe(rebuild)}: ${rebuild.error}`);
  return rebuild.status === 'failed' ? exitCodes.failed : 0;
};

export const rebuild: Command = {
  usage:
    'rebuild [--model ID] [--language NAME] [--engine NAME] [--chunk-size N|default [--chunk-overlap N]] [--skip-foreign] [--dry-run] | rebuild rollback|close ID',
  summary: 'gives an index another model, language, engine or size of chunks, shows the progress, or undoes it',
  options: {
    model: { type: 'string' },
    language: { type: 'string' },
    engine: { type: 'string' },
    'chunk-size': { type: 'string' },
    'chunk-overlap': { type: 'string' },
    'skip-foreign': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  run: async (call) => {
    const [action, rebuildId] = call.args;
    const client = call.client();
    const path = { index_id: await call.indexId() };
    if (action !== undefined) {
      if ((action !== 'rollback' && action !== 'close') || rebuildId === undefined)
        throw new UsageError('Give rollback or close, and the id of a rebuild.');
      const params = { path: { ...path, rebuild_id: rebuildId } };
      if (action === 'rollback') await client.post('/v1/indexes/{index_id}/rebuilds/{rebuild_id}/rollback', { params });
      else await client.delete('/v1/indexes/{index_id}/rebuilds/{rebuild_id}', { params });
      return watch(call, params.path);
    }
    const [model, language, engine] = [
      textOption(call, 'model'),
      textOption(call, 'language'),
      textOption(call, 'engine'),
    ];
    if (!isEngine(engine)) throw new UsageError(`--engine is "${engine}". Give lance or s3_vectors.`);
    const chunking = chunkingOf(call);
    const dryRun = call.options['dry-run'] === true;
    const { rebuild: started, estimate } = await client.post('/v1/indexes/{index_id}/rebuilds', {
      params: { path },
      body: {
        ...(model === undefined ? {} : { embedding_model: model }),
        // Cast: the service names the languages that it has.
        ...(language === undefined ? {} : { text_language: language as Rebuild['to']['text_language'] }),
        ...(engine === undefined ? {} : { engine }),
        ...(chunking === undefined ? {} : { chunking }),
        foreign_vectors: call.options['skip-foreign'] === true ? 'skip' : 'refuse',
        dry_run: dryRun,
      },
    });
    if (estimate !== null) {
      const { vectors, vectors_after: after, left_out: leftOut, embedding_tokens: tokens, seconds } = estimate;
      const { files, kept_files: keptFiles, estimated_cost_usd: usd } = estimate;
      const ofFiles = files === 0 ? '' : `, ${files} files cut again except ${keptFiles}`;
      call.print(
        estimate,
        `${vectors} rows become ${after}${ofFiles}, ${leftOut} left out, ${tokens} tokens, ${usd.toFixed(2)} USD, about ${seconds} s`,
      );
      return 0;
    }
    return watch(call, { ...path, rebuild_id: started?.id ?? '' });
  },
};
