import type { Service } from '../peers/service.ts';
import { seededNormal, seededRandom } from '../data/random.ts';
import { percentile } from './searches.ts';

/** Requests that clients mix, each client one kind. */
export const kinds = ['search', 'upsert'] as const;
export type Kind = (typeof kinds)[number];

const dimensions = 256;
const rowsAtStart = 2_000;
const rowsPerUpsert = 5;

const normal = seededNormal(1);
const random = seededRandom(2);

const newRow = (id: string) => ({ id, vector: Array.from({ length: dimensions }, normal) });

/** Creates an index and fills it. Returns its id. */
export const createFilledIndex = async (service: Pick<Service, 'call'>): Promise<string> => {
  const made = await service.call('POST', '/v1/indexes', { name: 'mixed', dimensions });
  const { id } = made as { readonly id: string };
  for (let from = 0; from < rowsAtStart; from += 500) {
    const rows = Array.from({ length: 500 }, (_, at) => newRow(`row-${from + at}`));
    await service.call('POST', `/v1/indexes/${id}/vectors`, rows);
  }
  return id;
};

/** Sends one request of a kind. */
export const sendRequest = (service: Pick<Service, 'call'>, index: string, kind: Kind): Promise<unknown> => {
  if (kind === 'search') {
    const vector = Array.from({ length: dimensions }, normal);
    return service.call('POST', `/v1/indexes/${index}/search/dense`, { vector, top_k: 10 });
  }
  const first = Math.floor(random() * rowsAtStart);
  const rows = Array.from({ length: rowsPerUpsert }, (_, at) => newRow(`row-${first + at}`));
  return service.call('POST', `/v1/indexes/${index}/vectors`, rows);
};

export interface Figures {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export const figuresOf = (eachMs: readonly number[], seconds: number): Figures => ({
  perSecond: eachMs.length / seconds,
  p50Ms: percentile(eachMs, 0.5),
  p99Ms: percentile(eachMs, 0.99),
});
