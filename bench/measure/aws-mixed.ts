import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '../peers/service.ts';
import { type MeasuredIndex, rowMaker, searchOf } from './aws-operations.ts';

/** Times of searches while idle, and while batches are written one after the other. */
export interface MixedTimes {
  readonly quietMs: readonly number[];
  readonly writingMs: readonly number[];
  readonly batchesMs: readonly number[];
}

/** Pause between searches, like that of a user. */
const pauseMs = 20;

/** Searches an index while idle, and then as often as there is time while batches of its rows are written. */
export const measureMixed = async (
  service: Pick<Service, 'call' | 'send'>,
  index: MeasuredIndex,
  {
    dimensions,
    batchRows,
    batches,
    searches,
  }: Readonly<Record<'dimensions' | 'batchRows' | 'batches' | 'searches', number>>,
): Promise<MixedTimes> => {
  const make = rowMaker(dimensions);
  const timed = async (act: () => Promise<unknown>): Promise<number> => {
    const startMs = performance.now();
    await act();
    return performance.now() - startMs;
  };
  const search = searchOf(service, index, make);
  const quietMs: number[] = [];
  for (let at = 0; at < searches; at += 1) {
    quietMs.push(await timed(search('hybrid')));
    await delay(pauseMs);
  }
  // Made before: it would delay the searches of this process.
  const writes = Array.from({ length: batches }, (_, batch) =>
    JSON.stringify(Array.from({ length: batchRows }, (__, at) => make.row(batch * batchRows + at))),
  );
  const writingMs: number[] = [];
  const state = { isWriting: true };
  const searching = (async () => {
    while (state.isWriting) {
      writingMs.push(await timed(search('hybrid')));
      await delay(pauseMs);
    }
  })();
  const batchesMs: number[] = [];
  for (const body of writes)
    batchesMs.push(await timed(() => service.send('POST', `/v1/indexes/${index.id}/vectors`, body)));
  state.isWriting = false;
  await searching;
  return { quietMs, writingMs, batchesMs };
};
