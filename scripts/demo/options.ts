import { defaultEngine, type EngineName, engineNames } from '#engine';
import { readCommandLine } from '../support/read-command-line.ts';

/** Options of the demo. */
export interface DemoOptions {
  /** Null: the project's own handbook. */
  readonly file: string | null;
  /** Questions of the user; none: the demo brings or derives its own. */
  readonly questions: readonly string[];
  /** Null: a fresh directory that is removed at the end. */
  readonly dataDirectory: string | null;
  /** Null: those of the model. */
  readonly dimensions: number | null;
  readonly engine: EngineName;
  readonly help: boolean;
}

export const usage = `npm run demo [-- [options] [FILE]]

Starts the service, sends FILE through it and asks it questions. Without FILE it is the project's own handbook.

  --ask "QUESTION"    a question of your own; may be given several times
  --data DIR          keep the data in DIR (default: a fresh directory, removed at the end)
  --dimensions N      dimensions of the index (default: those of the model)
  --engine NAME       engine of the index: ${engineNames.join(' or ')} (default ${defaultEngine})
`;

/** Reads the command line. @throws Error that says what is wrong with it. */
export const readOptions = (args: readonly string[]): DemoOptions => {
  const { values, positionals } = readCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      ask: { type: 'string', multiple: true, default: [] },
      data: { type: 'string' },
      dimensions: { type: 'string' },
      engine: { type: 'string', default: defaultEngine },
      help: { type: 'boolean', default: false },
    },
  });
  if (positionals.length > 1) throw new Error(`one file at a time, not ${positionals.length}`);
  const dimensions = values.dimensions === undefined ? null : Number(values.dimensions);
  if (dimensions !== null && !Number.isInteger(dimensions))
    throw new Error(`--dimensions ${values.dimensions} is not a whole number`);
  const engine = engineNames.find((name) => name === values.engine);
  if (engine === undefined) throw new Error(`--engine ${values.engine} is not ${engineNames.join(' or ')}`);
  return {
    file: positionals[0] ?? null,
    questions: values.ask,
    dataDirectory: values.data ?? null,
    dimensions,
    engine,
    help: values.help,
  };
};
