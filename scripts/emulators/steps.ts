import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const shownLines = 25;

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly minutes?: number;
}

/** Runs commands as named steps, each with a log of its own, and prints a line for each. */
export class StepRunner {
  readonly #logs: string;
  #passed = 0;

  constructor(logs: string) {
    this.#logs = logs;
  }

  /** Number of steps that succeeded. */
  get passed(): number {
    return this.#passed;
  }

  /** Does something under a name. Throws what it throws. */
  async measure<Result>(name: string, act: () => Promise<Result>): Promise<Result> {
    const startMs = performance.now();
    const report = (outcome: string): void =>
      console.log(`${outcome.padEnd(7)} ${name.padEnd(36)} ${((performance.now() - startMs) / 1000).toFixed(1)} s`);
    try {
      const result = await act();
      this.#passed += 1;
      report('ok');
      return result;
    } catch (error) {
      report('FAILED');
      throw error;
    }
  }

  /** Runs a command and returns its output. Throws Error with the end of it if the command fails or takes too long. */
  run(name: string, { program, args, cwd, env, minutes = 10 }: Command): Promise<string> {
    return this.measure(name, async () => {
      const path = join(this.#logs, `${name.replaceAll(/\W+/g, '-')}.log`);
      const log = openSync(path, 'w');
      try {
        const child = spawn(program, args, { cwd, env, stdio: ['ignore', log, log], timeout: minutes * 60_000 });
        await once(child, 'close');
        const output = readFileSync(path, 'utf8');
        if (child.exitCode === 0) return output;
        const end = output.trim().split('\n').slice(-shownLines).join('\n');
        throw new Error(`${end}\n\n${name} failed. All of its output is in ${path}`);
      } finally {
        closeSync(log);
      }
    });
  }
}
