import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { openFunctionLog } from '../src/host/function-log.ts';
import { openInvocationLedger } from '../src/host/invocation-ledger.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { dayMs } from '../../../shared/kernel/durations.ts';
import { newId } from '../../../shared/kernel/ids.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';
import { readJournal } from './fixture-cloud.ts';
import { probeSource } from './fixture-functions.ts';
import { act, type Bench, openBench } from './function-bench.ts';

test('the environment of a function has the variables of its template, of Lambda and of the local cloud, and no others', async (t) => {
  const bench = openBench(t, {}, [256]);
  const environment = await act(bench, { act: 'environment' });
  const temporary = join(bench.directory, 'run', String(await act(bench, { act: 'pid' })));
  assert.deepEqual(environment, {
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    STRATA_DEPLOYMENT: 'bench',
    STRATA_ALLOW_LOCAL_WEBHOOKS: 'false',
    STRATA_CRAWL_LOCAL_ADDRESS: '',
    JOURNAL: join(bench.directory, 'journal'),
    _HANDLER: 'index.handler',
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'bench-f0',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/bench-f0',
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    LAMBDA_TASK_ROOT: join(bench.directory, 'code'),
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    NODE_PATH: '/layer/nodejs/node_modules:/modules',
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_SESSION_TOKEN: 'token',
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
    STRATA_VECTORS_DIRECTORY: '/vectors',
  });
});

test('a function that is inspected opens a debugger port and has an hour for each run', async (t) => {
  const bench = openBench(t, {}, [256, 512], probeSource, {}, ['f0']);
  const { remainingMs } = (await act(bench, { act: 'context' })) as { readonly remainingMs: number };
  assert.ok(remainingMs > 60_000);
  await act(bench, { act: 'pid' }, 1);
  await eventually(() => (bench.warnings.length > 0 ? true : null));
  assert.match(bench.warnings[0] ?? '', /^bench-f0 Debugger listening on ws:\/\/127\.0\.0\.1:\d+\//);
  assert.ok(bench.warnings.every((warning) => !warning.startsWith('bench-f1')));
});

test('the temporary directory of a process is removed when it ends, even after a crash', async (t) => {
  const bench = openBench(t, {}, [256]);
  const first = String(await act(bench, { act: 'scratch' }));
  assert.ok(existsSync(first));
  await act(bench, { act: 'exit', code: 1 });
  await eventually(() => (existsSync(dirname(first)) ? null : true));
  const second = String(await act(bench, { act: 'scratch' }));
  assert.notEqual(second, first);
  await bench.host.close(0);
  assert.deepEqual(readdirSync(join(bench.directory, 'run')), []);
});

test('the remaining time of a run is right even if the clock is set meanwhile', async (t) => {
  for (const ms of [0, 2 * Date.now()]) {
    const bench = openBench(t, {}, [256]);
    const remainingMs = Number(await act(bench, { act: 'setClock', ms }));
    assert.ok(remainingMs > 0 && remainingMs <= 1000 && Number.isInteger(remainingMs), String(remainingMs));
  }
});

test('concurrent requests start one process after the other, and started processes handle the others', async (t) => {
  const bench = openBench(t, { processesPerFunction: 6 }, [256]);
  const pids = await Promise.all(Array.from({ length: 6 }, () => act(bench, { act: 'pid' })));
  assert.ok(new Set(pids).size <= 2, String(pids));
});

const sleep = (bench: Bench, caller: string, ms: number) =>
  act(bench, { headers: { authorization: `Bearer ${caller}` }, act: 'sleep', ms, note: caller });

test('a caller gets the next free process while any number of requests of another caller wait', async (t) => {
  const bench = openBench(t, { processesPerHeavyFunction: 2, spareAfterMs: 60_000 }, [3008]);
  const callers = [...Array.from({ length: 12 }, () => 'flood'), 'calm', 'other'];
  await Promise.all(callers.map((caller) => sleep(bench, caller, 20)));
  const begun = readJournal(bench.directory).flatMap(({ kind, note }) => (kind === 'begin' ? [note] : []));
  // Of the flood, the two first runs begin before, and one may begin between the two others.
  for (const caller of ['calm', 'other']) assert.ok(begun.indexOf(caller) < 6, begun.join(' '));
  assert.equal(bench.host.processes().length, 2);
});

test('only a caller that waits long for processes busy with another caller gets one beyond the bound', async (t) => {
  const bench = openBench(t, { processesPerHeavyFunction: 1, spareAfterMs: 1 }, [3008]);
  await Promise.all([sleep(bench, 'flood', 100), sleep(bench, 'flood', 0), sleep(bench, 'flood', 0)]);
  assert.equal(bench.host.processes().length, 1);
  await Promise.all([sleep(bench, 'flood', 500), sleep(bench, 'flood', 0), sleep(bench, 'calm', 0)]);
  assert.equal(bench.host.processes().length, 2);
});

test('a function with a single process gets no second one, and runs queries between the documents that wait', async (t) => {
  const bench = openBench(t, { singleProcess: new Set(['f0']), spareAfterMs: 1 }, [3008]);
  const embed = (use: string, ms: number) => act(bench, { use, act: 'sleep', ms, note: use });
  await Promise.all([...Array.from({ length: 6 }, () => embed('document', 30)), embed('query', 0)]);
  const begun = readJournal(bench.directory).flatMap(({ kind, note }) => (kind === 'begin' ? [note] : []));
  assert.ok(begun.indexOf('query') <= 2, begun.join(' '));
  assert.equal(bench.host.processes().length, 1);
});

test('the limit of concurrent large events of a caller holds over all functions', async (t) => {
  const bench = openBench(t, { largeEvent: 1_000, largeRunsPerCaller: 1 }, [256, 256]);
  const [first, second] = bench.definitions;
  assert.ok(first !== undefined && second !== undefined);
  const large = { headers: { authorization: 'Bearer a' }, act: 'sleep', ms: 50, body: 'x'.repeat(1_000) };
  await Promise.all([first, second, first, second].map((each) => bench.host.invoke(each, JSON.stringify(large))));
  const kinds = readJournal(bench.directory).map(({ kind }) => kind);
  assert.deepEqual(kinds, Array.from({ length: 4 }, () => ['begin', 'end']).flat());
});

test('a run whose response exceeds the limit of Lambda fails', async (t) => {
  const bench = openBench(t, {}, [256]);
  const quotes = 2;
  assert.equal(String(await act(bench, { act: 'large', bytes: 6_291_556 - quotes })).length, 6_291_556 - quotes);
  const refused = (await act(bench, { act: 'large', bytes: 6_291_557 - quotes })) as Readonly<Record<string, unknown>>;
  assert.equal(refused['errorType'], 'Function.ResponseSizeTooLarge');
  assert.equal(typeof (await act(bench, { act: 'pid' })), 'number');
});

test('the context of a run is that of Lambda', async (t) => {
  const bench = openBench(t, {}, [256]);
  const context = (await act(bench, { act: 'context' })) as Readonly<Record<string, unknown>>;
  const { awsRequestId, remainingMs, ...others } = context;
  assert.match(String(awsRequestId), /^[0-9a-f-]{36}$/);
  assert.ok(Number(remainingMs) > 0 && Number(remainingMs) <= 1000);
  assert.deepEqual(others, {
    callbackWaitsForEmptyEventLoop: true,
    functionName: 'bench-f0',
    functionVersion: '$LATEST',
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:000000000000:function:bench-f0',
    memoryLimitInMB: '256',
    logGroupName: '/aws/lambda/bench-f0',
    logStreamName: 'local',
  });
});

test('runs that throw, exit, time out or fail to load have the faults of Lambda, and the next run succeeds', async (t) => {
  const bench = openBench(t, {}, [256]);
  const thrown = (await act(bench, { act: 'fail', name: 'Odd', message: 'why' })) as Readonly<Record<string, unknown>>;
  assert.equal(thrown['errorType'], 'Odd');
  assert.equal(thrown['errorMessage'], 'why');
  const exited = (await act(bench, { act: 'exit', code: 3 })) as Readonly<Record<string, unknown>>;
  assert.equal(exited['errorType'], 'Runtime.ExitError');
  assert.match(
    String(exited['errorMessage']),
    /^RequestId: [0-9a-f-]{36} Error: Runtime exited with error: exit status 3$/,
  );
  const before = performance.now();
  const hung = (await act(bench, { act: 'spin' })) as Readonly<Record<string, unknown>>;
  assert.equal(hung['errorType'], 'Sandbox.Timedout');
  assert.match(String(hung['errorMessage']), /Task timed out after 1\.00 seconds$/);
  assert.ok(performance.now() - before < 3_000);
  assert.deepEqual(
    bench.warnings,
    [exited, hung].map(({ errorMessage }) => `bench-f0 ${String(errorMessage)}`),
    'which can say nothing themselves',
  );
  assert.equal(typeof (await act(bench, { act: 'pid' })), 'number');

  const broken = openBench(t, {}, [256], 'throw new SyntaxError("no such code");');
  const unloaded = (await act(broken, {})) as Readonly<Record<string, unknown>>;
  assert.deepEqual([unloaded['errorType'], unloaded['errorMessage']], ['SyntaxError', 'no such code']);
});

test('a process that cannot be started fails its run, and the next run tries again', async (t) => {
  const faultOf = async (run: Promise<unknown>): Promise<string> => {
    const { errorType, errorMessage } = (await run) as Readonly<Record<string, unknown>>;
    return `${String(errorType)} ${String(errorMessage)}`;
  };
  const bench = openBench(t, { processesPerFunction: 1 }, [256]);
  const run = join(bench.directory, 'run');
  await act(bench, { act: 'pid' });
  rmSync(run, { recursive: true });
  // No directory can be made or removed there, as on a full disk. Runs that need none continue.
  writeFileSync(run, '');
  await act(bench, { act: 'exit', code: 1 });
  assert.equal(typeof (await act(bench, { act: 'pid' })), 'number');

  const enormous = openBench(t, {}, [256], undefined, { LARGE: 'x'.repeat(1 << 22) });
  for (const _ of [1, 2]) {
    assert.match(await faultOf(act(enormous, {})), /^Local\.StartError The function could not be started: .*E2BIG/);
  }
  assert.equal(enormous.host.processes().length, 0);
});

test(
  'a host without free file descriptors fails runs and keeps serving',
  { skip: process.platform === 'win32' },
  async () => {
    const script = join(import.meta.dirname, 'run-out-of-descriptors.ts');
    const limited = ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, script];
    const { stdout } = await promisify(execFile)('sh', limited);
    assert.deepEqual(JSON.parse(stdout), {
      without: ['Local.StartError', 'Local.StartError', 'Local.StartError'],
      processes: 0,
      again: 'number',
    });
  },
);

test('a process handles one run at a time, and runs wait once the maximum of processes is busy', async (t) => {
  const bench = openBench(t, { processesPerFunction: 2, processesPerHeavyFunction: 1 }, [256, 2048]);
  const sleep = (position: number) => act(bench, { act: 'sleep', ms: 400, note: `f${position}` }, position);
  await Promise.all([sleep(0), sleep(0), sleep(0), sleep(0), sleep(1), sleep(1)]);

  const journal = readJournal(bench.directory);
  const mostAtOnce = (note: string): number => {
    let open = 0;
    return Math.max(
      ...journal.filter((entry) => entry.note === note).map(({ kind }) => (open += kind === 'begin' ? 1 : -1)),
    );
  };
  assert.equal(mostAtOnce('f0'), 2);
  assert.equal(mostAtOnce('f1'), 1);
  assert.equal(new Set(journal.filter(({ note }) => note === 'f0').map(({ pid }) => pid)).size, 2);
});

test('the maximum of all processes ends idle ones and never starves a function', async (t) => {
  const bench = openBench(t, { processes: 1 }, [256, 256]);
  const first = await act(bench, { act: 'pid' }, 0);
  await act(bench, { act: 'pid' }, 1);
  const again = await act(bench, { act: 'pid' }, 0);
  assert.notEqual(first, again);

  await Promise.all([0, 1].map((position) => act(bench, { act: 'sleep', ms: 2_000, note: 'both' }, position)));
  const [one, other] = readJournal(bench.directory).filter(({ note }) => note === 'both');
  assert.deepEqual([one?.kind, other?.kind], ['begin', 'begin']);
});

test(
  'a process is frozen between its runs, goes on with the next one, and counts as cold only once',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const bench = openBench(t, { freezesIdle: true }, [256]);
    const stateOf = (pid: unknown): string | undefined =>
      readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
        .split(') ')
        .at(-1)
        ?.slice(0, 1);
    const pid = await act(bench, { act: 'pid' });
    await eventually(
      () => stateOf(pid),
      (state) => state === 'T',
    );
    assert.equal(await act(bench, { act: 'pid' }), pid);
    await eventually(
      () => stateOf(pid),
      (state) => state === 'T',
    );
    const runs = bench.runs.map(({ function: id, cold }) => ({ function: id, cold }));
    assert.deepEqual(runs, [
      { function: 'f0', cold: true },
      { function: 'f0', cold: false },
    ]);
    assert.equal(bench.host.endIdle(), 1);
    assert.notEqual(await act(bench, { act: 'pid' }), pid);
  },
);

test('a restarted function completes its present run, and begins the next one in a fresh process', async (t) => {
  const bench = openBench(t, {}, [256, 256]);
  const [first, other] = [await act(bench, { act: 'pid' }), await act(bench, { act: 'pid' }, 1)];
  const slow = act(bench, { act: 'sleep', ms: 200, note: 'slow' });
  bench.host.restart(new Set(['f0']));
  assert.equal(await slow, first);
  assert.notEqual(await act(bench, { act: 'pid' }), first);
  assert.equal(await act(bench, { act: 'pid' }, 1), other);
});

test('idle processes end if they use too much memory', async (t) => {
  const bench = openBench(t, { trimMs: 50, warmMs: 50, idleBytes: 0 }, [256]);
  await act(bench, { act: 'pid' });
  assert.equal(bench.host.processes().length, 1);
  await eventually(() => (bench.host.processes().length === 0 ? true : null));
});

test(
  'a process with many open files is replaced by a fresh one after its run',
  { skip: process.platform !== 'linux' },
  async (t) => {
    const bench = openBench(t, { trimMs: 50, warmMs: 50, openFiles: 200 }, [256]);
    const worn = await act(bench, { act: 'hold', files: 300 });
    const others = await eventually(async () => {
      const pid = await act(bench, { act: 'sleep', ms: 20, note: 'busy' });
      return pid === worn ? null : pid;
    });
    assert.equal(typeof others, 'number');
    const fresh = await act(bench, { act: 'hold', files: 10 });
    assert.deepEqual(
      bench.host.processes().map(({ pid }) => pid),
      [fresh],
    );
    assert.deepEqual(bench.warnings, []);
  },
);

test('output goes to the log line by line, and warnings to the listener', async (t) => {
  const bench = openBench(t, {}, [256]);
  await act(bench, { act: 'print', out: '{"level":"info","job":1}', err: 'careful' });
  const lines = await eventually(() => {
    const found = readFileSync(join(bench.directory, 'log'), 'utf8').trim().split('\n');
    return found.length === 2 ? found.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>) : null;
  });
  assert.deepEqual(
    lines
      .map(({ function: name, stream, output }) => ({ name, stream, output }))
      .toSorted((one, other) => String(other.stream).localeCompare(String(one.stream))),
    [
      { name: 'bench-f0', stream: 'stdout', output: { level: 'info', job: 1 } },
      { name: 'bench-f0', stream: 'stderr', output: 'careful' },
    ],
  );
  assert.deepEqual(bench.warnings, ['bench-f0 careful']);
});

test('a log that cannot be rotated continues in its own file', () => {
  const directory = temporaryDirectory();
  const file = join(directory, 'log');
  const other = join(directory, 'other');
  const log = openFunctionLog({ file, clock: systemClock, onWarning: () => {} });
  const write = (text: string): void => log.write('f', 'us-east-1', { stream: 'stdout', text, requestId: null });
  mkdirSync(join(directory, 'log.1', 'taken'), { recursive: true });
  for (let bytes = 0; bytes <= 10 * 1024 * 1024; bytes += 32 * 1024) write('x'.repeat(32 * 1024));
  const descriptor = openSync(other, 'w');
  write('next');
  closeSync(descriptor);
  assert.equal(readFileSync(other, 'utf8'), '');
  assert.match(readFileSync(file, 'utf8'), /"next"\}\n$/);

  rmSync(`${file}.1`, { recursive: true });
  write('last of this file');
  write('first of the next');
  log.close();
  assert.match(readFileSync(`${file}.1`, 'utf8'), /"last of this file"\}\n$/);
  assert.match(readFileSync(file, 'utf8'), /^[^\n]*"first of the next"\}\n$/);
});

test('the ledger counts runs by function and by the jobs that their events name', async (t) => {
  const bench = openBench(t, {}, [256, 256]);
  const job = (last: string): string => `job_01hzzzzzzzzzzzzzzzzzzzzz${last}`;
  await act(bench, { act: 'pid', jobs: [job('0a'), job('0b'), job('0a')] }, 0);
  await act(bench, { act: 'fail', name: 'Odd', message: job('0a') }, 0);
  await act(bench, { act: 'pid', key: `uploads/${job('0b')}/x` }, 1);

  assert.deepEqual(bench.ledger.counts(null), { f0: 2, f1: 1 });
  assert.deepEqual(bench.ledger.counts(job('0a')), { f0: 2 });
  assert.deepEqual(bench.ledger.counts(job('0b')), { f0: 1, f1: 1 });
});

test('the ledger keeps the runs of a job for thirty days, and the total of a function without limit', (t) => {
  const file = join(temporaryDirectory(), 'ledger');
  const now = new Date('2026-11-23T14:00:00Z');
  const [old, kept] = [31, 29].map((days) => newId('job', new Date(now.getTime() - days * dayMs)));
  assert.ok(old !== undefined && kept !== undefined);
  const first = openInvocationLedger(file, { now: () => now });
  first.record('plan', JSON.stringify([old, kept]));
  assert.deepEqual(first.counts(old), { plan: 1 });
  first.close();
  const ledger = openInvocationLedger(file, { now: () => now });
  t.after(() => ledger.close());
  assert.deepEqual([old, kept, null].map(ledger.counts), [{}, { plan: 1 }, { plan: 1 }]);
});
