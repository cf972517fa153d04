import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname } from 'node:path';
import * as z from 'zod';
import { type LocalHealth, readLocalHealth } from '../operator/local-run.ts';
import { checkService } from './check-service.ts';
import { advice, attempt, type Finding, ok, problem } from './finding.ts';

const gigabyte = 1e9;
/** Below, a file of the largest size and the index of it may not fit. */
const minFreeBytes = 2 * gigabyte;
/** Messages that wait beyond this are no short burst. */
const manyWaiting = 1_000;

const inGigabytes = (bytes: number): string => `${(bytes / gigabyte).toFixed(1)} GB`;

const checkDisk = async ({ aws }: LocalHealth): Promise<Finding> => {
  const directory = dirname(aws.credentials_file);
  const { bavail, bsize } = await statfs(directory);
  const free = bavail * bsize;
  if (free >= minFreeBytes) return ok('disk', `${inGigabytes(free)} free at ${directory}`);
  return problem('disk', `only ${inGigabytes(free)} free at ${directory}`, 'Free space, or start with another --data.');
};

const checkMemory = ({ memory: { total_bytes: used } }: LocalHealth): Finding => {
  const note = `${inGigabytes(used)} of ${inGigabytes(totalmem())} used by the service`;
  if (used < totalmem() / 2) return ok('memory', note);
  return advice('memory', note, 'Leave half of the memory to searches and to the system, or delete unused indexes.');
};

const checkQueues = ({ queues }: LocalHealth): readonly Finding[] => {
  const aside = queues.filter(({ name, visible }) => /-dlq(\.fifo)?$/.test(name) && visible > 0);
  const waiting = queues.filter(({ name, visible }) => !/-dlq(\.fifo)?$/.test(name) && visible > manyWaiting);
  if (aside.length + waiting.length === 0) return [ok('queues', 'none is late')];
  return [
    ...aside.map(({ name, visible }) =>
      problem(`queue ${name}`, `${visible} messages were put aside`, 'Look for "run failed" in functions.log.'),
    ),
    ...waiting.map(({ name, visible }) =>
      advice(`queue ${name}`, `${visible} messages wait`, 'Wait, or start fewer jobs at a time.'),
    ),
  ];
};

const LocalRequests = z.object({ denials: z.array(z.unknown()) });

const checkDenials = async (url: string): Promise<Finding> => {
  const answer = await fetch(`${url}/_local/requests`);
  const { denials } = LocalRequests.parse(await answer.json());
  if (denials.length === 0) return ok('permissions', 'no request of a function was denied');
  return problem(
    'permissions',
    `${denials.length} requests of functions were denied`,
    `Look at denials in ${url}/_local/requests. A deployment would fail there as well.`,
  );
};

/** Checks a run of `npm start`. Throws Error if none answers. */
export const checkLocal = async (url: string): Promise<readonly Finding[]> => {
  const health = await readLocalHealth(url);
  return [
    ...(await checkService(url)),
    ...(await attempt('disk', () => checkDisk(health))),
    checkMemory(health),
    ...checkQueues(health),
    ...(await attempt('permissions', () => checkDenials(url))),
  ];
};
