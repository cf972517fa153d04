import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type AwsRequest, readCredentialScope, openQueueStore, type QueueStore, serveQueues } from '#local-cloud';
import { syncSend } from '../../shared/connectors/index.ts';
import { crawlSend } from '../../shared/crawls/index.ts';
import { plan } from '../../functions/workers/plan/worker.ts';
import { type JobRecord, planSend, TaskMessage, taskMessageOf, tasksSend } from '../../shared/files/index.ts';
import { importsSend } from '../../shared/imports/index.ts';
import { buildsSend } from '../../shared/indexes/index.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { queueName } from '../../shared/kernel/names.ts';
import { deliverSend, replaysWrite, retriesSend } from '../../shared/webhooks/index.ts';
import { textJob } from '../support/text-job.ts';
import { textTask } from '../support/text-task.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Cloud, listening } from '../support/emulated-cloud.ts';
import { driveOf, newOrganization } from './support/drive.ts';
import { createEndpointFor } from './support/endpoints.ts';

const cloud = new Cloud();
const { record, emit } = driveOf(cloud);
const { retries, sweeper, replays, plans, tasks, imports, crawls, syncs, builds } = makeDeps(
  {
    retries: retriesSend,
    sweeper: deliverSend,
    replays: replaysWrite,
    plans: planSend,
    tasks: tasksSend,
    imports: importsSend,
    crawls: crawlSend,
    syncs: syncSend,
    builds: buildsSend,
  },
  cloud.runtime,
);
const { region, accountId } = cloud.runtime.config;

const names = ['relay', 'deliver', 'plan', 'tasks', 'imports', 'crawl', 'sync', 'builds'] as const;
type Queue = (typeof names)[number];

const definitionOf = (queue: Queue) => ({
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
const queues = Object.fromEntries(names.map((name) => [name, definitionOf(name)])) as Readonly<
  Record<Queue, ReturnType<typeof definitionOf>>
>;

let store: QueueStore;
const hooks: (() => unknown)[] = [];

/** Replaces the queues of the test cloud by those of the local service, which implement fair message groups. */
const serveLocalQueues = async (): Promise<string> => {
  const file = join(temporaryDirectory(), 'queues');
  store = openQueueStore({ file, queues: Object.values(queues), clock: systemClock, onError: console.error });
  const answer = serveQueues({ store, accountId, endpointUrl: 'http://localhost' });
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const scope = readCredentialScope(headers.authorization, url) ?? { service: '', region: '', accessKeyId: '' };
    const { signal } = new AbortController();
    const serve = async (): Promise<void> => {
      const body = Buffer.concat(await request.toArray());
      const asked: AwsRequest = {
        ...scope,
        method,
        path: url,
        query: new URLSearchParams(),
        headers,
        signal,
        body,
        authorize: () => {},
      };
      const given = await answer(asked);
      response.writeHead(given?.status ?? 501, given?.headers).end(given?.body);
    };
    void serve();
  });
  hooks.push(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
    store.close();
  });
  return listening(server);
};

before(async () => {
  await cloud.start();
  process.env['AWS_ENDPOINT_URL_SQS'] = await serveLocalQueues();
});
after(async () => {
  await cloud.stop();
  for (const hook of hooks.toReversed()) await hook();
});

/** Returns the organizations of the messages of a queue in order, and empties it. */
const next = async (queue: Queue, most: number): Promise<readonly (string | null)[]> => {
  const signal = new AbortController().signal;
  const received = await store.receive(queues[queue], { max: most, waitMs: 0, signal });
  store.purge(queues[queue]);
  return received.map(({ groupId }) => groupId);
};

test('an event and a replay step are relayed before the backlog of another organization', async () => {
  const [busy, quiet, replaying] = [newOrganization(), newOrganization(), newOrganization()];
  for (let nth = 0; nth < 12; nth += 1) await record(busy);
  await record(quiet);
  await replays.enqueue([{ organization_id: replaying, replay_id: 'dlv_1' }]);
  assert.deepEqual(await next('relay', 3), [busy, quiet, replaying]);
});

test('a delivery attempt is made before the backlog of another organization', async () => {
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

test('files, imports, crawls, connectors and builds do not wait for the backlog of another organization', async () => {
  const [busy, quiet] = [newOrganization(), newOrganization()];
  const senders: Readonly<Record<Exclude<Queue, 'relay' | 'deliver'>, (organization: string) => Promise<void>>> = {
    plan: (organizationId) => plans.send({ region, key: 'uploads/source', sizeBytes: 1 }, organizationId),
    tasks: (organization_id) =>
      tasks.send(region, [{ organization_id, index_id: 'idx_1', job_id: 'job_1', task_id: 'task_1', ordinal: 1 }]),
    imports: (organizationId) => imports.send(region, { organizationId, indexId: 'idx_1', jobId: 'job_1' }),
    crawl: (organizationId) => crawls.send(region, { organizationId, indexId: 'idx_1', crawlId: 'crawl_1' }),
    sync: (organizationId) => syncs.send({ organizationId, indexId: 'idx_1', connectionId: 'conn_1' }),
    builds: (organizationId) => builds.request({ organizationId, id: 'idx_1', region }),
  };
  for (const name of names) {
    if (name === 'relay' || name === 'deliver') continue;
    for (let nth = 0; nth < 3; nth += 1) await senders[name](busy);
    await senders[name](quiet);
    assert.deepEqual([name, ...(await next(name, 2))], [name, busy, quiet]);
  }
});

test('an S3 notification without a message group is moved to the group of its organization before planning', async () => {
  const [busy, quiet] = [newOrganization(), newOrganization()];
  const deps = makeDeps(plan.uses, cloud.runtime);
  const notify = (organizationId: string, size: number) => {
    const object = { key: `uploads/${organizationId}/idx_1/job_1/source`, size };
    const message = plan.message.parse({ Records: [{ awsRegion: region, s3: { object } }] });
    return plan.handle({ deliveries: [{ message, messageId: '1', attempt: 1 }], deps, run: cloud.run() });
  };
  for (let nth = 0; nth < 3; nth += 1) await notify(busy, 1_000);
  await notify(busy, 100_000_000);
  await notify(quiet, 1_000);
  assert.deepEqual(await next('plan', 3), [busy, `${busy}#large`, quiet]);
});

test('tasks of a small job do not wait for large jobs, and an organization has a bounded number of message groups', async () => {
  const jobOf = (differs: Partial<JobRecord>): JobRecord => ({ ...textJob(new Date()), organizationId, ...differs });
  const organizationId = newOrganization();
  const send = (job: JobRecord, count: number) =>
    tasks.send(
      region,
      Array.from({ length: count }, (_, at) => taskMessageOf(job, textTask(job, { ordinal: at + 1 }))),
    );
  await send(jobOf({ id: 'job_large', tasksTotal: 9 }), 9);
  await send(jobOf({ id: 'job_other', tasksTotal: 9 }), 9);
  for (let nth = 0; nth < 9; nth += 1) await send(jobOf({ source: 'connector', tasksTotal: 1 }), 1);
  await send(jobOf({ tasksTotal: 1 }), 1);
  const groups = await next('tasks', 4);
  assert.equal(new Set(groups).size, 4);
  assert.equal(groups[3], organizationId);
  for (let job = 0; job < 200; job += 1) await send(jobOf({ id: `job_${job}`, tasksTotal: 2 }), 1);
  const signal = new AbortController().signal;
  const all = await store.receive(queues.tasks, { max: 200, waitMs: 0, signal });
  store.purge(queues.tasks);
  assert.equal(new Set(all.map(({ groupId }) => groupId)).size, 16);
  const [{ body } = { body: '' }] = all;
  await tasks.sendLater(region, TaskMessage.parse(JSON.parse(body)), 0);
  assert.deepEqual(await next('tasks', 1), [all[0]?.groupId], 'a task that comes again stays in its group');
});
