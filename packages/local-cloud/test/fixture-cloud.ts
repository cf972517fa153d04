import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultHostLimits } from '../src/host/process-pool.ts';
import { openCloud, type OpenCloud } from '../src/open-cloud.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { writeFixtureAssembly } from './fixture-assembly.ts';

export interface JournalEntry {
  readonly kind: string;
  readonly at: number;
  readonly pid: number;
  readonly note?: string;
  readonly size?: number;
  readonly body?: { readonly name: string };
  readonly attempt?: number;
  readonly source?: string;
  readonly group?: string;
  readonly groups?: readonly string[];
}

/** What the workers of a fixture cloud wrote down so far. */
export const readJournal = (directory: string): readonly JournalEntry[] => {
  const file = join(directory, 'journal');
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as JournalEntry)
    : [];
};

/** Opens the fixture service with everything below `directory`. */
export const openFixtureCloud = async (directory: string): Promise<OpenCloud> => {
  const assembly = join(directory, 'assembly');
  mkdirSync(assembly, { recursive: true });
  return await openCloud({
    dataDirectory: join(directory, 'data'),
    port: 0,
    assembly: async () => writeFixtureAssembly(assembly, join(directory, 'journal')),
    reach: { allowLocalWebhooks: false, crawlLocalAddress: '' },
    clock: systemClock,
    limits: defaultHostLimits,
    onProgress: () => {},
    onWarning: () => {},
    onError: console.error,
  });
};

/** Client settings with which the SDK talks to a local cloud. */
export const clientSettings = ({ endpointUrl, settings }: OpenCloud, region = 'us-east-1') => {
  const { accessKeyId, secretAccessKey } = settings.read();
  return { endpoint: endpointUrl, region, credentials: { accessKeyId, secretAccessKey }, maxAttempts: 1 };
};
