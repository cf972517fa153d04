import { setTimeout as pause } from 'node:timers/promises';
import type { StrataClient } from '#client';
import { search, type SearchMode, searchModes } from './ask-questions.ts';
import { sentencesOf, type StoredRow } from './choose-questions.ts';
import { LocalHealth } from './schemas.ts';
import type { Phase } from './show-progress.ts';

/** Times of single calls, one after the other, in milliseconds. */
interface Timing {
  readonly medianMs: number;
  readonly calls: number;
}

/** The model has to read a question that is new; it remembers those that it has read lately. */
interface SearchTimings {
  readonly fresh: Timing;
  readonly repeated: Timing;
}

export interface Timings {
  readonly read: Timing;
  readonly searches: Readonly<Record<SearchMode, SearchTimings>>;
}

const readCalls = 50;
const mostSearchCalls = 20;
/** The compilers of JavaScript and WebAssembly need about so many calls until they have settled. */
const warmUpCalls = 20;
const topK = 5;

const timed = async (calls: number, run: (call: number) => Promise<unknown>, onCall: () => void): Promise<Timing> => {
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const began = performance.now();
    await run(call);
    times.push(performance.now() - began);
    onCall();
  }
  const sorted = times.toSorted((one, other) => one - other);
  return { medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0, calls };
};

/** About as long as what people type into a search box, or a little longer. */
export const questionWords = 10;

/** Different beginnings of sentences of the file, to be asked for. */
const questionsOfRows = (rows: readonly StoredRow[]): readonly string[] => {
  const sentences = rows.flatMap(({ text }) => sentencesOf(text ?? ''));
  // Quotes would make phrases, which not every engine has.
  const all = [
    ...new Set(sentences.map((text) => text.replaceAll('"', ' ').split(/\s+/).slice(0, questionWords).join(' '))),
  ];
  return all.length > 0 ? all : rows.flatMap(({ text }) => (text ?? '').slice(0, 200));
};

/** Medians of warm calls: reading the index with the key, and searches with new questions and with repeated ones. */
export const measureTimes = async (
  client: StrataClient,
  index: string,
  rows: readonly StoredRow[],
  phase: Phase,
): Promise<Timings> => {
  const questions = questionsOfRows(rows);
  const searchCalls = Math.max(1, Math.min(mostSearchCalls, Math.floor(questions.length / searchModes.length)));
  const total = readCalls + searchModes.length * (warmUpCalls + 2 * searchCalls);
  let done = 0;
  const onCall = (): void => {
    done += 1;
    phase.update(done / total, `${done} of ${total} calls`);
  };
  const read = () => client.get('/v1/indexes/{index_id}', { params: { path: { index_id: index } } });
  const ask = async (mode: SearchMode, offset: number): Promise<SearchTimings> => {
    const question = (call: number): string => questions[(offset + call) % questions.length] ?? 'nothing';
    for (let call = 0; call < warmUpCalls; call += 1) {
      await search(client, index, mode, `Beforehand: ${question(call)}`, topK);
      onCall();
    }
    const one = (call: number): Promise<unknown> => search(client, index, mode, question(call), topK);
    return { fresh: await timed(searchCalls, one, onCall), repeated: await timed(searchCalls, one, onCall) };
  };
  for (let call = 0; call < warmUpCalls; call += 1) await read();
  const measured = await timed(readCalls, read, onCall);
  const dense = await ask('dense', 0);
  const sparse = await ask('sparse', searchCalls);
  const hybrid = await ask('hybrid', 2 * searchCalls);
  phase.finish(`${total} calls`);
  return { read: measured, searches: { dense, sparse, hybrid } };
};

/** Memory that the host keeps for idle function processes. */
const keptBytes = 200 * 1024 * 1024;
const idlePatienceMs = 75_000;
const lookMs = 1_000;

const readHealth = async (baseUrl: string): Promise<LocalHealth> =>
  LocalHealth.parse(await (await fetch(`${baseUrl}/_local/health`)).json());

/** Memory of the service, and the number of its processes. Functions share processes. */
const describeMemory = ({ memory, processes }: Pick<LocalHealth, 'memory' | 'processes'>): string =>
  `${Math.round(memory.total_bytes / 1e6)} MB in ${new Set(processes.map(({ pid }) => pid)).size + 1} processes`;

/** Memory of the whole service, main process and functions, once nothing runs and idle functions have been let go. */
export const measureIdleMemory = async (baseUrl: string, phase: Phase): Promise<LocalHealth['memory']> => {
  const began = performance.now();
  for (;;) {
    const { memory, processes } = await readHealth(baseUrl);
    const waitedMs = performance.now() - began;
    const isIdle = processes.every(({ busy }) => !busy) && memory.functions_bytes <= keptBytes;
    const note = describeMemory({ memory, processes });
    if (isIdle || waitedMs > idlePatienceMs) {
      phase.finish(note);
      return memory;
    }
    phase.update(Math.floor((10 * waitedMs) / idlePatienceMs) / 10, note);
    await pause(lookMs);
  }
};
