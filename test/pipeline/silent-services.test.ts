import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Runtime } from '../../shared/kernel/capability.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { readConfig } from '../../shared/kernel/config.ts';
import { silentLogger } from '../../shared/kernel/log.ts';
import { eventBus } from '../../shared/platform/aws/event-bus.ts';
import { openSecretReader } from '../../shared/platform/aws/secret-parameter.ts';
import { openS3Source } from '../../shared/platform/object-sources/s3-source.ts';
import { stubAws } from '../support/stub-aws.ts';

for (const service of ['EVENTBRIDGE', 'SSM', 'STS'] as const) stubAws(service, () => {});

const timeoutMs = 15_000;

const runtimeOf = (): Runtime => ({
  config: readConfig({
    STRATA_DEPLOYMENT: 'test',
    STRATA_ACCOUNT_ID: '111122223333',
    STRATA_HOME_REGION: 'us-east-1',
    STRATA_REGIONS: 'us-east-1',
    AWS_REGION: 'us-east-1',
    STRATA_IDENTITY_ISSUER: 'https://issuer.test',
    STRATA_IDENTITY_AUDIENCE: 'audience',
    STRATA_EVENT_BUS: 'bus',
  }),
  clock: systemClock,
  log: silentLogger,
});

/** One try, since each lasts as long as the limit. */
process.env['AWS_MAX_ATTEMPTS'] = '1';

test('a service that takes a request and never answers is given up', { timeout: timeoutMs }, async () => {
  const runtime = runtimeOf();
  const createdAt = '2026-01-01T00:00:00.000Z';
  const event = { organizationId: 'org_1', id: 'evt_1', type: 'file.completed', createdAt, body: '{"data":{}}' };
  const access = { role_arn: 'arn:aws:iam::444455556666:role/import' };
  const settings = { accountId: '111122223333', endpoint: null, region: 'us-east-1', externalId: 'org_1' };
  const timedOut = { name: 'TimeoutError' };
  await Promise.all([
    assert.rejects(eventBus.make(runtime).put([event]), timedOut),
    assert.rejects(openSecretReader(runtime, 'svix-api-key', 'us-east-1')(), timedOut),
    assert.rejects(openS3Source({ container: 'bucket', key: 'key' }, access, settings).head(), {
      name: 'SourceFailed',
      message: 'The storage does not respond',
    }),
  ]);
});
