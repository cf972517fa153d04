// `npm run bench:path`: where the time of a warm search and of an upsert of one row goes on one machine.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { rowMaker } from './measure/aws-operations.ts';
import { percentile, runSearches } from './measure/searches.ts';
import { openService, type Service } from './peers/service.ts';
import { markdownTable } from './report/table.ts';

const { values } = commandLine({
  options: {
    rows: { type: 'string', default: '10000' },
    dimensions: { type: 'string', default: '100' },
    requests: { type: 'string', default: '300' },
    clients: { type: 'string', default: '8' },
    // Each function in processes of its own.
    isolate: { type: 'boolean', default: false },
  },
});
const [rows, dimensions, requests, clients] = [
  Number(values.rows),
  Number(values.dimensions),
  Number(values.requests),
  Number(values.clients),
];

interface Span {
  readonly start_ms: number;
  readonly end_ms: number;
}

interface Run extends Span {
  readonly function: string;
  readonly handler_start_ms: number | null;
  readonly handler_end_ms: number | null;
}

interface Trace {
  readonly calls: readonly (Span & { readonly event_ms: number; readonly outcome_ms: number })[];
  readonly runs: readonly Run[];
  readonly requests: readonly (Span & { readonly service: string; readonly caller: string })[];
}

interface Health {
  readonly main_pid: number;
  readonly processes: readonly { readonly pid: number; readonly function: string }[];
}

const takeTrace = async (service: Service): Promise<Trace> => (await service.call('POST', '/_local/trace')) as Trace;

/** Milliseconds that at least one of the spans covers. */
const covered = (spans: readonly Span[]): number => {
  let [total, until] = [0, Number.NEGATIVE_INFINITY];
  for (const { start_ms: start, end_ms: end } of spans.toSorted((one, other) => one.start_ms - other.start_ms)) {
    total += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return total;
};

const within = (outer: Span, inner: Span): boolean =>
  inner.start_ms >= outer.start_ms - 0.5 && inner.end_ms <= outer.end_ms + 0.5;

/** Stages of one call by name, in milliseconds, in the order in which they begin. */
const stagesOf = (call: Trace['calls'][number], { runs, requests: sent }: Trace): ReadonlyMap<string, number> => {
  const stages = new Map<string, number>();
  const note = (name: string, ms: number): unknown => stages.set(name, (stages.get(name) ?? 0) + ms);
  note('gateway: request', call.event_ms - call.start_ms);
  for (const run of runs.filter((each) => each.start_ms >= call.start_ms && each.start_ms <= call.outcome_ms)) {
    const { function: name, handler_start_ms: from, handler_end_ms: to } = run;
    if (from === null || to === null) continue;
    const handler = { start_ms: from, end_ms: to };
    const own = sent.filter((request) => request.caller.endsWith(`-${name}`) && within(handler, request));
    note(`${name}: hand-over`, from - run.start_ms + (run.end_ms - to));
    note(`${name}: own work and waiting`, to - from - covered(own));
    for (const kind of [...new Set(own.map(({ service }) => service))].toSorted()) {
      const ofKind = own.filter(({ service }) => service === kind);
      note(`${name}: ${kind}`, covered(ofKind));
      note(`${name}: ${kind}, requests`, ofKind.length);
    }
  }
  note('gateway: response', call.end_ms - call.outcome_ms);
  note('whole call', call.end_ms - call.start_ms);
  return stages;
};

// Source: proc(5). All systems of Linux on x86-64 and arm64 have 100 ticks a second.
const tickMs = 10;

/** Processor time of each thread of a process so far, by the name of the thread, in milliseconds. */
const threadTimes = (pid: number): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    const [, comm = '', rest = ''] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    const fields = rest.split(' ');
    const ms = (Number(fields[11]) + Number(fields[12])) * tickMs;
    const name = /^(MainThread|node)$/.test(comm) ? 'main thread' : comm;
    times.set(name, (times.get(name) ?? 0) + ms);
  }
  return times;
};

const cpuTimes = async (service: Service): Promise<ReadonlyMap<string, number>> => {
  const { main_pid: main, processes } = (await service.call('GET', '/_local/health')) as Health;
  const times = new Map<string, number>();
  const names = new Map<number, string>([[main, 'host']]);
  for (const { pid, function: id } of processes) names.set(pid, names.has(pid) ? (names.get(pid) ?? '') : id);
  for (const [pid, name] of names)
    for (const [thread, ms] of threadTimes(pid))
      times.set(`${name}: ${thread}`, ms + (times.get(`${name}: ${thread}`) ?? 0));
  return times;
};

const two = (value: number): string => value.toFixed(2);

/** Sends the request on one client, then on several, and prints the stages and the processor time of a call. */
const measure = async (service: Service, title: string, send: (at: number) => Promise<unknown>): Promise<void> => {
  // The compilers of JavaScript and WebAssembly need this many.
  await runSearches(send, 2, Math.max(100, requests / 2));
  await takeTrace(service);
  const before = await cpuTimes(service);
  const alone = await runSearches(send, 1, requests);
  const after = await cpuTimes(service);
  const trace = await takeTrace(service);
  const calls = trace.calls.slice(-requests).map((call) => stagesOf(call, trace));
  const names = [...new Set(calls.flatMap((stages) => [...stages.keys()]))];
  const median = (name: string): number =>
    percentile(
      calls.map((stages) => stages.get(name) ?? 0),
      0.5,
    );
  const lines = names
    .filter((name) => !name.endsWith(', requests'))
    .map((name) => [
      name,
      two(median(name)),
      names.includes(`${name}, requests`) ? String(median(`${name}, requests`)) : '',
    ]);
  console.log(`\n${title}, one client\n`);
  console.log(markdownTable(['Stage', 'Median, ms', 'Requests'], lines));
  const spent = [...after]
    .map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / requests] as const)
    .filter(([, ms]) => ms >= 0.01)
    .toSorted(([, one], [, other]) => other - one);
  const sum = spent.reduce((total, [, ms]) => total + ms, 0);
  console.log(
    `\n${markdownTable(['Processor time of a call', 'ms'], [...spent.map(([name, ms]) => [name, two(ms)]), ['all', two(sum)]])}`,
  );
  const together = await runSearches(send, clients, requests * 2);
  const line = ({ eachMs, allMs }: typeof alone): string =>
    `p50 ${two(percentile(eachMs, 0.5))} ms, p99 ${two(percentile(eachMs, 0.99))} ms, ${Math.round((eachMs.length / allMs) * 1_000)} a second`;
  console.log(`\n1 client: ${line(alone)}\n${clients} clients: ${line(together)}`);
};

const directory = await mkdtemp(join(tmpdir(), 'strata-path-'));
const service = await openService(directory, ['--trace', ...(values.isolate ? ['--isolate'] : [])]);
try {
  const make = rowMaker(dimensions);
  const created = (await service.call('POST', '/v1/indexes', { name: 'path', dimensions })) as { readonly id: string };
  const path = `/v1/indexes/${created.id}`;
  for (let from = 0; from < rows; from += 500)
    await service.call(
      'POST',
      `${path}/vectors`,
      Array.from({ length: 500 }, (_, at) => make.row(from + at)),
    );
  console.log(
    `${rows} x ${dimensions}, ${requests} requests, ${cpus().length} cores, Node.js ${process.versions.node}`,
  );
  const vectors = Array.from({ length: 50 }, make.vector);
  await measure(service, 'Dense search', (at) =>
    service.call('POST', `${path}/search/dense`, { vector: vectors[at % vectors.length], top_k: 10, include: [] }),
  );
  await measure(service, 'Upsert of one row', (at) => service.call('POST', `${path}/vectors`, [make.row(at % 100)]));
} finally {
  await service.close();
  await rm(directory, { recursive: true, force: true });
}
