/** Thrown by a step that cannot be checked here. The message says how it could. */
export class Skip extends Error {}

interface Outcome<Value> {
  readonly value: Value;
  /** Shown beside the time. */
  readonly note: string;
}

/** Steps of a run, each printed as a row of a table. */
export interface Steps {
  /** Throws if the step fails, which ends the run. */
  readonly required: <Value>(name: string, run: () => Promise<Outcome<Value>>) => Promise<Value>;
  /** Returns null if the step fails or is skipped; the run goes on. */
  readonly optional: <Value>(name: string, run: () => Promise<Outcome<Value>>) => Promise<Value | null>;
  /** Adds a removal, which runs before those that were added earlier. */
  readonly onCleanUp: (removal: () => Promise<void>) => void;
  /** Runs all removals, each once, also if one fails. */
  readonly cleanUp: () => Promise<void>;
  readonly hasFailed: () => boolean;
}

const nameWidth = 14;
const statusWidth = 8;
const timeWidth = 10;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const openSteps = (write: (line: string) => void): Steps => {
  const removals: (() => Promise<void>)[] = [];
  let failed = false;
  const row = (name: string, status: string, time: string, note: string): void =>
    write(`${name.padEnd(nameWidth)}${status.padEnd(statusWidth)}${time.padStart(timeWidth)}  ${note}`);
  row('step', 'status', 'time', 'result');
  const timed = async <Value>(name: string, run: () => Promise<Outcome<Value>>): Promise<Value> => {
    const began = performance.now();
    const end = (status: string, note: string): void =>
      row(name, status, `${Math.round(performance.now() - began)} ms`, note);
    try {
      const { value, note } = await run();
      end('ok', note);
      return value;
    } catch (error) {
      if (!(error instanceof Skip)) failed = true;
      end(error instanceof Skip ? 'skipped' : 'FAILED', messageOf(error));
      throw error;
    }
  };
  const removeAll = async (): Promise<Outcome<null>> => {
    const failures: string[] = [];
    const count = removals.length;
    for (let removal = removals.pop(); removal !== undefined; removal = removals.pop())
      await removal().catch((error: unknown) => failures.push(messageOf(error)));
    if (failures.length > 0) throw new Error(failures.join('; '));
    return { value: null, note: `${count} removed` };
  };
  const optional: Steps['optional'] = async (name, run) => {
    try {
      return await timed(name, run);
    } catch {
      return null;
    }
  };
  return {
    required: timed,
    optional,
    onCleanUp: (removal) => void removals.push(removal),
    cleanUp: async () => {
      if (removals.length > 0) await optional('clean-up', removeAll);
    },
    hasFailed: () => failed,
  };
};
