import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

/** Variables of these options are set in every run of a script. */
const npmOwn: ReadonlySet<string> = new Set(['cache']);

const variableOf = (name: string): string => `npm_config_${name.replaceAll('-', '_')}`;

/** npm 11 takes an option for a switch and passes its value on as an argument. Earlier versions keep the value, too. */
const valuesOf = (kept: string, args: readonly string[]): readonly string[] => {
  const values = kept.split('\n\n').filter((value) => value !== '');
  return values.length === 1 && values[0] === 'true' && args.length === 1 ? args : values;
};

const quoted = (value: string): string => (/^[\w.,:/=@-]+$/.test(value) ? value : JSON.stringify(value));

const asWritten = (name: string, isSwitch: boolean, values: readonly string[]): string =>
  isSwitch
    ? `--${name}`
    : values.map((value) => `--${name} ${value === 'true' ? 'VALUE' : quoted(value)}`).join(' ') || `--${name} VALUE`;

/**
 * Throws if npm has kept options of a script for itself, as in `npm start --port 9001`: without `--` before them they
 * are options of npm, which the script finds in its environment alone.
 */
const refuseOptionsKeptByNpm = (options: Options, args: readonly string[]): void => {
  const command = process.env['npm_lifecycle_event'];
  if (command === undefined) return;
  const kept = Object.entries(options).flatMap(([name, { type }]) => {
    const value = process.env[variableOf(name)];
    if (value === undefined || npmOwn.has(name)) return [];
    return [asWritten(name, type === 'boolean', valuesOf(value, args))];
  });
  if (kept.length === 0) return;
  const npm = command === 'start' || command === 'test' ? `npm ${command}` : `npm run ${command}`;
  throw new Error(`Options that stand before "--" go to npm. Write: ${npm} -- ${kept.join(' ')}`);
};

/** Parses the command line of a script, like `parseArgs`. Throws in one line what is wrong with it. */
export const readCommandLine = <const Config extends ParseArgsConfig>(config: Config) => {
  refuseOptionsKeptByNpm(config.options ?? {}, config.args ?? process.argv.slice(2));
  return parseArgs(config);
};

/** The same for a script that catches nothing itself: it ends with the line and exit code 1. */
export const commandLine = <const Config extends ParseArgsConfig>(config: Config) => {
  try {
    return readCommandLine(config);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
};
