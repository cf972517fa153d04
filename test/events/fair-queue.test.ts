import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AwsRequest } from '../../local/endpoint/aws-request.ts';
import { readCredentialScope } from '../../local/endpoint/credential-scope.ts';
import { openQueueStore } from '../../local/queues/queue-store.ts';
import type { QueueStore } from '../../local/queues/queue-types.ts';
import { serveQueues } from '../../local/queues/serve-queues.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { queueName } from '../../shared/kernel/names.ts';
import { deliverSend, replaysWrite, retriesSend } from '../../shared/webhooks/index.ts';
import { temporaryDirectory } from '../local/fixture-cloud.ts';
import { Cloud, listening } from './support/cloud.ts';
import { driveOf, newOrganization } from './support/drive.ts';
import { createEndpointFor } from './support/endpoints.ts';

const cloud = new Cloud();
const { record, emit } = driveOf(cloud);
const { retries, sweeper, replays } = makeDeps(
  { retries: retriesSend, sweeper: deliverSend, replays: replaysWrite },
  cloud.runtime,
);
const { region, accountId } = cloud.runtime.config;

const definitionOf = (queue: 'relay' | 'deliver') => ({
  region,
  name: queueName('test', queue),
  arn: `arn:aws:sqs:${region}:${accountId}:${queueName('test', queue)}`,
  fifo: false,
  contentBasedDeduplication: false,
  deduplicationScope: 'queue' as const,
  maximumMessageBytes: 1_048_576,
  delaySeconds: 0,
  receiveWaitSeconds: 0,
  retentionSeconds: 3_600,
  visibilityTimeoutSeconds: 60,
  redrive: null,
});
const queues = { relay: definitionOf('relay'), deliver: definitionOf('deliver') };

let store: QueueStore;
const hooks: (() => unknown)[] = [];

/** The queues of the one machine, which let groups take turns, in the place of those that the other tests use. */
const serveLocalQueues = async (): Promise<string> => {
  const file = join(temporaryDirectory({ after: (hook) => hooks.push(hook) }), 'queues');
  store = openQueueStore({ file, queues: Object.values(queues), clock: systemClock });
  const answer = serveQueues({ store, accountId, endpointUrl: 'http://localhost' });
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const scope = readCredentialScope(headers.authorization, url) ?? { service: '', region: '' };
    const body = async (): Promise<Buffer> => Buffer.concat(await request.toArray());
    const asked: AwsRequest = { ...scope, method, path: url, headers, signal: new AbortController().signal, body };
    void answer(asked).then((given) => response.writeHead(given?.status ?? 501, given?.headers).end(given?.body));
  });
  hooks.push(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
    store.close();
  });
  return listening(server);
};

before(async () => {
  await cloud.start({ faulty: false });
  process.env['AWS_ENDPOINT_URL_SQS'] = await serveLocalQueues();
});
after(async () => {
  await cloud.stop();
  for (const hook of hooks.toReversed()) await hook();
});

/** The organizations of the next messages of a queue, which is then emptied. */
const next = async (queue: keyof typeof queues, most: number): Promise<readonly (string | null)[]> => {
  const signal = new AbortController().signal;
  const received = await store.receive(queues[queue], { max: most, waitMs: 0, signal });
  store.purge(queues[queue]);
  return received.map(({ groupId }) => groupId);
};

test('an event is relayed before the backlog of another organization, and so is the step of a replay', async () => {
  const [busy, quiet, replaying] = [newOrganization(), newOrganization(), newOrganization()];
  for (let nth = 0; nth < 12; nth += 1) await record(busy);
  await record(quiet);
  await replays.ask([{ organization_id: replaying, replay_id: 'dlv_1' }]);
  assert.deepEqual(await next('relay', 3), [busy, quiet, replaying]);
});

test('an attempt is made before the backlog of another organization, whoever asks for it', async () => {
  const [busy, quiet, retrying, swept] = [newOrganization(), newOrganization(), newOrganization(), newOrganization()];
  for (const organizationId of [busy, quiet])
    await createEndpointFor(cloud.runtime, organizationId, { url: 'https://example.com/hooks' });
  for (let nth = 0; nth < 12; nth += 1) await emit(busy);
  await emit(quiet);
  const refOf = (organization_id: string) => ({ organization_id, endpoint_id: 'we_1', delivery_id: 'dlv_1' });
  await retries.sendIn(0, refOf(retrying));
  await sweeper.send([refOf(swept)]);
  assert.deepEqual(await next('deliver', 4), [busy, quiet, retrying, swept]);
});
