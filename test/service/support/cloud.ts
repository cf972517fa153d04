import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { offline } from '../../support/offline.ts';
import { type LocalCloud, startLocalCloud } from '../../../local/start-local-cloud.ts';

/**
 * The whole service for the tests of one file, on data of its own; stopped and removed after them.
 * @param regions The first is home.
 */
export const startService = async (
  regions: readonly string[] = ['us-east-1'],
): Promise<LocalCloud & { readonly dataDirectory: string }> => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'strata-test-'));
  const cloud = await startLocalCloud({ dataDirectory, regions, allowLocalWebhooks: true, parameters: offline });
  after(async () => {
    await cloud.close();
    await rm(dataDirectory, { recursive: true, force: true });
  });
  return { ...cloud, dataDirectory };
};
