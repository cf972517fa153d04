import * as z from 'zod';

export const DependencyHealth = z
  .object({
    name: z.string().describe('Kind, region (if any) and name of the dependency, such as `queue/us-east-1/plan`.'),
    status: z
      .enum(['ok', 'failed', 'timeout', 'skipped'])
      .meta({ id: 'DependencyStatus', description: 'Outcome of one check.' })
      .describe('`skipped`: there was nothing to check, such as a region in which the organization has no index.'),
    ms: z.int().describe('Duration of the check in milliseconds.'),
    error: z
      .string()
      .nullable()
      .describe(
        'Name of the error, such as `AccessDeniedException`, or `DamagedIndex` with the ids of indexes; null if there is none. The log contains details.',
      ),
  })
  .meta({
    id: 'DependencyHealth',
    description: 'Whether the service reaches one of its dependencies.',
    examples: [{ name: 'queue/us-east-1/plan', status: 'ok', ms: 12, error: null }],
  });
export type DependencyHealth = z.output<typeof DependencyHealth>;
