import { erasurePlaces, type ErasureRecord } from '../../../../shared/erasures/index.ts';
import { laterBy } from '../../../../shared/kernel/clock.ts';
import { dayMs } from '../../../../shared/kernel/durations.ts';

/** Days for which backups of the tables have what was deleted. Source: DynamoDB, point-in-time recovery. */
const backupDays = 35;

/** Returns the text of a receipt, which does not name what was erased. */
export const receiptText = (
  found: Pick<
    ErasureRecord,
    'id' | 'organizationId' | 'indexId' | 'createdAt' | 'erasedAt' | 'by' | 'places' | 'keptFiles'
  > & {
    readonly completedAt: string;
  },
): string =>
  JSON.stringify({
    erasure_id: found.id,
    organization_id: found.organizationId,
    index_id: found.indexId,
    selected_by: found.by,
    requested_at: found.createdAt,
    erased_at: found.erasedAt,
    completed_at: found.completedAt,
    places: erasurePlaces.map((place) => ({
      place,
      removed: found.places[place].removed,
      verified_at: found.places[place].verifiedAt,
    })),
    out_of_reach: [
      { place: 'backups', until: laterBy(found.completedAt, backupDays * dayMs).toISOString() },
      { place: 'sources', until: null },
      ...found.keptFiles.map((file) => ({ place: 'originals', file, until: null })),
    ],
  });
