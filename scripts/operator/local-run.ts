import * as z from 'zod';

const LocalHealth = z.object({
  aws: z.object({
    endpoint_url: z.url(),
    home_region: z.string(),
    deployment: z.string(),
    credentials_file: z.string(),
  }),
  memory: z.object({ total_bytes: z.number() }),
  queues: z.array(z.object({ name: z.string(), region: z.string(), visible: z.number() })),
});

/** State of a run of `npm start`. */
export type LocalHealth = z.output<typeof LocalHealth>;

/** Reads the state of a run of `npm start`. Throws Error if none answers. */
export const readLocalHealth = async (url: string): Promise<LocalHealth> => {
  try {
    const answer = await fetch(new URL('/_local/health', url), { signal: AbortSignal.timeout(10_000) });
    return LocalHealth.parse(await answer.json());
  } catch (cause) {
    throw new Error(`no local run answers at ${url}`, { cause });
  }
};
