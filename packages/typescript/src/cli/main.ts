#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { createClient } from '../create-client.ts';
import { StrataError } from '../strata-error.ts';
import { type Call, type Command, exitCodes, UsageError } from './command.ts';
import { commands } from './commands/index.ts';
import { readCredentials, tokenOf } from './credentials.ts';

const commonOptions = {
  url: { type: 'string' },
  index: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

/** Enough for the rate limits of a long push. */
const retries = 30;

const help = `strata COMMAND [OPTIONS]

${Object.values(commands)
  .map(({ usage, summary }) => `  ${usage.padEnd(62)} ${summary}`)
  .join('\n')}

Options of all commands: --url URL, --index NAME_OR_ID, --json, --help
Environment: STRATA_URL, STRATA_API_KEY, STRATA_INDEX. They have precedence over \`strata login\`.
Exit codes: 0 success, 1 failed, 2 usage, 3 credential refused, 4 not found, 5 service unavailable
`;

const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

const isTerminal = process.stderr.isTTY;
let isTransient = false;

const note: Call['note'] = (text, transient = false) => {
  if (transient && !isTerminal) return;
  process.stderr.write(`${isTransient ? '\r\u001b[K' : ''}${text}${transient ? '' : '\n'}`);
  isTransient = transient;
};

const findIndex = async (call: Call, nameOrId: string | undefined): Promise<string> => {
  if (nameOrId === undefined) throw new UsageError('Give an index by --index or STRATA_INDEX.');
  if (nameOrId.startsWith('idx_')) return nameOrId;
  const found: string[] = [];
  for await (const index of call.client().pages('/v1/indexes')) if (index.name === nameOrId) found.push(index.id);
  const [id] = found;
  // Paths take an alias in place of an id.
  if (id === undefined && /^[0-9a-z][0-9a-z_-]{0,62}$/.test(nameOrId)) {
    const alias = await call.client().get('/v1/aliases/{name}', { params: { path: { name: nameOrId } } });
    return alias.index_id;
  }
  if (id === undefined || found.length > 1)
    throw new UsageError(`${found.length} indexes have the name "${nameOrId}". Give the id of one.`);
  return id;
};

const callOf = async (command: Command, args: readonly string[]): Promise<Call> => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { ...command.options, ...commonOptions },
    allowPositionals: true,
  });
  const options = values as Call['options'];
  const stored = await readCredentials();
  const { STRATA_API_KEY, STRATA_URL, STRATA_INDEX } = process.env;
  const token = STRATA_API_KEY ?? (stored === null ? null : tokenOf(stored));
  const given = [options['url'], STRATA_URL, stored?.url].find((url) => typeof url === 'string' && url !== '');
  const url = String(given ?? 'http://127.0.0.1:8787').replace(/\/+$/, '');
  // A stored credential is sent only to the address for which it was given.
  const isStored = STRATA_API_KEY === undefined && stored !== null;
  const call: Call = {
    args: positionals,
    options,
    url,
    client: () => {
      if (token === null) throw new UsageError('There is no credential. Run `strata login` or set STRATA_API_KEY.');
      if (isStored && stored.url !== url)
        throw new UsageError(`The stored credential is for ${stored.url}. Run \`strata login --url ${url}\`.`);
      return createClient({ baseUrl: url, token, retries });
    },
    indexId: () => findIndex(call, typeof options['index'] === 'string' ? options['index'] : STRATA_INDEX),
    print: (result, text) => process.stdout.write(`${options['json'] === true ? JSON.stringify(result) : text}\n`),
    note,
  };
  return call;
};

const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError || (error instanceof TypeError && 'code' in error)) return exitCodes.usage;
  if (error instanceof StrataError) {
    if (error.status === 401 || error.status === 403) return exitCodes.denied;
    if (error.status === 404) return exitCodes.notFound;
    return error.status === 429 || error.status >= 500 ? exitCodes.unavailable : exitCodes.failed;
  }
  // `fetch` throws a TypeError for an address that cannot be reached.
  return error instanceof TypeError ? exitCodes.unavailable : exitCodes.failed;
};

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

const main = async ([name = '--help', ...args]: readonly string[]): Promise<number> => {
  if (name === '--version') process.stdout.write(`${versionOf()}\n`);
  if (name === '--help' || name === 'help') process.stdout.write(help);
  if (name.startsWith('--') || name === 'help') return 0;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command "${name}". \`strata --help\` lists them.`);
  const call = await callOf(command, args);
  if (call.options['help'] === true) {
    const options = Object.entries(command.options).map(
      ([option, { type }]) => `  --${option}${type === 'string' ? ' VALUE' : ''}`,
    );
    process.stdout.write(`strata ${command.usage}\n\n${command.summary}\n${options.join('\n')}\n`);
    return 0;
  }
  return (await command.run(call)) ?? 0;
};

process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed),
);
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  note(`strata: ${messageOf(error)}`);
  process.exitCode = exitCodeOf(error);
}
