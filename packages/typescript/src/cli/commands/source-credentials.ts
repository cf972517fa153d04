import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { SourceCredentialsPut } from '../../schema.ts';
import { argument, type Call, chooseAction, type Command, UsageError } from '../command.ts';

const read = async (file: string): Promise<SourceCredentialsPut> => {
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  try {
    return JSON.parse(content) as SourceCredentialsPut;
  } catch (error) {
    throw new UsageError(`${file} is no JSON. Give {"provider": …, "credentials": …}.`, { cause: error });
  }
};

const path = '/v1/source-credentials/{source_credentials}';
const paramsOf = (call: Call) => ({ path: { source_credentials: argument(call, 1, 'NAME') } });

export const sourceCredentials: Command = {
  usage: 'source-credentials list | set NAME FILE | delete NAME',
  summary: 'lists, stores or deletes credentials of buckets; FILE is JSON, - reads stdin',
  options: {},
  ...chooseAction({
    list: async (call) => {
      for (const stored of await call.client().get('/v1/source-credentials'))
        call.print(stored, `${stored.name}  ${stored.provider}  ${stored.replaced_at}`);
    },
    set: async (call) => {
      const [params, body] = [paramsOf(call), await read(argument(call, 2, 'FILE'))];
      const stored = await call.client().put(path, { params, body });
      call.print(stored, `${stored.name}  ${stored.provider}  ${stored.replaced_at}`);
    },
    delete: async (call) => {
      const params = paramsOf(call);
      await call.client().delete(path, { params });
      const name = params.path.source_credentials;
      call.print({ name }, `Deleted ${name}.`);
    },
  }),
};
