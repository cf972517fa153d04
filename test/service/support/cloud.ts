import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { offline } from '../../support/offline.ts';
import { type LocalCloud, startLocalCloud } from '../../../local/start-local-cloud.ts';

/** A file calls nearly every function: to start one again costs more than to keep its process until the end. */
const limits = { processes: 64, warmMs: 10 * 60_000 };

/**
 * The whole service for the tests of one file, on data of its own; stopped and removed after them.
 * @param regions The first is home.
 */
export const startService = async (
  regions: readonly string[] = ['us-east-1'],
): Promise<LocalCloud & { readonly dataDirectory: string }> => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'strata-test-'));
  const parameters = offline;
  const cloud = await startLocalCloud({ dataDirectory, regions, allowLocalWebhooks: true, parameters, limits });
  after(async () => {
    await cloud.close();
    await rm(dataDirectory, { recursive: true, force: true });
  });
  return { ...cloud, dataDirectory };
};
