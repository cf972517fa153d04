import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalHealth, readOperatorKey } from '../../scripts/operator/local-run.ts';
import { queueName } from '../../shared/kernel/names.ts';
import { seededNormal, seededRandom } from '../data/random.ts';
import type { Service } from '../peers/service.ts';
import { type AwsCost, measureCost } from './aws-cost.ts';

type Local = Pick<Service, 'call'>;
type Waiting = Pick<Service, 'call' | 'waits'>;

const words = Array.from({ length: 2_000 }, (_, at) => `word${at.toString(36)}`);

/** Makes rows with a text, and with metadata whose number and URL are unique. They are the same in every run. */
export const rowMaker = (dimensions: number) => {
  const normal = seededNormal(46);
  const random = seededRandom(47);
  const vector = (): string => {
    const numbers = Float32Array.from({ length: dimensions }, normal);
    return Buffer.from(numbers.buffer).toString('base64');
  };
  const text = (): string =>
    Array.from({ length: 12 }, () => words[Math.floor(random() ** 2 * words.length)]).join(' ');
  const row = (at: number) => ({
    id: `row-${at}`,
    vector: vector(),
    text: text(),
    metadata: { number: at, url: `https://example.com/pages/${at}`, part: at % 10 },
  });
  return { vector, text, row };
};

/** An index to measure with. */
export interface MeasuredIndex {
  readonly id: string;
  readonly organizationId: string;
}

/** Lets the builder maintain the index now, as commits request from time to time. */
const maintain = async (service: Local, { id, organizationId }: MeasuredIndex): Promise<void> => {
  const { aws } = LocalHealth.parse(await service.call('GET', '/_local/health'));
  const credentials = readOperatorKey(aws.credentials_file);
  const client = new SQSClient({ endpoint: aws.endpoint_url, region: aws.home_region, credentials });
  await client.send(
    new SendMessageCommand({
      QueueUrl: `${aws.endpoint_url}/000000000000/${queueName(aws.deployment, 'builds')}`,
      MessageBody: JSON.stringify({ organization_id: organizationId, index_id: id, work: 'due' }),
    }),
  );
  client.destroy();
};

/** Ends the idle processes of functions, so that the next run of each is cold. */
export const coolDown = (service: Local): Promise<unknown> => service.call('POST', '/_local/end-idle');

export type SearchKind = 'dense' | 'sparse' | 'hybrid';

/** Builds a search of a kind, with a vector so that no model is called. */
export const searchOf =
  (service: Local, { id }: MeasuredIndex, make: ReturnType<typeof rowMaker>) =>
  (kind: SearchKind): (() => Promise<unknown>) => {
    const query = {
      ...(kind === 'sparse' ? {} : { vector: make.vector() }),
      ...(kind === 'dense' ? {} : { text: make.text() }),
    };
    return () => service.call('POST', `/v1/indexes/${id}/search/${kind}`, { ...query, top_k: 10 });
  };

/** Words of a page of text. */
const pageWords = 300;

/** Sends a text file of a number of pages, and waits until it is searchable. */
const sendFile =
  (service: Local, { id }: MeasuredIndex, make: ReturnType<typeof rowMaker>, pages: number): (() => Promise<void>) =>
  async () => {
    const text = Array.from({ length: (pages * pageWords) / 12 }, () => `${make.text()}.\n`).join('');
    const files = `/v1/indexes/${id}/files`;
    const upload = (await service.call('POST', files, { filename: 'pages.txt', content_type: 'text/plain' })) as {
      readonly id: string;
      readonly upload_url: string;
      readonly upload_headers: Readonly<Record<string, string>>;
    };
    const { ok, status } = await fetch(upload.upload_url, {
      method: 'PUT',
      headers: upload.upload_headers,
      body: text,
    });
    if (!ok) throw new Error(`the upload was answered with ${status}`);
    for (;;) {
      const job = (await service.call('GET', `${files}/${upload.id}`)) as {
        readonly status: string;
        readonly error: unknown;
      };
      if (job.status === 'completed') return;
      if (job.status === 'failed') throw new Error(`the file was not written: ${JSON.stringify(job.error)}`);
      await delay(20);
    }
  };

export type Operation =
  | 'fill'
  | 'batch upsert'
  | 'maintenance'
  | 'one-row upsert'
  | 'one-row upsert, cold'
  | 'batch replaced'
  | 'batch deleted'
  | `${SearchKind} search, ${'cold' | 'warm' | 'after a commit'}`;

export interface Measured {
  readonly operation: Operation;
  readonly cost: AwsCost;
}

/** Size of a measurement. */
export interface MeasuredSize {
  readonly rows: number;
  readonly dimensions: number;
  readonly batchRows: number;
  /** Searches between the cold one and the measured warm one. */
  readonly warmUps: number;
  readonly kinds: readonly SearchKind[];
}

/** Commits after maintenance whose upserts are measured. */
const commitsAfterMaintenance = 6;

/** Time for which the caller of one batch waited, and the reason if it failed. */
export interface BatchTime {
  readonly ms: number;
  /** Times at which it was asked to wait for the builder. */
  readonly waits: number;
  readonly failure: string | null;
}

const timed = async (
  { waits }: Waiting,
  act: () => Promise<unknown>,
  onBatch: (time: BatchTime) => void,
): Promise<void> => {
  const [startMs, before] = [performance.now(), waits()];
  const failure = await act().then(() => null, String);
  onBatch({ ms: performance.now() - startMs, waits: waits() - before, failure });
};

/**
 * Measures all operations of the budgets. The cost of an operation includes the maintenance that it triggers, except for an
 * upsert of one row. Batches that fill the index follow each other while maintenance runs.
 */
export const measureOperations = async (
  service: Waiting,
  index: MeasuredIndex,
  size: MeasuredSize,
  onMeasured: (measured: Measured) => void,
  onBatch: (time: BatchTime) => void,
): Promise<void> => {
  const make = rowMaker(size.dimensions);
  let next = 0;
  const upsert = (count: number): (() => Promise<unknown>) => {
    const rows = Array.from({ length: count }, (_, at) => make.row(next + at));
    next += count;
    return () => service.call('POST', `/v1/indexes/${index.id}/vectors`, rows);
  };
  const measure = async (operation: Operation, act: () => Promise<unknown>): Promise<void> => {
    onMeasured({ operation, cost: await measureCost(service, act) });
  };
  await measure('fill', async () => {
    while (next < size.rows) await timed(service, upsert(Math.min(size.batchRows, size.rows - next)), onBatch);
  });
  await maintain(service, index);
  await measure('batch upsert', upsert(size.batchRows));
  await measure('maintenance', () => maintain(service, index));
  for (let commit = 0; commit < commitsAfterMaintenance; commit += 1) await measure('one-row upsert', upsert(1));
  const search = searchOf(service, index, make);
  for (const kind of size.kinds) {
    await coolDown(service);
    await measure(`${kind} search, cold`, search(kind));
    for (let times = 0; times < size.warmUps; times += 1) await measureCost(service, search(kind));
    await measure(`${kind} search, warm`, search(kind));
    await upsert(1)();
    await measure(`${kind} search, after a commit`, search(kind));
  }
  await coolDown(service);
  await measure('one-row upsert, cold', upsert(1));
  const first = Array.from({ length: Math.min(size.batchRows, size.rows) }, (_, at) => make.row(at));
  await measure('batch replaced', () => service.call('POST', `/v1/indexes/${index.id}/vectors`, first));
  const ids = first.map(({ id }) => id);
  await measure('batch deleted', () => service.call('POST', `/v1/indexes/${index.id}/vectors/delete`, { ids }));
};

/** Measures a text file of 10 pages until it is searchable, after one that starts the functions. */
export const measureTextFile = async (service: Local, index: MeasuredIndex): Promise<AwsCost> => {
  const make = rowMaker(1);
  await sendFile(service, index, make, 1)();
  return measureCost(service, sendFile(service, index, make, 10));
};
