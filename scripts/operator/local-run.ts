import { readFileSync } from 'node:fs';
import * as z from 'zod';

export const LocalHealth = z.object({
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

const OperatorKey = z.object({ accessKeyId: z.string(), secretAccessKey: z.string() });
export type OperatorKey = z.output<typeof OperatorKey>;

/** Reads the access key of the operator of a run from a file that only the user who started it can read. Throws Error. */
export const readOperatorKey = (file: string): OperatorKey => {
  try {
    return OperatorKey.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} cannot be read: run this command as the user who started the service`, { cause });
  }
};
