import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/*
 * The tests of connectors at full length: `npm run test:sync`, or with other seeds `npm run test:sync -- 5 6 7`. Every seed
 * is a history of many rounds for each source; then syncs and documents die at each of their requests.
 */

const seeds = process.argv.length > 2 ? process.argv.slice(2) : ['1', '2', '3'];
const results: { readonly what: string; readonly passed: boolean; readonly seconds: number }[] = [];

const run = (what: string, file: string, settings: Readonly<Record<string, string>>): void => {
  const startedMs = performance.now();
  const path = join(import.meta.dirname, file);
  const { status } = spawnSync(process.execPath, ['--test', path], {
    stdio: 'inherit',
    env: { ...process.env, ...settings },
  });
  results.push({ what, passed: status === 0, seconds: Math.round((performance.now() - startedMs) / 1000) });
};

for (const seed of seeds) run(`histories of seed ${seed}`, 'run-histories.ts', { SYNC_SEED: seed, SYNC_ROUNDS: '12' });
for (const seed of seeds)
  run(`changes of Google, seed ${seed}`, 'google.test.ts', { SYNC_SEED: seed, SYNC_ROUNDS: '100' });
run('a sync that dies at each request', 'sync.test.ts', { SYNC_STRIDE: '1' });
run('buckets that change, and a sync that dies at each request', 'buckets.test.ts', { SYNC_STRIDE: '1' });
run('stored credentials, and a creation that dies at each request', 'stored-credentials.test.ts', { SYNC_STRIDE: '1' });
run('a thousand objects in each storage', 'run-large-buckets.ts', { SYNC_OBJECTS: '1000' });
run('a document that dies at each request', 'documents.test.ts', { SYNC_STRIDE: '1' });
console.table(results);
if (results.some(({ passed }) => !passed)) process.exitCode = 1;
