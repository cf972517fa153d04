import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { trueNeighbours } from '../data/truth.ts';
import type { VectorSet } from '../data/vectors.ts';
import type { BenchOptions, Size } from '../options.ts';
import type { LoadedPeer, Peer } from '../peers/peer.ts';
import { recallOf, runSearches, type SearchTimes, summarize } from './searches.ts';

export const topK = 10;
/** The recall that a peer has to reach before it is timed. */
const wantedRecall = 0.95;
/** Peers take turns in this many stretches, so that what else the machine does falls on all of them. */
const stretches = 5;
/** Peers that take longer than this for a search are timed over fewer. */
const slowestTotalMs = 20_000;

/** A peer is warm once so many rounds of as many searches as are timed took no less than this share of the fastest before. */
const roundsWithoutGain = 2;
const gain = 0.9;
const mostWarmRounds = 10;

/** What was measured of one peer at one size. */
export interface Measured {
  readonly peer: Pick<Peer, 'name' | 'title' | 'reached'>;
  readonly recall: number;
  readonly loadSeconds: number;
  readonly readySeconds: number;
  /** By number of clients. */
  readonly times: ReadonlyMap<number, SearchTimes>;
  /** Of one client under a filter that keeps one row in a hundred; absent where rows have no metadata. */
  readonly filtered: SearchTimes | undefined;
}

/** One size with all that was measured, and why some peers are missing. */
export interface Comparison {
  readonly size: Size;
  readonly measured: readonly Measured[];
  readonly missing: readonly { readonly title: string; readonly reason: string }[];
}

interface Runner {
  readonly peer: Peer;
  readonly loaded: LoadedPeer;
  readonly searches: number;
}

const findAll = async ({ search }: LoadedPeer, { queries }: VectorSet): Promise<readonly (readonly number[])[]> => {
  const found: (readonly number[])[] = [];
  for (let at = 0; at < queries.count; at += 1) found.push(await search(queries.at(at), topK));
  return found;
};

const prepare = async (
  peer: Peer,
  set: VectorSet,
  truth: readonly (readonly number[])[],
  directory: string,
  options: BenchOptions,
): Promise<Runner> => {
  const loaded = await peer.load(set, directory);
  for (;;) {
    const startedMs = performance.now();
    const recall = recallOf(truth, await findAll(loaded, set));
    const eachMs = (performance.now() - startedMs) / set.queries.count;
    if (recall < wantedRecall && (await loaded.lookCloser())) continue;
    const searches = Math.max(20, Math.min(options.searches, Math.floor(slowestTotalMs / eachMs)));
    return { peer, loaded, searches };
  }
};

/** What one search of a peer is, by its number. */
type Ask = (runner: Runner) => (number: number) => unknown;

const askAll =
  ({ queries }: VectorSet): Ask =>
  ({ loaded }) =>
  (number) =>
    loaded.search(queries.at(number % queries.count), topK);

/** Filters that are asked again and again, as those of the users of one application are. */
const partsAsked = 5;

const askParts =
  ({ queries }: VectorSet): Ask =>
  ({ loaded }) =>
  (number) =>
    loaded.searchPart?.(queries.at(number % queries.count), topK, number % partsAsked);

/**
 * Searches until that gets no faster: what is compiled, cached and read into memory along the way is there then, in each of
 * the processes that so many clients keep busy.
 */
const warmUp = async (runner: Runner, ask: Ask, clients: number): Promise<void> => {
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let round = 0, since = 0; since < roundsWithoutGain && round < mostWarmRounds; round += 1) {
    const { allMs } = await runSearches(ask(runner), clients, runner.searches);
    since = allMs < fastestMs * gain ? 0 : since + 1;
    fastestMs = Math.min(fastestMs, allMs);
  }
};

const timeAll = async (runners: readonly Runner[], ask: Ask, clients: number): Promise<readonly SearchTimes[]> => {
  for (const runner of runners) await warmUp(runner, ask, clients);
  const runs = runners.map((): Awaited<ReturnType<typeof runSearches>>[] => []);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    for (const [at, runner] of runners.entries()) {
      runs[at]?.push(await runSearches(ask(runner), clients, Math.ceil(runner.searches / stretches)));
    }
  }
  return runs.map(summarize);
};

/** Loads all peers with the same vectors and measures them in turns. */
export const compare = async (
  size: Size,
  peers: readonly Peer[],
  set: VectorSet,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<Comparison> => {
  const directory = await mkdtemp(join(options.cacheDirectory, 'run-'));
  const truth = trueNeighbours(set, 'cosine', topK, false);
  // Connections that ended while this process computed are only noticed now; a request would still try them.
  await delay(100);
  const runners: Runner[] = [];
  const missing: { readonly title: string; readonly reason: string }[] = [];
  for (const peer of peers) {
    say(`${size.rows} x ${size.dimensions}  ${peer.title}`);
    try {
      runners.push(await prepare(peer, set, truth, directory, options));
    } catch (error) {
      const reason = String(error).split('\n')[0] ?? '';
      say(`${size.rows} x ${size.dimensions}  ${peer.title} is missing: ${reason}`);
      missing.push({ title: peer.title, reason });
    }
  }
  const times = runners.map(() => new Map<number, SearchTimes>());
  for (const clients of options.clients) {
    say(`${size.rows} x ${size.dimensions}  ${clients} client(s)`);
    const measured = await timeAll(runners, askAll(set), clients);
    measured.forEach((one, at) => times[at]?.set(clients, one));
  }
  say(`${size.rows} x ${size.dimensions}  under a filter`);
  const filterable = runners.filter(({ loaded }) => loaded.searchPart !== undefined);
  const filtered = new Map((await timeAll(filterable, askParts(set), 1)).map((one, at) => [filterable[at], one]));
  // As they were timed: a peer may answer otherwise once it is warm.
  const recalls: number[] = [];
  for (const { loaded } of runners) recalls.push(recallOf(truth, await findAll(loaded, set)));
  for (const { loaded } of runners) await loaded.close();
  await rm(directory, { recursive: true, force: true });
  const measured = runners.map((runner, at) => {
    const { peer, loaded } = runner;
    return {
      peer: { name: peer.name, title: peer.title, reached: peer.reached },
      recall: recalls[at] ?? Number.NaN,
      loadSeconds: loaded.loadSeconds,
      readySeconds: loaded.readySeconds,
      times: times[at] ?? new Map<number, SearchTimes>(),
      filtered: filtered.get(runner),
    };
  });
  return { size, measured, missing };
};
