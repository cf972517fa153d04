import { readFileSync } from 'node:fs';

/** Processes and queues of the one-machine cloud. */
export interface Health {
  readonly processes: readonly { readonly pid: number; readonly function: string }[];
  readonly queues: readonly {
    readonly name: string;
    readonly visible: number;
    readonly in_flight: number;
    readonly delayed: number;
  }[];
}

export const readHealth = async (baseUrl: string): Promise<Health> =>
  (await (await fetch(`${baseUrl}/_local/health`)).json()) as Health;

/** Returns a number of a file of Linux. 0: the process has ended. */
const numberIn = (file: string, pattern: RegExp): number => {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
};

const childrenOf = (pid: number): readonly number[] => {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return list === '' ? [] : list.split(' ').map(Number);
  } catch {
    return [];
  }
};

/** Name of the process that runs the emulators. */
const cloud = 'local cloud';

/** Updates the maximum memory (MiB) of each kind of process, without files that are mapped into it. */
export const samplePeaks = ({ processes }: Health, peaks: Map<string, number>): void => {
  const note = (name: string, pid: number): void => {
    const mib = numberIn(`/proc/${pid}/status`, /^RssAnon:\s+(\d+)/m) / 1024;
    peaks.set(name, Math.max(peaks.get(name) ?? 0, mib));
  };
  for (const { pid, function: name } of processes) {
    note(name, pid);
    note(cloud, numberIn(`/proc/${pid}/status`, /^PPid:\s+(\d+)/m));
    for (const child of childrenOf(pid)) note(`${name}, reader of files`, child);
  }
};
