import type { JobRecord } from '../../../../shared/files/index.ts';
import { plans } from '../../../../shared/kernel/plans.ts';
import { planOf } from '../../../../shared/organizations/index.ts';
import { SourceRefused } from '../../../../shared/platform/object-sources/port.ts';
import type { ImportContext } from '../uses.ts';

/** Returns the maximum bytes of a file. Throws if an object has more. */
export const requireSize = async ({ deps }: ImportContext, job: JobRecord, sizeBytes: number): Promise<number> => {
  const limit = plans[await planOf(deps.organizations, job.organizationId)].limits.max_file_bytes;
  if (sizeBytes > limit) throw new SourceRefused(`The file has ${sizeBytes} bytes, the plan allows ${limit}`);
  return limit;
};
