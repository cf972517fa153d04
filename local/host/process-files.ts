import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const killLimitMs = 5_000;

const commandOf = (pid: number): string => {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  } catch {
    return '';
  }
};

const endNow = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
};

/** Notes of the function processes of one data directory, so that the next host finds those that outlived this one. */
export interface ProcessFiles {
  /** An argument of every function process, which tells these processes from all others of the machine. */
  readonly mark: string;
  readonly add: (pid: number) => void;
  readonly remove: (pid: number) => void;
  /**
   * Ends function processes of an earlier host. They end themselves as soon as it is gone, unless they are busy; one
   * that still writes would spoil what the new host's functions write.
   */
  readonly killOrphans: () => Promise<void>;
}

/** Keeps the notes under `directory`, an absolute path. */
export const openProcessFiles = (directory: string): ProcessFiles => {
  mkdirSync(directory, { recursive: true });
  const remove = (pid: number): void => rmSync(join(directory, String(pid)), { force: true });
  const killOrphan = async (pid: number): Promise<void> => {
    const endsAt = performance.now() + killLimitMs;
    while (commandOf(pid).includes(directory)) {
      if (performance.now() > endsAt) {
        throw new Error(`function process ${pid} of an earlier run does not end; end it yourself, then start again`);
      }
      endNow(pid);
      await delay(10);
    }
    remove(pid);
  };
  return {
    mark: directory,
    add: (pid) => writeFileSync(join(directory, String(pid)), ''),
    remove,
    killOrphans: async () => {
      await Promise.all(readdirSync(directory).map((name) => killOrphan(Number(name))));
    },
  };
};
