import type { ParseArgsOptionsConfig } from 'node:util';
import type { StrataClient } from '../create-client.ts';

/** Retries of a command that can run for hours. */
export const manyRetries = 30;

/** Exit codes of the program. */
export const exitCodes = { failed: 1, usage: 2, denied: 3, notFound: 4, unavailable: 5 } as const;

/** Error in the arguments, with what to do instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Error about a name for which there is nothing, with what there is instead. */
export class NotFoundError extends Error {
  override readonly name = 'NotFoundError';
}

/** A call of a command. */
export interface Call {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly url: string;
  /** Client with the credential of the call. Throws UsageError if there is none. */
  readonly client: () => StrataClient;
  /** Id of the index of `--index`, which is a name or an id. */
  readonly indexId: () => Promise<string>;
  /** Id of another index, by its name, alias or id. */
  readonly indexIdOf: (nameOrId: string) => Promise<string>;
  /** Prints a result to stdout: one line of JSON with `--json`, else the text. */
  readonly print: (result: unknown, text: string) => void;
  /**
   * Prints a note for people to stderr, as JSON with `--json`. With `transient`, the next output overwrites it, and only a
   * terminal shows it.
   */
  readonly note: (text: string, transient?: boolean) => void;
}

export interface Command {
  /** Arguments, as in `push DIR`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: ParseArgsOptionsConfig;
  /** Maximum of retries of a request, if the command runs long enough to meet rate limits. */
  readonly retries?: number;
  readonly subcommands?: readonly string[];
  /** Resolves to the exit code; undefined is success. */
  readonly run: (call: Call) => Promise<number | void>;
}

/** Value of an option that takes one. */
export const textOption = ({ options }: Call, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** Values of an option that can be given several times. */
export const textOptions = ({ options }: Call, name: string): readonly string[] => {
  const values = options[name];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
};

/** A positive integer option. Throws UsageError for another value. */
export const countOption = (call: Call, name: string, byDefault: number): number => {
  const text = textOption(call, name);
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new UsageError(`--${name} is "${text}". Give an integer from 1.`);
  return value;
};

/** An argument by position. Throws UsageError if it is absent. */
export const argument = ({ args }: Call, position: number, name: string): string => {
  const value = args[position];
  if (value === undefined) throw new UsageError(`${name} is missing.`);
  return value;
};

type Action = (call: Call) => Promise<number | void>;

/** Subcommands by name, and how the first argument selects one. */
export const chooseAction = (
  actions: Readonly<Record<string, Action>>,
): { readonly subcommands: readonly string[]; readonly run: Action } => ({
  subcommands: Object.keys(actions),
  run: async (call) => {
    const name = argument(call, 0, 'The action');
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) throw new UsageError(`Give one of ${Object.keys(actions).join(', ')}.`);
    return action(call);
  },
});

/** Reads an option that is an object as JSON, such as `--filter`; undefined if it is absent. Throws UsageError. */
export const jsonOption = (call: Call, name: string, example: string): Record<string, never> | undefined => {
  const text = textOption(call, name);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    // Cast: the service checks its content.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, never>;
  } catch {
    // The error below says the same.
  }
  throw new UsageError(`--${name} is ${text}. Give an object as JSON, such as ${example}.`);
};
