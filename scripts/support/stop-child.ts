import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const patienceMs = 15_000;

/** Asks a child process to end and waits until it is gone; kills it after 15 seconds. */
export const stopChild = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'close');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), patienceMs);
  await gone;
  clearTimeout(deadline);
};
