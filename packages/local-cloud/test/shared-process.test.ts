import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../../../test/support/eventually.ts';
import { act, type Bench, openBench } from './function-bench.ts';

const shared = { isolatesFunctions: false };

const faultOf = async (run: Promise<unknown>): Promise<string> => {
  const { errorType, errorMessage } = (await run) as Readonly<Record<string, unknown>>;
  return `${String(errorType)}: ${String(errorMessage).replace(/^RequestId: \S+ Error: /, '')}`;
};

/** Runs `wrong` on one function while another one runs, which must not notice it. Returns the fault. */
const besideAnother = async (bench: Bench, wrong: object): Promise<string> => {
  const before = await act(bench, { act: 'pid' }, 1);
  const beside = act(bench, { act: 'sleep', ms: 400, note: 'beside' }, 1);
  const fault = await faultOf(act(bench, wrong));
  assert.equal(await beside, before);
  assert.equal(await act(bench, { act: 'pid' }, 1), before);
  assert.equal(await act(bench, { act: 'pid' }), before);
  return fault;
};

test('functions that share a process have the environment and the temporary directory of their own template', async (t) => {
  const bench = openBench(t, shared, [256, 512]);
  const [one, other] = (await Promise.all([0, 1].map((at) => act(bench, { act: 'environment' }, at)))) as [
    Readonly<Record<string, string>>,
    Readonly<Record<string, string>>,
  ];
  const pids = await Promise.all([0, 1].map((at) => act(bench, { act: 'pid' }, at)));
  assert.equal(pids[0], pids[1]);
  assert.deepEqual(Object.keys(one).toSorted(), Object.keys(other).toSorted());
  const differing = Object.keys(one).filter((name) => one[name] !== other[name]);
  assert.deepEqual(differing.toSorted(), [
    'AWS_LAMBDA_FUNCTION_MEMORY_SIZE',
    'AWS_LAMBDA_FUNCTION_NAME',
    'AWS_LAMBDA_LOG_GROUP_NAME',
    'TEMP',
    'TMP',
    'TMPDIR',
  ]);
  assert.equal(dirname(one['TMPDIR'] ?? ''), join(bench.directory, 'run', String(pids[0])));
  const scratch = String(await act(bench, { act: 'scratch' }));
  assert.equal(dirname(scratch), one['TMPDIR']);
  await act(bench, { act: 'exit', code: 1 });
  await eventually(() => (existsSync(scratch) ? null : true));
});

test('a function that exits, crashes, hangs or uses up its memory ends no run of another one in its process', async (t) => {
  const bench = openBench(t, shared, [64, 512]);
  assert.match(await besideAnother(bench, { act: 'exit', code: 3 }), /^Runtime\.ExitError: .*exit status 3$/);
  assert.match(await besideAnother(bench, { act: 'crash' }), /^Runtime\.ExitError: .*exit status 1$/);
  assert.match(await besideAnother(bench, { act: 'spin' }), /^Sandbox\.Timedout: Task timed out after 1\.00 seconds$/);
  assert.match(await besideAnother(bench, { act: 'fill' }), /^(?:Runtime\.ExitError|Sandbox\.Timedout): /);
  const log = readFileSync(join(bench.directory, 'log'), 'utf8');
  assert.match(log, /"function":"bench-f0".*a crash outside of any run/);
});

test('a run that native code keeps beyond its time ends no run of another function in its process', async (t) => {
  const bench = openBench(t, shared, [256, 256]);
  const before = await act(bench, { act: 'pid' }, 1);
  const kept = faultOf(act(bench, { act: 'block', seconds: 5 }));
  // Runs in turn for longer than the host waits for the end of a thread.
  for (let turn = 0; turn < 6; turn += 1)
    assert.equal(await act(bench, { act: 'sleep', ms: 800, note: 'beside' }, 1), before);
  assert.match(await kept, /^Sandbox\.Timedout: /);
  assert.notEqual(await act(bench, { act: 'pid' }), before);
});

test('a function that loads native code has a process of its own from its next run on', async (t) => {
  const bench = openBench(t, shared, [256, 256]);
  const other = await act(bench, { act: 'pid' }, 1);
  assert.equal(await act(bench, { act: 'native' }), other);
  const own = await act(bench, { act: 'pid' });
  assert.notEqual(own, other);
  assert.equal(await act(bench, { act: 'native' }), own);
  assert.equal(await act(bench, { act: 'pid' }), own);
  assert.equal(await act(bench, { act: 'pid' }, 1), other);
});

test('runs of a shared process that is killed fail, and the next ones begin in another process', async (t) => {
  const bench = openBench(t, shared, [256, 256]);
  const pid = Number(await act(bench, { act: 'pid' }));
  assert.equal(await act(bench, { act: 'pid' }, 1), pid);
  const running = [0, 1].map((at) => faultOf(act(bench, { act: 'sleep', ms: 900, note: 'killed' }, at)));
  await eventually(() => (bench.host.processes().filter(({ busy }) => busy).length === 2 ? true : null));
  process.kill(pid, 'SIGKILL');
  for (const fault of await Promise.all(running)) assert.match(fault, /^Runtime\.ExitError: .*signal: killed$/);
  const others = await Promise.all([0, 1].map((at) => act(bench, { act: 'pid' }, at)));
  assert.equal(others[0], others[1]);
  assert.notEqual(others[0], pid);
});

test('a shared process ends with its last thread', async (t) => {
  const bench = openBench(t, { ...shared, trimMs: 50, warmMs: 50, idleBytes: 0 }, [256, 256]);
  const pid = Number(await act(bench, { act: 'pid' }));
  assert.equal(await act(bench, { act: 'pid' }, 1), pid);
  await eventually(() => (bench.host.processes().length === 0 ? true : null));
  await eventually(() => (existsSync(join(bench.directory, 'run', String(pid))) ? null : true));
});
