import * as z from 'zod';

export const DependencyHealth = z
  .object({
    name: z.string().describe('Kind, region if it has one, and name, such as `queue/us-east-1/plan`.'),
    status: z
      .enum(['ok', 'failed', 'timeout', 'skipped'])
      .meta({ id: 'DependencyStatus', description: 'Outcome of one check.' })
      .describe('`skipped`: there was nothing to check, such as a region in which the organization has no index.'),
    ms: z.int().describe('Milliseconds until the outcome.'),
    error: z
      .string()
      .nullable()
      .describe('Name of the error, such as `AccessDeniedException`; null if there is none. The log has more.'),
  })
  .meta({
    id: 'DependencyHealth',
    description: 'Whether the service reaches one of its dependencies.',
    examples: [{ name: 'queue/us-east-1/plan', status: 'ok', ms: 12, error: null }],
  });
export type DependencyHealth = z.output<typeof DependencyHealth>;
