import type * as z from 'zod';
import { textOf } from '../db/read-item.ts';
import { epochSeconds } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import { capability } from '../kernel/capability.ts';
import { daySeconds } from '../kernel/durations.ts';
import { isTransientSdkError } from '../kernel/sdk-error.ts';
import { recallKey } from '../usage/index.ts';
import type { IndexRecord } from '../indexes/index.ts';
import type { LastRecall } from './recall-schemas.ts';

/** Days that a measurement is kept. It is removed earlier with its index. */
const keptDays = 400;
/** Maximum characters of a filter that is stored with its measurement. */
const maxFilterLength = 4_096;

export interface LastRecallReader {
  /** Returns the last measurement of an index; null if there is none. */
  get(index: Pick<IndexRecord, 'organizationId' | 'id'>): Promise<z.input<typeof LastRecall> | null>;
}

export interface LastRecallWriter {
  /** Stores a measurement, unless a later one is stored. If the table is unavailable, it is not stored. */
  save(index: Pick<IndexRecord, 'organizationId' | 'id'>, recall: z.input<typeof LastRecall>): Promise<void>;
}

export const lastRecallRead = capability<LastRecallReader>(['usage.read'], (runtime) => {
  const table = openTable(runtime, 'usage');
  return {
    get: async ({ organizationId, id }) => {
      const item = await table.get(recallKey(organizationId, id));
      const stored = item === null ? null : textOf(item, 'measurement');
      return stored === null ? null : (JSON.parse(stored) as z.input<typeof LastRecall>);
    },
  };
});

export const lastRecallWrite = capability<LastRecallWriter>(['usage.write'], (runtime) => {
  const table = openTable(runtime, 'usage');
  return {
    save: async ({ organizationId, id }, recall) => {
      const { filtered } = recall;
      const isLong = JSON.stringify(filtered?.filter ?? null).length > maxFilterLength;
      const stored = filtered !== null && isLong ? { ...recall, filtered: { ...filtered, filter: null } } : recall;
      try {
        await table.update(recallKey(organizationId, id), {
          set: {
            measured_at: recall.measured_at,
            // As text, because the names in a filter may be any.
            measurement: JSON.stringify(stored),
            expires_at_epoch: epochSeconds(runtime.clock.now()) + keptDays * daySeconds,
          },
          condition: { measured_at: { either: [[{ exists: false }], [{ lt: recall.measured_at }]] } },
        });
      } catch (error) {
        if (!isTransientSdkError(error)) throw error;
        runtime.log.warn('search.recall.save.failed', { index_id: id, error });
      }
    },
  };
});
