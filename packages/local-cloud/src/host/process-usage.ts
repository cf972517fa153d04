import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Memory (RSS) of a process in bytes; 0 if it has ended. */
export const residentBytes = (pid: number): number => {
  try {
    const kilobytes =
      process.platform === 'linux'
        ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
        : execFileSync('ps', ['-p', String(pid), '-o', 'rss='], { encoding: 'utf8' });
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
};

/** Maximum of open files of this process, and of those that it starts; null if the system does not report it. */
export const maxOpenFiles = (): number | null => {
  try {
    const limit = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }));
    return Number.isNaN(limit) ? null : limit;
  } catch {
    return null;
  }
};

/** Number of open file descriptors of a process; 0 if it has ended, or the system does not report them. */
export const openDescriptors = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};
