import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { trueNeighbours } from '../data/truth.ts';
import type { VectorSet } from '../data/vectors.ts';
import type { BenchOptions, Size } from '../options.ts';
import type { LoadedPeer, Peer } from '../peers/peer.ts';
import { recallOf, runSearches, type SearchTimes, type Stretch, summarize } from './searches.ts';

export const topK = 10;
/** Recall that a peer has to reach before it is timed. */
const requiredRecall = 0.95;
/** Number of stretches in which peers alternate, so that other load of the machine affects all of them. */
const stretches = 5;
/** Maximum time of all searches of a peer. A slower peer is timed over fewer searches. */
const maxTotalMs = 20_000;
/** Minimum of timed searches, even for the slowest peer. */
const minSearches = 20;

/** A peer is warm if for this many rounds a search took no less than this share of its time in the fastest round before. */
const roundsWithoutGain = 2;
const gain = 0.9;
const maxWarmRounds = 10;

/** Measurements of one peer at one size. */
export interface Measured {
  readonly peer: Pick<Peer, 'name' | 'title' | 'reached'>;
  readonly recall: number;
  readonly loadSeconds: number;
  readonly readySeconds: number;
  /** Times by number of clients. */
  readonly times: ReadonlyMap<number, SearchTimes>;
  /** Times of one client with a filter that keeps one row in a hundred; absent if rows have no metadata. */
  readonly filtered: SearchTimes | undefined;
}

/** Measurements of one size, and the reasons why peers are missing. */
export interface Comparison {
  readonly size: Size;
  readonly measured: readonly Measured[];
  readonly missing: readonly { readonly title: string; readonly reason: string }[];
}

interface Runner {
  readonly peer: Peer;
  readonly loaded: LoadedPeer;
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
  opened: AsyncDisposableStack,
): Promise<Runner> => {
  const loaded = await peer.load(set, directory);
  opened.defer(() => loaded.close());
  while (recallOf(truth, await findAll(loaded, set)) < requiredRecall && (await loaded.lookCloser()));
  return { peer, loaded };
};

/** Lets this process, in which some peers compute, notice ended connections, which a request would still use. */
const noticeEnded = (): Promise<void> => delay(100);

/** Runs one search of a peer by its number. */
type Ask = (runner: Runner) => (number: number) => unknown;

const askAll =
  ({ queries }: VectorSet): Ask =>
  ({ loaded }) =>
  (number) =>
    loaded.search(queries.at(number % queries.count), topK);

/** Number of filters, which repeat like those of the users of one application. */
const partsAsked = 5;

const askParts =
  ({ queries }: VectorSet): Ask =>
  ({ loaded }) =>
  (number) =>
    loaded.searchPart?.(queries.at(number % queries.count), topK, number % partsAsked);

const searchInTurn = async (runner: Runner, ask: Ask, clients: number, searches: number) => {
  await noticeEnded();
  return runSearches(ask(runner), clients, searches);
};

/**
 * Searches until searches become no faster: then code is compiled and data is cached in all processes that the clients
 * use. Returns the number of searches to time, at most `max`.
 */
const warmUp = async (runner: Runner, ask: Ask, clients: number, max: number): Promise<number> => {
  let searches = Math.min(max, minSearches);
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let round = 0, since = 0; since < roundsWithoutGain && round < maxWarmRounds; round += 1) {
    const { allMs } = await searchInTurn(runner, ask, clients, searches);
    const eachMs = allMs / searches;
    since = eachMs < fastestMs * gain ? 0 : since + 1;
    fastestMs = Math.min(fastestMs, eachMs);
    searches = Math.min(max, Math.max(minSearches, Math.floor(maxTotalMs / fastestMs)));
  }
  return searches;
};

/** A warm peer, the number of searches over which it is timed, and its timed stretches. */
interface Timed {
  readonly runner: Runner;
  readonly searches: number;
  readonly runs: Stretch[];
}

/** @param most Searches that each is timed over at most. */
const timeAll = async (
  runners: readonly Runner[],
  ask: Ask,
  clients: number,
  most: number,
): Promise<readonly SearchTimes[]> => {
  const timed: Timed[] = [];
  // Backwards, so that the service, which is the first, is timed right after: its idle processes would end.
  for (const runner of runners.toReversed()) {
    timed.unshift({ runner, searches: await warmUp(runner, ask, clients, most), runs: [] });
  }
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    for (const { runner, searches, runs } of timed) {
      runs.push(await searchInTurn(runner, ask, clients, Math.ceil(searches / stretches)));
    }
  }
  return timed.map(({ runs }) => summarize(runs));
};

/** Loads all peers with the same vectors and measures them alternately. */
export const compare = async (
  size: Size,
  peers: readonly Peer[],
  set: VectorSet,
  options: BenchOptions,
  say: (text: string) => void,
): Promise<Comparison> => {
  await using opened = new AsyncDisposableStack();
  const directory = await mkdtemp(join(options.cacheDirectory, 'run-'));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const truth = await trueNeighbours(set, 'cosine', topK, false);
  const runners: Runner[] = [];
  const missing: { readonly title: string; readonly reason: string }[] = [];
  for (const peer of peers) {
    say(`${size.rows} x ${size.dimensions}  ${peer.title}`);
    try {
      runners.push(await prepare(peer, set, truth, directory, opened));
    } catch (error) {
      const reason = String(error).split('\n')[0] ?? '';
      say(`${size.rows} x ${size.dimensions}  ${peer.title} is missing: ${reason}`);
      missing.push({ title: peer.title, reason });
    }
  }
  const times = runners.map(() => new Map<number, SearchTimes>());
  for (const clients of options.clients) {
    say(`${size.rows} x ${size.dimensions}  ${clients} client(s)`);
    const measured = await timeAll(runners, askAll(set), clients, options.searches);
    measured.forEach((one, at) => times[at]?.set(clients, one));
  }
  say(`${size.rows} x ${size.dimensions}  under a filter`);
  const filterable = runners.filter(({ loaded }) => loaded.searchPart !== undefined);
  const underFilter = await timeAll(filterable, askParts(set), 1, options.searches);
  const filtered = new Map(underFilter.map((one, at) => [filterable[at], one]));
  // Measured warm, as they were timed: the results of a peer may differ before.
  const recalls: number[] = [];
  for (const { loaded } of runners) recalls.push(recallOf(truth, await findAll(loaded, set)));
  await noticeEnded();
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
