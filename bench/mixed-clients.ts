import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFilledIndex, type Figures, figuresOf, type Kind, kinds, sendRequest } from './measure/mixed-requests.ts';
import { percentile } from './measure/searches.ts';
import type { openService, Service } from './peers/service.ts';
import { commandLine } from '../scripts/support/read-command-line.ts';

const usage = `npm run bench:mixed -- [options] [CHECKOUT…]

Starts the service of each checkout (default: this one) and lets clients search and write it at the same time, each
sending its next request when the last is answered. Checkouts take turns, round by round; the medians of the rounds are
printed.

  --clients N   half of them search, half of them upsert (default 64)
  --indexes N   indexes that they share (default 8)
  --seconds N   length of a round for each checkout (default 15)
  --rounds N    default 3
`;

const warmUpMs = 3_000;

interface Round {
  readonly checkout: string;
  readonly clients: number;
  readonly failed: number;
  readonly figures: Readonly<Record<Kind, Figures>>;
}

/** Runs the clients for a time; only requests that began after the first seconds count. */
const measure = async (service: Service, indexes: readonly string[], clients: number, seconds: number) => {
  const startedMs = performance.now();
  const untilMs = startedMs + warmUpMs + seconds * 1_000;
  const times: Record<Kind, number[]> = { search: [], upsert: [] };
  let failed = 0;
  const client = async (number: number): Promise<void> => {
    const kind = kinds[number % kinds.length] ?? 'search';
    const index = indexes[Math.floor(number / kinds.length) % indexes.length] ?? '';
    for (let beganMs = performance.now(); beganMs < untilMs; beganMs = performance.now()) {
      try {
        await sendRequest(service, index, kind);
      } catch (error) {
        failed += 1;
        if (failed === 1) process.stderr.write(`${String(error)}\n`);
      }
      if (beganMs > startedMs + warmUpMs) times[kind].push(performance.now() - beganMs);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return { failed, figures: { search: figuresOf(times.search, seconds), upsert: figuresOf(times.upsert, seconds) } };
};

interface Options {
  readonly clients: number;
  readonly indexes: number;
  readonly seconds: number;
}

/** One round of a checkout: with one client of each kind, and with all clients. */
const runRound = async (checkout: string, options: Options): Promise<readonly Round[]> => {
  const url = pathToFileURL(join(checkout, 'bench', 'peers', 'service.ts')).href;
  // Cast: another checkout of the same module.
  const { openService: open } = (await import(url)) as { readonly openService: typeof openService };
  const directory = await mkdtemp(join(tmpdir(), 'strata-mixed-'));
  const service = await open(directory);
  try {
    const indexes: string[] = [];
    for (let number = 0; number < options.indexes; number += 1) indexes.push(await createFilledIndex(service));
    const rounds: Round[] = [];
    for (const clients of [kinds.length, options.clients])
      rounds.push({ checkout, clients, ...(await measure(service, indexes, clients, options.seconds)) });
    return rounds;
  } finally {
    await service.close();
    await rm(directory, { recursive: true, force: true });
  }
};

const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

const report = (rounds: readonly Round[]): void => {
  process.stdout.write('| checkout | clients | request | a second | p50 ms | p99 ms | failed |\n');
  process.stdout.write('| --- | ---: | --- | ---: | ---: | ---: | ---: |\n');
  for (const same of Map.groupBy(rounds, ({ checkout, clients }) => `${checkout} ${clients}`).values()) {
    const [{ checkout, clients } = { checkout: '', clients: 0 }] = same;
    for (const kind of kinds) {
      const middle = (figure: keyof Figures): string =>
        median(same.map(({ figures }) => figures[kind][figure])).toFixed(1);
      const failed = same.reduce((sum, round) => sum + round.failed, 0);
      process.stdout.write(
        `| ${checkout} | ${clients} | ${kind} | ${middle('perSecond')} | ${middle('p50Ms')} | ${middle('p99Ms')} | ${failed} |\n`,
      );
    }
  }
};

const { values, positionals } = commandLine({
  allowPositionals: true,
  options: {
    clients: { type: 'string', default: '64' },
    indexes: { type: 'string', default: '8' },
    seconds: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
} else {
  const checkouts =
    positionals.length === 0 ? [join(import.meta.dirname, '..')] : positionals.map((path) => resolve(path));
  const options = {
    clients: Number(values.clients),
    indexes: Number(values.indexes),
    seconds: Number(values.seconds),
  };
  const rounds: Round[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1)
    for (const checkout of checkouts) rounds.push(...(await runRound(checkout, options)));
  report(rounds);
}
