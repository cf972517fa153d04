import * as z from 'zod';
import { asOfVersion, type IndexRecord, requireFeature, requireReadable } from '../indexes/index.ts';
import { AppError } from '../kernel/errors.ts';
import type { Reader } from './contracts.ts';

const Time = z.iso.datetime({ offset: true });

/** Version, or time with an offset. */
export const AsOf = z.union([z.int().min(1), Time]).meta({
  id: 'AsOf',
  description:
    'Reads the index as it was: a `version` of `GET …/versions`, or a time with an offset. The newest kept version from before that time is read. Rows that have expired since stay absent.',
  examples: [1_204, '2030-06-29T18:00:00Z'],
});
export type AsOf = z.output<typeof AsOf>;

/** The same in a query string. */
export const AsOfText = z
  .string()
  .transform((text) => (/^\d{1,15}$/.test(text) ? Number(text) : text))
  .pipe(AsOf)
  .meta({
    description: AsOf.meta()?.description ?? '',
    jsonSchema: { type: 'string' },
    examples: ['2030-06-29T18:00:00Z'],
  });

const notKept = 'The index has no kept version as of then. `GET …/versions` lists those that it has';

/** Returns the kept version of an index as of a time or a version. Throws 409 and 410. */
export const versionAsOf = async (reader: Reader, index: IndexRecord, asOf: AsOf): Promise<number> => {
  requireFeature(index, 'versions');
  const [{ version: newest }] = index.layers;
  if (asOf === newest) return newest;
  if (typeof asOf === 'number') requireReadable(index, asOf);
  const { versions } = await reader.execute(index, {
    op: 'versions',
    keep_days: index.versionDays,
    until: typeof asOf === 'string' ? asOf : null,
    before: typeof asOf === 'number' ? asOf + 1 : null,
    limit: 1,
    counts_rows: false,
  });
  const [found] = versions;
  if (found === undefined || (typeof asOf === 'number' && found.version !== asOf))
    throw new AppError('version_not_kept', notKept);
  requireReadable(index, found.version);
  return found.version;
};

/** Returns an index as it is read as of a time or a version. Undefined: as it is. Throws 409 and 410. */
export const indexAsOf = async (reader: Reader, index: IndexRecord, asOf: AsOf | undefined): Promise<IndexRecord> =>
  asOf === undefined ? index : asOfVersion(index, await versionAsOf(reader, index, asOf));
