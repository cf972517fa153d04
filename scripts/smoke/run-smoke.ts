import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, StrataError, type StrataClient } from '#client';
import { smokeReceiverRoute } from '../../shared/webhooks/index.ts';
import { openSession, type Session } from './open-session.ts';
import type { SmokeOptions } from './options.ts';
import { Skip, type Steps, openSteps } from './steps.ts';

/** At least one step failed. */
export class SmokeFailure extends Error {}

const dimensions = 384;
const deliveryPatienceMs = 180_000;
const filePatienceSeconds = 600;
const pollMs = 500;

/** A sentence that no other document contains. */
const sentenceOf = (mark: string): string =>
  `The lighthouse of ${mark} was repaired by three carpenters before the winter storms.`;

const removing = async (removal: () => Promise<unknown>): Promise<void> => {
  try {
    await removal();
  } catch (error) {
    if (!(error instanceof StrataError && error.status === 404)) throw error;
  }
};

/** Waits until a delivery of an event has arrived. */
const awaitDelivery = async (client: StrataClient, endpointId: string): Promise<string> => {
  const deadline = performance.now() + deliveryPatienceMs;
  for (;;) {
    const deliveries = await client.get('/v1/organization/webhooks/endpoints/{endpoint_id}/deliveries', {
      params: { path: { endpoint_id: endpointId } },
    });
    const arrived = deliveries.find(({ status }) => status === 'delivered');
    if (arrived !== undefined) return `${arrived.event_type}, signature accepted (${arrived.event_id})`;
    if (performance.now() > deadline) {
      const attempt = deliveries[0]?.attempts.at(-1);
      const outcome = attempt?.error ?? attempt?.status_code ?? 'none was made';
      throw new Error(`no delivery arrived in ${deliveryPatienceMs / 1000} s; last attempt: ${outcome}`);
    }
    await pause(pollMs);
  }
};

const isLocalRefusal = (error: unknown, url: string): boolean =>
  error instanceof StrataError && error.status === 422 && url.startsWith('http://');

const addReceiver = async (client: StrataClient, url: string, organizationId: string): Promise<string> => {
  const receiver = url + smokeReceiverRoute.path.replace('{organization_id}', organizationId);
  try {
    const { id } = await client.post('/v1/organization/webhooks/endpoints', {
      body: { url: receiver, event_types: ['index.created'], description: 'Smoke test' },
    });
    return id;
  } catch (error) {
    if (isLocalRefusal(error, url)) throw new Skip('start the service with --allow-local-webhooks to check this');
    throw error;
  }
};

const search = async (
  client: StrataClient,
  index: string,
  mode: 'dense' | 'sparse' | 'hybrid',
  text: string,
): Promise<string> => {
  const { results, took_ms: tookMs } = await client.post(`/v1/indexes/{index_id}/search/${mode}`, {
    params: { path: { index_id: index } },
    body: { text, top_k: 1, include: ['text'] },
  });
  const [hit] = results;
  if (hit?.text?.includes(text) !== true) throw new Error('the search does not find the sentence that was uploaded');
  return `found in ${tookMs} ms`;
};

const uploadFile = async (client: StrataClient, index: string, text: string): Promise<string> => {
  const { id } = await client.uploadFile(index, {
    filename: 'smoke-test.txt',
    contentType: 'text/plain',
    content: Buffer.from(text),
  });
  return id;
};

const awaitFile = async (client: StrataClient, index: string, job: string): Promise<string> => {
  const ended = await client.waitForFile(index, job, { timeoutSeconds: filePatienceSeconds });
  if (ended.status !== 'completed' || ended.vectors_written === 0)
    throw new Error(`${job} ended as ${ended.status}: ${ended.error ?? 'no reason was given'}`);
  return `${job}, vectors written: ${ended.vectors_written}`;
};

const checkParts = async (steps: Steps, url: string, session: Session): Promise<void> => {
  const client = createClient({ baseUrl: url, token: session.token, organizationId: session.organizationId });
  const mark = randomUUID();
  const text = sentenceOf(mark);
  const removeIndex = (id: string) =>
    removing(() => client.delete('/v1/indexes/{index_id}', { params: { path: { index_id: id } } }));
  const receiver = await steps.optional('receiver', async () => {
    const id = await addReceiver(client, url, session.organizationId);
    steps.onCleanUp(() =>
      removing(() =>
        client.delete('/v1/organization/webhooks/endpoints/{endpoint_id}', { params: { path: { endpoint_id: id } } }),
      ),
    );
    return { value: id, note: id };
  });
  const index = await steps.required('index', async () => {
    const { id } = await client.post('/v1/indexes', { body: { name: `smoke test ${mark}`, dimensions } });
    steps.onCleanUp(() => removeIndex(id));
    return { value: id, note: id };
  });
  const job = await steps.required('upload', async () => {
    const id = await uploadFile(client, index, text);
    return { value: id, note: `${Buffer.byteLength(text)} bytes` };
  });
  await steps.required('file', async () => ({ value: null, note: await awaitFile(client, index, job) }));
  for (const mode of ['dense', 'sparse', 'hybrid'] as const)
    await steps.optional(`${mode} search`, async () => ({
      value: null,
      note: await search(client, index, mode, text),
    }));
  await steps.optional('branch', async () => {
    const { id } = await client.post('/v1/indexes/{index_id}/branches', {
      params: { path: { index_id: index } },
      body: { name: `smoke test ${mark} branch` },
    });
    steps.onCleanUp(() => removeIndex(id));
    return { value: null, note: `${id}, ${await search(client, id, 'sparse', text)}` };
  });
  if (receiver !== null)
    await steps.optional('event', async () => ({ value: null, note: await awaitDelivery(client, receiver) }));
};

/** Rejects when the operator ends the run. */
const interruption = (): Promise<never> =>
  new Promise((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`the smoke test was ended by ${signal}`)));
  });

/**
 * Runs the steps, prints one line for each as it ends, and removes what they created, also after a failure or an
 * interruption. Throws SmokeFailure if one failed.
 */
export const runSmoke = async (options: SmokeOptions, write: (line: string) => void): Promise<void> => {
  const steps = openSteps(write);
  const { url } = options;
  const check = async (): Promise<void> => {
    const session = await steps.required('sign-in', async () => {
      const opened = await openSession(options);
      const client = createClient({ baseUrl: url, token: opened.token });
      if (opened.isOwn) steps.onCleanUp(() => removing(() => client.delete('/v1/auth/session')));
      return { value: opened, note: opened.organizationId };
    });
    await checkParts(steps, url, session);
  };
  try {
    await Promise.race([check(), interruption()]);
  } catch (error) {
    if (!steps.hasFailed()) throw error;
  } finally {
    await steps.cleanUp();
  }
  if (steps.hasFailed()) throw new SmokeFailure();
};
