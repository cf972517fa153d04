import type { JobRecord } from '../../../../shared/files/index.ts';
import { isEncoded } from '../../../../shared/kernel/decode-body.ts';
import { AppError } from '../../../../shared/kernel/errors.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { type SourceHead, SourceRefused } from '../../../../shared/platform/object-sources/port.ts';
import type { ImportContext } from '../uses.ts';

/**
 * Reserves the size of an object, or the maximum if it is encoded. Returns the maximum bytes of a file. Throws if the plan
 * does not allow the object.
 */
export const reserveSize = async (
  { deps }: ImportContext,
  job: JobRecord,
  { sizeBytes, encoding }: Pick<SourceHead, 'sizeBytes' | 'encoding'>,
): Promise<number> => {
  const plan = await planOf(deps.organizations, job.organizationId);
  const limit = plans[plan].limits.max_file_bytes;
  if (sizeBytes > limit) throw new SourceRefused(`The file has ${sizeBytes} bytes, the plan allows ${limit}`);
  try {
    await deps.originals.resize(job.organizationId, job.id, isEncoded(encoding) ? limit : sizeBytes, plan);
  } catch (error) {
    if (error instanceof AppError) throw new SourceRefused(error.message);
    throw error;
  }
  return limit;
};
