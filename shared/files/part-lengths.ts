import { openTable } from '../db/table.ts';
import { capability } from '../kernel/capability.ts';
import { type StoredText, taskPartition } from './record.ts';

/** Lengths of the texts that the tasks of a job have stored, in code points and by ordinal. Null: a task stored none. */
export type PartLengths = (organizationId: string, jobId: string) => Promise<ReadonlyMap<number, number | null>>;

export const partLengths = capability<PartLengths>(['files.read'], (runtime) => {
  const table = openTable(runtime, 'files');
  return async (organizationId, jobId) => {
    const tasks = table.all(taskPartition(organizationId, jobId), { prefix: 'TASK#', only: ['ordinal', 'text'] });
    return new Map(
      await Array.fromAsync(tasks, (item): readonly [number, number | null] => [
        item['ordinal'] as number,
        (item['text'] as unknown as StoredText | undefined)?.length ?? null,
      ]),
    );
  };
});
