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
    // It has ended by itself.
  }
};

/**
 * A directory for each function process of one data directory, named by its number. It is what the process has for its
 * temporary files, as each has its own on Lambda, and by it the next host finds the processes that outlived this one.
 */
export interface ProcessFiles {
  /** Where the directories lie; an argument of every function process, which tells these from all others of the machine. */
  readonly mark: string;
  readonly add: (pid: number) => void;
  /** Once the process is gone. A directory that can't be removed stays until the next start. */
  readonly remove: (pid: number) => void;
  /**
   * Ends function processes of an earlier host. They end themselves as soon as it is gone, unless they are busy; one
   * that still writes would spoil what the new host's functions write.
   */
  readonly killOrphans: () => Promise<void>;
}

/** Keeps the directories under `directory`, an absolute path. */
export const openProcessFiles = (directory: string): ProcessFiles => {
  mkdirSync(directory, { recursive: true });
  const directoryOf = (pid: number): string => join(directory, String(pid));
  const remove = (pid: number): void => {
    try {
      rmSync(directoryOf(pid), { recursive: true, force: true });
    } catch {
      // Whoever was waiting for the process must not suffer from what it left behind.
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
        // A full disk: the process makes it as well, and says so where it can't.
      }
    },
    remove,
    killOrphans: async () => {
      await Promise.all(readdirSync(directory).map((name) => killOrphan(Number(name))));
    },
  };
};
