import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createFilledIndex, type Figures, figuresOf, type Kind, kinds, sendRequest } from './measure/mixed-requests.ts';
import { connect, openService, type Service, signIn } from './peers/service.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';

const usage = `npm run bench:organizations -- [options]

Starts the service with two organizations. B searches and upserts at a calm rate, first while idle, then while clients of A
search and upsert many indexes as fast as they are answered. Fails where a request of B fails, or its p99 is more than
twice that while idle plus 200 ms. The first 10 seconds of each half, in which function processes start, do not count.

  --clients N   clients of A, half of them search, half of them upsert (default 64)
  --indexes N   indexes of A (default 32)
  --seconds N   length of each half (default 20)
`;

const warmUpMs = 10_000;
const pauseMs = 100;
const allowed = { factor: 2, moreMs: 200 };

type Times = Record<Kind, number[]>;

/** Sends requests of both kinds one after the other, with pauses, for a number of seconds. */
const beCalm = async (service: Pick<Service, 'call'>, index: string, seconds: number) => {
  const startedMs = performance.now();
  const times: Times = { search: [], upsert: [] };
  const failures: string[] = [];
  const client = async (kind: Kind): Promise<void> => {
    for (;;) {
      const beganMs = performance.now();
      if (beganMs > startedMs + warmUpMs + seconds * 1_000) return;
      try {
        await sendRequest(service, index, kind);
      } catch (error) {
        failures.push(String(error));
      }
      if (beganMs > startedMs + warmUpMs) times[kind].push(performance.now() - beganMs);
      await pause(pauseMs);
    }
  };
  await Promise.all(kinds.map(client));
  const figures = { search: figuresOf(times.search, seconds), upsert: figuresOf(times.upsert, seconds) };
  return { figures, failures };
};

/** Sends requests of several clients without a pause until the signal. Returns the numbers of responses and of refusals. */
const flood = async (
  service: Pick<Service, 'call'>,
  indexes: readonly string[],
  clients: number,
  signal: AbortSignal,
) => {
  const sums = { answered: 0, refused: 0 };
  const client = async (number: number): Promise<void> => {
    const kind = kinds[number % kinds.length] ?? 'search';
    for (let turn = number; !signal.aborted; turn += 1) {
      try {
        await sendRequest(service, indexes[turn % indexes.length] ?? '', kind);
        sums.answered += 1;
      } catch {
        sums.refused += 1;
        await pause(20);
      }
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return sums;
};

const { values } = commandLine({
  options: {
    clients: { type: 'string', default: '64' },
    indexes: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', default: false },
  },
});

const run = async (): Promise<void> => {
  const seconds = Number(values.seconds);
  const directory = await mkdtemp(join(tmpdir(), 'strata-two-'));
  const service = await openService(directory);
  const b = connect(service.baseUrl, (await signIn(service.baseUrl)).token);
  try {
    const indexes: string[] = [];
    for (let number = 0; number < Number(values.indexes); number += 1) indexes.push(await createFilledIndex(service));
    const index = await createFilledIndex(b);
    const inPeace = await beCalm(b, index, seconds);
    const ended = new AbortController();
    const flooding = flood(service, indexes, Number(values.clients), ended.signal);
    const attacked = await beCalm(b, index, seconds);
    ended.abort();
    const { answered, refused } = await flooding;
    const line = (when: string, kind: Kind, { perSecond, p50Ms, p99Ms }: Figures, failed: number): void => {
      process.stdout.write(
        `| ${when} | ${kind} | ${perSecond.toFixed(1)} | ${p50Ms.toFixed(0)} | ${p99Ms.toFixed(0)} | ${failed} |\n`,
      );
    };
    process.stdout.write(
      '| B | request | a second | p50 ms | p99 ms | failed |\n| --- | --- | ---: | ---: | ---: | ---: |\n',
    );
    for (const kind of kinds) {
      line('while idle', kind, inPeace.figures[kind], inPeace.failures.length);
      line('under attack', kind, attacked.figures[kind], attacked.failures.length);
      const mostMs = allowed.factor * inPeace.figures[kind].p99Ms + allowed.moreMs;
      if (attacked.figures[kind].p99Ms > mostMs) process.exitCode = 1;
    }
    for (const failure of new Set([...inPeace.failures, ...attacked.failures])) process.stdout.write(`${failure}\n`);
    if (inPeace.failures.length + attacked.failures.length > 0) process.exitCode = 1;
    process.stdout.write(`A: ${answered} requests answered, ${refused} refused\n`);
  } finally {
    await b.close();
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
};

if (values.help) process.stdout.write(usage);
else await run();
