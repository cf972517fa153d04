import { closeSync, openSync } from 'node:fs';
import { eventually } from '../../../test/support/eventually.ts';
import { act, openBench } from './function-bench.ts';

// A process of its own, because it takes every file descriptor that it may have: says how runs end meanwhile and after.
const cleanups: (() => void | Promise<void>)[] = [];
const bench = openBench({ after: (hook) => cleanups.unshift(hook) }, { processesPerFunction: 2 }, [256]);

const takeAll = (): readonly number[] => {
  const taken: number[] = [];
  try {
    for (;;) taken.push(openSync('/dev/null', 'r'));
  } catch {
    return taken;
  }
};

const taken = takeAll();
const faults = await Promise.all([1, 2, 3].map(() => act(bench, { act: 'pid' })));
const without = faults.map((fault) => (fault as Readonly<Record<string, unknown>>)['errorType']);
const processes = await eventually(
  () => bench.host.processes().length,
  (left) => left === 0,
);
taken.forEach((descriptor) => closeSync(descriptor));
const again = typeof (await act(bench, { act: 'pid' }));
for (const cleanup of cleanups) await cleanup();
process.stdout.write(JSON.stringify({ without, processes, again }));
