import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process in bytes; 0 when it is gone. */
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

/** Files, sockets and pipes that a process has open; 0 when it is gone, or where the system does not tell. */
export const openDescriptors = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
};
