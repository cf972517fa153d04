import { createInterface } from 'node:readline/promises';
import { createClient } from '../../create-client.ts';
import { type Call, type Command, UsageError } from '../command.ts';
import { type Credentials, credentialsPath, storeCredentials } from '../credentials.ts';
import { requestAccess } from '../request-access.ts';

const readToken = async (): Promise<string> => {
  const lines = createInterface({ input: process.stdin });
  for await (const line of lines) return line.trim();
  return '';
};

const readCredential = async ({ url, note, options }: Call): Promise<Credentials> => {
  const asksForKey = options['key'] === true;
  const opensBrowser = options['no-browser'] !== true;
  if (asksForKey) note(`Paste an API key of ${url}. The console creates one at ${url}/console. End with Enter.`);
  const token = asksForKey || (opensBrowser && !process.stdin.isTTY) ? await readToken() : '';
  if (token !== '') return { url, token };
  if (asksForKey) throw new UsageError('Stdin contained no credential.');
  const onAddress = (address: string): void => {
    note(
      `${opensBrowser ? 'The browser opens this page. Otherwise open it yourself:' : 'Open this page:'}\n${address}`,
    );
    note('If the browser then cannot reach this machine, paste the address that it shows.');
  };
  return requestAccess(url, { opensBrowser, onAddress });
};

export const login: Command = {
  usage: 'login [--url URL] [--key] [--no-browser]',
  summary: 'asks for access in the browser, or stores an API key or session token from stdin',
  options: { key: { type: 'boolean' }, 'no-browser': { type: 'boolean' } },
  run: async (call) => {
    const credentials = await readCredential(call);
    const { url, token } = credentials;
    await createClient({ baseUrl: url, token }).get('/v1/indexes', { params: { query: { limit: 1 } } });
    await storeCredentials(credentials);
    call.print({ url, path: credentialsPath() }, `The credential works. It is stored in ${credentialsPath()}.`);
  },
};
