import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Context } from 'aws-lambda';
import * as z from 'zod';
import { serveWorker } from '../../../functions/serve.ts';
import type { Asset } from '../../../shared/kernel/sizing.ts';
import { worker } from '../../../shared/pipeline/worker.ts';
import { foldingBounds, makeRow, openBench, seededNumbers } from './support/index-bench.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

/** So many that few rows are enough for a vector index. */
const dimensions = 4_096;

const handlerWith = (assets: readonly Asset[]) =>
  serveWorker(
    worker({
      id: 'idle',
      summary: 'Does nothing',
      queue: 'builds',
      message: z.object({}),
      uses: {},
      assets,
      attempts: 1,
      timeoutSeconds: 1,
      memoryMb: 128,
      batchSize: 1,
      maxConcurrency: 2,
      handle: () => Promise.resolve([]),
      onExhausted: () => Promise.resolve(),
    }),
  );

test('a run removes temporary files of earlier builds and killed runs, and the engine goes on working', async () => {
  const uri = temporaryDirectory();
  // Of this process alone, as on Lambda.
  const scratch = temporaryDirectory();
  Object.assign(process.env, {
    TMPDIR: scratch,
    AWS_REGION: 'us-east-1',
    STRATA_DEPLOYMENT: 'scratch',
    STRATA_ACCOUNT_ID: '000000000000',
    STRATA_HOME_REGION: 'us-east-1',
    STRATA_REGIONS: 'us-east-1',
    STRATA_IDENTITY_ISSUER: 'none',
    STRATA_IDENTITY_AUDIENCE: 'none',
  });
  const bench = await openBench(uri, { dimensions, bounds: foldingBounds });
  const next = seededNumbers(7);
  const build = async (): Promise<void> => {
    await bench.upsert(
      ...Array.from({ length: 300 }, (_, id) => makeRow(`row${id}`, Array.from({ length: dimensions }, next))),
    );
    await bench.maintain();
  };
  const left = (): readonly string[] =>
    readdirSync(scratch, { recursive: true }).flatMap((path) => (String(path).includes('/') ? [String(path)] : []));

  await build();
  assert.notDeepEqual(left(), [], 'a build leaves no scratch files any more, so clearing them is unnecessary');
  for (const name of ['.tmpKiLLed', '.tmpSeSSion']) mkdirSync(join(scratch, name));
  writeFileSync(join(scratch, '.tmpKiLLed', '.tmpPaRt'), '');
  const [idle, engine] = [handlerWith(['readers']), handlerWith(['engine'])];
  const before = left();
  await idle({ Records: [] }, {} as Context);
  assert.deepEqual(left(), before);
  await engine({ Records: [] }, {} as Context);
  assert.deepEqual(left(), []);
  assert.ok(readdirSync(scratch).includes('.tmpSeSSion'), 'what an open session works in stays');
  await build();
});
