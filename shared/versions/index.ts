import * as z from 'zod';
import { exampleTime } from '../http/examples.ts';
import { AsOf } from '../reader/index.ts';

export const VersionResponse = z
  .object({
    version: z.int().describe('Number of the version.'),
    created_at: z.iso.datetime().describe('Time from which it was the newest.'),
    vectors: z.int().nullable().describe('Rows of the version; null if it has just been removed.'),
  })
  .meta({
    id: 'VersionResponse',
    description: 'A kept version of an index.',
    examples: [{ version: 1_204, created_at: exampleTime, vectors: 42_000 }],
  });

export const RestoreBody = z
  .strictObject({ as_of: AsOf })
  .meta({ id: 'IndexRestore', description: 'What to restore.', examples: [{ as_of: '2030-06-29T18:00:00Z' }] });

export const RestoreResponse = z
  .object({
    version: z.int().describe('Version that was restored.'),
    vectors_written: z.int().describe('Rows that the index has again.'),
    vectors_deleted: z.int().describe('Rows that the index had before, and the restored version not.'),
    left_out: z.int().describe('Rows that stay away, because their files were deleted or replaced since.'),
  })
  .meta({
    id: 'RestoreResponse',
    description: 'What a restore changed.',
    examples: [{ version: 1_204, vectors_written: 120, vectors_deleted: 3, left_out: 0 }],
  });
