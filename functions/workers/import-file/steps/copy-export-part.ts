import { exportPrefix } from '../../../../shared/kernel/content-keys.ts';
import type { JobRecord } from '../../../../shared/files/index.ts';
import type { exportPartOf } from '../../../../shared/imports/index.ts';
import { SourceRefused } from '../../../../shared/platform/object-sources/port.ts';
import { reserveSize } from './reserve-size.ts';
import type { ImportContext } from '../uses.ts';

/** Copies a file of an export within the content buckets of the deployment. */
export const copyExportPart = async (
  context: ImportContext,
  job: JobRecord,
  { address, number }: NonNullable<ReturnType<typeof exportPartOf>>,
): Promise<void> => {
  const { deps } = context;
  const found = await deps.exports.get(address);
  const part = found?.parts[number - 1];
  if (found === null || part === undefined) throw new SourceRefused('The export has been deleted');
  await reserveSize(context, job, { sizeBytes: part.bytes, encoding: '' });
  const keys = { from: exportPrefix(address) + part.name, fromRegion: found.region, to: job.objectKey };
  if (!(await deps.exported.copy(job.region, keys)))
    throw new SourceRefused('The files of the export have been deleted');
};
