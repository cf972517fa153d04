import type { IndexCreateIfExists, IndexCreateTextLanguage } from '../../schema.ts';
import { StrataError } from '../../strata-error.ts';
import { argument, type Call, chooseAction, type Command, countOption, textOption, UsageError } from '../command.ts';

const actions: Readonly<Record<string, (call: Call) => Promise<void>>> = {
  list: async (call) => {
    for await (const index of call.client().pages('/v1/indexes')) call.print(index, `${index.id}  ${index.name}`);
  },
  create: async (call) => {
    const name = argument(call, 1, 'NAME');
    const language = textOption(call, 'language');
    const size =
      textOption(call, 'dimensions') === undefined
        ? { embedding_model: textOption(call, 'model') ?? 'default' }
        : { embedding_model: textOption(call, 'model') ?? null, dimensions: countOption(call, 'dimensions', 1) };
    // Cast: the service names the languages that it knows.
    const body = {
      name,
      ...size,
      ...(language !== undefined && { text_language: language as IndexCreateTextLanguage }),
    };
    const ifExists = textOption(call, 'if-exists') ?? 'conflict';
    const index = await call
      .client()
      // Cast: the service names the values that it knows.
      .post('/v1/indexes', { body: { ...body, if_exists: ifExists as IndexCreateIfExists } })
      .catch((error: unknown) => {
        if (!(error instanceof StrataError) || error.code !== 'name_taken') throw error;
        throw new UsageError(
          `${error.detail}. Give --if-exists return to use it, or --if-exists create for another one.`,
        );
      });
    call.print(index, index.id);
  },
  show: async (call) => {
    const params = { path: { index_id: await call.indexId() } };
    const index = await call.client().get('/v1/indexes/{index_id}', { params });
    const stats = await call.client().get('/v1/indexes/{index_id}/stats', { params });
    call.print({ ...index, stats }, JSON.stringify({ ...index, stats }, null, 2));
  },
  delete: async (call) => {
    const id = await call.indexId();
    await call.client().delete('/v1/indexes/{index_id}', { params: { path: { index_id: id } } });
    call.print({ id }, `Deleted ${id}.`);
  },
};

export const index: Command = {
  usage: 'index list | create NAME | show | delete',
  summary: 'lists, creates, shows or deletes indexes',
  options: {
    dimensions: { type: 'string' },
    model: { type: 'string' },
    language: { type: 'string' },
    'if-exists': { type: 'string' },
  },
  ...chooseAction(actions),
};
