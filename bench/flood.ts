// `npm run bench:flood`: one organization floods the service while another searches and writes at a calm rate. Prints
// the latency of the calm one without and under the flood. Fails if its 99th percentile is over twice that without it plus
// 200 ms, or if one of its requests is refused. The first seconds of the flood, in which function processes start and read
// the flooded index, have a line of their own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startService } from '../scripts/support/start-service.ts';
import { randomNumbers } from '../shared/kernel/random-numbers.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';
import { percentile } from './measure/searches.ts';
import { type Connection, connect, signIn } from './peers/service.ts';

const dimensions = 256;
const batchRows = 1_000;
/** Between two searches of the calm organization. */
const calmPauseMs = 100;
/** Searches of the calm organization between two of its writes. */
const searchesBetweenWrites = 10;
const allowedMs = 200;
/** Time in which the processes of a flood start. */
const onsetSeconds = 10;

const { values } = commandLine({
  options: {
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '48' },
    rows: { type: 'string', default: '30000' },
  },
});
const [seconds, clients, rows] = [Number(values.seconds), Number(values.clients), Number(values.rows)];

const numbers = randomNumbers(7);
const random = (): number => numbers() / 2 ** 32;
const vector = (): readonly number[] => Array.from({ length: dimensions }, () => Math.fround(random() - 0.5));

interface Reply {
  readonly status: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- a script reads replies as callers do
  readonly body: any;
}

/** Sends requests of one organization. */
type Send = (method: 'POST', path: string, body: unknown) => Promise<Reply>;

const senderOf =
  ({ ask }: Connection): Send =>
  async (method, path, body) => {
    const { status, text } = await ask(method, path, JSON.stringify(body));
    return { status, body: JSON.parse(text || 'null') };
  };

const newIndex = async (send: Send, count: number): Promise<string> => {
  const { body } = await send('POST', '/v1/indexes', { name: 'flood', dimensions });
  for (let from = 0; from < count; from += batchRows) {
    const items = Array.from({ length: Math.min(batchRows, count - from) }, (_, at) => ({
      id: `row-${from + at}`,
      vector: vector(),
    }));
    let status = 409;
    while (status === 409) ({ status } = await send('POST', `/v1/indexes/${body.id}/vectors`, items));
    if (status !== 200) throw new Error(`rows were answered ${status}`);
  }
  return body.id;
};

interface Measured {
  readonly searches: number[];
  readonly writes: number[];
  failures: number;
}

/** Searches and writes at a calm rate for a while. */
const calm = async (send: Send, index: string, forSeconds = seconds): Promise<Measured> => {
  const measured: Measured = { searches: [], writes: [], failures: 0 };
  const time = async (into: number[], path: string, body: unknown): Promise<void> => {
    const startedMs = performance.now();
    const { status } = await send('POST', `/v1/indexes/${index}/${path}`, body);
    into.push(performance.now() - startedMs);
    if (status !== 200) measured.failures += 1;
  };
  const endMs = performance.now() + forSeconds * 1_000;
  const under: Promise<void>[] = [];
  for (let turn = 0; performance.now() < endMs; turn += 1) {
    under.push(time(measured.searches, 'search/dense', { vector: vector(), top_k: 10 }));
    if (turn % searchesBetweenWrites === 0) {
      const items = Array.from({ length: 10 }, (_, at) => ({ id: `calm-${at}`, vector: vector() }));
      under.push(time(measured.writes, 'vectors', items));
    }
    await pause(calmPauseMs);
  }
  await Promise.all(under);
  return measured;
};

/** Sends heavy requests on every connection, without regard to refusals, until it is stopped. */
const flood = (send: Send, index: string) => {
  const replies = new Map<string, number>();
  const stopped = new AbortController();
  const kinds = [
    ['recall', 'recall', () => ({ queries: 50 })],
    ['exact', 'search/dense', () => ({ vector: vector(), top_k: 100, exact: true })],
    ['dense', 'search/dense', () => ({ vector: vector(), top_k: 1_000 })],
  ] as const;
  const client = async (_: unknown, number: number): Promise<void> => {
    const [kind, path, body] = kinds[number % kinds.length] ?? kinds[0];
    while (!stopped.signal.aborted) {
      const { status } = await send('POST', `/v1/indexes/${index}/${path}`, body());
      replies.set(`${kind} ${status}`, (replies.get(`${kind} ${status}`) ?? 0) + 1);
    }
  };
  const running = Promise.all(Array.from({ length: clients }, client));
  return async (): Promise<ReadonlyMap<string, number>> => {
    stopped.abort();
    await running;
    return replies;
  };
};

const line = (name: string, { searches, writes, failures }: Measured): void => {
  const cells = [searches, writes].flatMap((times) => [
    String(times.length),
    percentile(times, 0.5).toFixed(1),
    percentile(times, 0.99).toFixed(1),
  ]);
  console.log(`| ${[name.padEnd(9), ...[...cells, String(failures)].map((cell) => cell.padStart(8))].join(' | ')} |`);
};

const dataDirectory = await mkdtemp(join(tmpdir(), 'strata-flood-'));
const { ready, stop } = startService({ dataDirectory });
const { base_url: baseUrl, api_key: key } = await ready;
const connections = [connect(baseUrl, key), connect(baseUrl, (await signIn(baseUrl)).token)] as const;
const [attacker, other] = [senderOf(connections[0]), senderOf(connections[1])];
const attacked = await newIndex(attacker, rows);
const index = await newIndex(other, 2 * batchRows);
await calm(other, index);
const peace = await calm(other, index);
const endFlood = flood(attacker, attacked);
const onset = await calm(other, index, onsetSeconds);
const flooded = await calm(other, index);
const replies = await endFlood();
console.log('| ms        | searches |      p50 |      p99 |   writes |      p50 |      p99 | failures |');
console.log('| --------- | -------- | -------- | -------- | -------- | -------- | -------- | -------- |');
line('while idle', peace);
line('its onset', onset);
line('flooded', flooded);
console.log(`\nThe flood was answered: ${[...replies].map(([kind, count]) => `${kind}: ${count}`).join(', ')}`);
for (const connection of connections) await connection.close();
await stop();
await rm(dataDirectory, { recursive: true, force: true });
const isFair = (['searches', 'writes'] as const).every(
  (kind) => percentile(flooded[kind], 0.99) <= 2 * percentile(peace[kind], 0.99) + allowedMs,
);
process.exitCode = isFair && onset.failures + flooded.failures === 0 ? 0 : 1;
