import { createInterface } from 'node:readline/promises';
import { createClient } from '../../create-client.ts';
import { type Command, UsageError } from '../command.ts';
import { credentialsPath, storeCredentials } from '../credentials.ts';

const readToken = async (): Promise<string> => {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line.trim();
  return '';
};

export const login: Command = {
  usage: 'login [--url URL]',
  summary: 'stores an API key or session token, read from stdin',
  options: {},
  run: async ({ url, note, print }) => {
    note(`Paste an API key of ${url}. The console creates one at ${url}/console. End with Enter.`);
    const token = await readToken();
    if (token === '') throw new UsageError('Stdin contained no credential.');
    await createClient({ baseUrl: url, token }).get('/v1/indexes', { params: { query: { limit: 1 } } });
    await storeCredentials({ url, token });
    print({ url, path: credentialsPath() }, `The credential works. It is stored in ${credentialsPath()}.`);
  },
};
