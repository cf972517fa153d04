import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
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
    // The process has ended already.
  }
};

/**
 * Directory of each function process of one data directory, named by its process id. It holds the temporary files of the
 * process, as `/tmp` does on Lambda. By it, the next host finds processes that outlived this one.
 */
export interface ProcessFiles {
  /** Parent directory. Every function process has it as an argument, which distinguishes it from other processes. */
  readonly mark: string;
  readonly add: (pid: number) => void;
  /** Removes the directory of a process that has ended. If that fails, the directory stays until the next start. */
  readonly remove: (pid: number) => void;
  /**
   * Ends function processes of an earlier host. They end themselves when that host ends, unless they are busy. One that
   * still writes would corrupt data that functions of the new host write.
   */
  readonly killOrphans: () => Promise<void>;
}

/** Opens the directories under `directory`, an absolute path. */
export const openProcessFiles = (directory: string): ProcessFiles => {
  mkdirSync(directory, { recursive: true });
  const directoryOf = (pid: number): string => join(directory, String(pid));
  const remove = (pid: number): void => {
    try {
      rmSync(directoryOf(pid), { recursive: true, force: true });
    } catch {
      // A directory that cannot be removed must not fail the run that waits for the process.
    }
  };
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
    add: (pid) => {
      try {
        mkdirSync(directoryOf(pid), { recursive: true });
      } catch {
        // A full disk: the process creates the directory as well, and reports it if it cannot.
      }
    },
    remove,
    killOrphans: async () => {
      await Promise.all(readdirSync(directory).map((name) => killOrphan(Number(name))));
    },
  };
};
