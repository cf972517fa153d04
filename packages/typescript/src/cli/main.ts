#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import { createClient, serviceAddress } from '../create-client.ts';
import { StrataError } from '../strata-error.ts';
import { type Call, type Command, exitCodes, NotFoundError, UsageError } from './command.ts';
import { commands } from './commands/index.ts';
import { readCredentials, tokenOf } from './credentials.ts';
import { Output } from './output.ts';
import { useProxies } from './proxy.ts';

const commonOptions = {
  url: { type: 'string' },
  index: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const commonUsage =
  'Options of all commands: --url URL, --index NAME, --json, --help. An index is a name, alias or id.';

const help = `strata COMMAND [OPTIONS]

${Object.values(commands)
  .map(({ usage, summary }) => `  ${usage.padEnd(62)} ${summary}`)
  .join('\n')}

${commonUsage}
Other options: --version prints the version of this program.
Environment: STRATA_URL, STRATA_API_KEY, STRATA_INDEX. They have precedence over \`strata login\`.
Exit codes: 0 success, 1 failed, 2 usage, 3 credential refused, 4 not found, 5 service unavailable`;

const versionOf = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;

/** Maximum of names that an error lists. */
const maxListedNames = 20;
/** Maximum characters of the name of an index. */
const maxNameLength = 255;

const findIndex = async (call: Call, nameOrId: string | undefined): Promise<string> => {
  if (nameOrId === undefined || nameOrId === '') throw new UsageError('Give an index by --index or STRATA_INDEX.');
  if (nameOrId.startsWith('idx_')) return nameOrId;
  const found: string[] = [];
  const query = { q: nameOrId.slice(0, maxNameLength), limit: 1_000 };
  for await (const { id, name } of call.client().pages('/v1/indexes', { params: { query } }))
    if (name === nameOrId) found.push(id);
  const [id] = found;
  if (id !== undefined && found.length === 1) return id;
  if (id !== undefined)
    throw new UsageError(`${found.length} indexes have the name "${nameOrId}". Give an id: ${found.join(', ')}.`);
  // Paths take an alias in place of an id.
  if (/^[0-9a-z][0-9a-z_-]{0,62}$/.test(nameOrId)) {
    const alias = await call
      .client()
      .get('/v1/aliases/{name}', { params: { path: { name: nameOrId } } })
      .catch((error: unknown) => {
        if (error instanceof StrataError && error.status === 404) return null;
        throw error;
      });
    if (alias !== null) return alias.index_id;
  }
  const newest = await call.client().get('/v1/indexes', { params: { query: { limit: maxListedNames + 1 } } });
  const names = [...new Set(newest.map(({ name }) => name))];
  const listed = names.slice(0, maxListedNames).join(', ');
  const rest = newest.length > maxListedNames ? ' and more' : '';
  throw new NotFoundError(
    `There is no index "${nameOrId}". ${names.length === 0 ? 'You have none: `strata index create NAME` creates one' : `You have: ${listed}${rest}`}.`,
  );
};

const parse = (command: Command, args: readonly string[]) =>
  parseArgs({ args: [...args], options: { ...command.options, ...commonOptions }, allowPositionals: true });

const callOf = async (command: Command, args: readonly string[], { print, note }: Output): Promise<Call> => {
  const { values, positionals } = parse(command, args);
  const options = values as Call['options'];
  const stored = await readCredentials();
  const { STRATA_API_KEY, STRATA_URL, STRATA_INDEX } = process.env;
  const token = STRATA_API_KEY ?? (stored === null ? null : tokenOf(stored));
  const given = [options['url'], STRATA_URL, stored?.url].find((url) => typeof url === 'string' && url !== '');
  const url = serviceAddress(String(given ?? 'http://127.0.0.1:8787'));
  if (!URL.canParse(url)) throw new UsageError(`"${url}" is not an address. Give one such as https://api.example.com.`);
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
      const { retries } = command;
      return createClient({ baseUrl: url, token, ...(retries !== undefined && { retries }) });
    },
    indexId: () => findIndex(call, typeof options['index'] === 'string' ? options['index'] : STRATA_INDEX),
    indexIdOf: (nameOrId) => findIndex(call, nameOrId),
    print,
    note,
  };
  return call;
};

/** Whether an error is of `parseArgs`, about the arguments. */
const isOfArguments = (error: unknown): boolean =>
  error instanceof TypeError &&
  'code' in error &&
  typeof error.code === 'string' &&
  error.code.startsWith('ERR_PARSE_ARGS');

/** Whether an error is of `fetch`, about an address that cannot be reached. */
const isOfConnection = (error: unknown): error is TypeError =>
  error instanceof TypeError && (error.cause instanceof Error || error.message === 'terminated');

const exitCodeOf = (error: unknown): number => {
  if (error instanceof UsageError || isOfArguments(error)) return exitCodes.usage;
  if (error instanceof NotFoundError) return exitCodes.notFound;
  if (error instanceof StrataError) {
    if (error.status === 401 || error.status === 403) return exitCodes.denied;
    if (error.status === 404) return exitCodes.notFound;
    return error.status === 429 || error.status >= 500 ? exitCodes.unavailable : exitCodes.failed;
  }
  return isOfConnection(error) ? exitCodes.unavailable : exitCodes.failed;
};

const messageOf = (error: unknown, warning: string | null): string => {
  if (!(error instanceof Error)) return String(error);
  const { message, cause } = error;
  if (isOfConnection(error)) {
    const reason = cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message;
    return `The service cannot be reached: ${reason}.${warning === null ? '' : ` ${warning}`}`;
  }
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
};

/** Fields of an error for programs. */
const fieldsOf = (error: unknown): Readonly<Record<string, unknown>> =>
  error instanceof StrataError
    ? { status: error.status, code: error.code, request_id: error.requestId, problems: error.problems }
    : {};

const describe = (name: string, { usage, summary, options }: Command) => ({
  name,
  usage,
  summary,
  options: Object.keys({ ...options, ...commonOptions }),
});

const printHelp = (output: Output): void =>
  output.print(
    { version: versionOf(), commands: Object.entries(commands).map(([name, command]) => describe(name, command)) },
    help,
  );

const printCommandHelp = (output: Output, name: string, command: Command): void => {
  const options = Object.entries(command.options).map(
    ([option, { type }]) => `  --${option}${type === 'string' ? ' VALUE' : ''}`,
  );
  output.print(
    describe(name, command),
    [`strata ${command.usage}`, '', command.summary, ...options, commonUsage].join('\n'),
  );
};

const main = async (given: readonly string[], output: Output): Promise<number> => {
  const at = given.findIndex((argument) => argument !== '--json');
  const name = given[at] ?? '--help';
  const args = given.filter((_, position) => position !== at);
  if (name === '--version') {
    output.print({ version: versionOf() }, versionOf());
    return 0;
  }
  if (name === '--help' || name === 'help') {
    printHelp(output);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined) throw new UsageError(`There is no command "${name}". \`strata --help\` lists them.`);
  if (parse(command, args).values.help === true) {
    printCommandHelp(output, name, command);
    return 0;
  }
  return (await command.run(await callOf(command, args, output))) ?? 0;
};

const given = process.argv.slice(2);
const [options] = given.includes('--') ? [given.slice(0, given.indexOf('--'))] : [given];
const output = new Output(options.includes('--json'));
const proxyWarning = useProxies();
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : exitCodes.failed),
);
try {
  process.exitCode = await main(given, output);
} catch (error) {
  const exitCode = exitCodeOf(error);
  output.fail({ message: messageOf(error, proxyWarning), exit_code: exitCode, ...fieldsOf(error) });
  process.exitCode = exitCode;
}
