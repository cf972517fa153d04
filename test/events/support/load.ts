import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { openTable } from '../../../shared/db/table.ts';
import { fillSlot, indexCreated, recordEvents } from '../../../shared/events/index.ts';
import { makeDeps, type Runtime } from '../../../shared/kernel/capability.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { newId } from '../../../shared/kernel/ids.ts';
import { silentLogger } from '../../../shared/kernel/log.ts';
import { type QueueName, queueName, queues } from '../../../shared/kernel/names.ts';
import { dynamoClient } from '../../../shared/platform/aws/dynamo-client.ts';
import { sqsClient } from '../../../shared/platform/aws/sqs-client.ts';
import { Cloud, listening } from '../../support/emulated-cloud.ts';
import { openTestTables } from '../../support/tables.ts';
import { createEndpointFor } from './endpoints.ts';
import type { WorkerReport } from './load-worker.ts';

/** Number and rate of events. */
export interface Load {
  readonly events: number;
  /** Number of endpoints, at least 8. Eight of them fail, each in another way. */
  readonly endpoints: number;
  readonly eventsPerSecond: number;
  /** Maximum time after the last event until all deliveries have arrived. */
  readonly patienceSeconds: number;
}

export interface LoadResult {
  /** Missing deliveries to healthy endpoints. */
  readonly missing: number;
  /** Peak memory of the workers in the last third of the run. */
  readonly residentMb: number;
  /** Number of requests by kind of endpoint. */
  readonly requests: Readonly<Record<Kind, number>>;
  /** Connections to the target of the redirect. */
  readonly redirected: number;
}

const kinds = ['healthy', 'hangs', 'drips', 'refuses', 'fails', 'gone', 'redirects', 'huge'] as const;
type Kind = (typeof kinds)[number];

const illKinds: readonly Kind[] = ['hangs', 'hangs', 'drips', 'refuses', 'fails', 'gone', 'redirects', 'huge'];

const endpointKinds = ({ endpoints }: Load): readonly Kind[] => [
  ...Array.from({ length: endpoints - illKinds.length }, () => 'healthy' as const),
  ...illKinds,
];

const chunk = Buffer.alloc(64 * 1024, 'x');
const hugeBytes = 2 * 2 ** 30;

/** Writes 2 GB as fast as they are read. */
const writeHuge = (response: ServerResponse): void => {
  let left = hugeBytes;
  response.writeHead(200, { 'content-length': hugeBytes });
  const write = (): void => {
    while (left > 0 && !response.closed) {
      left -= chunk.length;
      if (!response.write(chunk)) return;
    }
  };
  response.on('drain', write);
  write();
};

const drip = (response: ServerResponse): void => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 1_000);
  response.on('close', () => {
    clearInterval(timer);
  });
};

const answers: Readonly<Record<Exclude<Kind, 'refuses' | 'redirects'>, (response: ServerResponse) => void>> = {
  healthy: (response) => response.writeHead(204).end(),
  hangs: () => undefined,
  drips: drip,
  fails: (response) => response.writeHead(500).end('no'),
  gone: (response) => response.writeHead(410).end(),
  huge: writeHuge,
};

/** Received deliveries by endpoint. */
class Tally {
  sent = 0;
  readonly came = new Set<string>();
  readonly requests = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  redirected = 0;

  count(endpoint: number, kind: Kind, hookId: string): void {
    this.requests[kind] += 1;
    if (kind === 'healthy') this.came.add(`${endpoint} ${hookId}`);
  }

  /** @param healthy Number of healthy endpoints. */
  missing(healthy: number): number {
    return healthy * this.sent - this.came.size;
  }
}

const startReceiver = async (tally: Tally, at: number, kind: Kind, elsewhere: string): Promise<Server> => {
  const server = createServer((request, response) => {
    response.on('error', () => undefined);
    request.resume().on('end', () => {
      tally.count(at, kind, String(request.headers['hook-id']));
      if (kind === 'redirects') response.writeHead(307, { location: elsewhere }).end();
      else if (kind !== 'refuses') answers[kind](response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
};

const urlOf = (server: Server): string => {
  const address = server.address();
  return typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}/hook` : '';
};

const close = (server: Server): void => {
  server.closeAllConnections();
  server.close();
};

/** Tables and queues of the local service, without fault injection. */
const startCloud = async (region: string) => {
  const tables = await openTestTables();
  const database = createServer(tables.listener);
  const sqs: FauxqsServer = await startFauxqs({ port: 0, logger: false });
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: await listening(database),
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${sqs.port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
  });
  for (const name of Object.keys(queues) as QueueName[]) {
    const attributes = { VisibilityTimeout: '270', ...(queues[name].fifo ? { FifoQueue: 'true' } : {}) };
    sqs.createQueue(queueName('test', name), { region, attributes });
  }
  return async () => {
    dynamoClient(region).handler.destroy();
    sqsClient(region).destroy();
    await sqs.stop();
    database.closeAllConnections();
    database.close();
    await tables.close();
  };
};

const send = async (runtime: Runtime, organizationId: string, tally: Tally): Promise<void> => {
  const at = systemClock.now();
  const index = { id: newId('idx', at), name: 'docs', region: runtime.config.region, dimensions: 8 };
  const event = indexCreated({ organizationId, at, index });
  tally.sent += 1;
  const key = { pk: `ORG#${organizationId}`, sk: index.id };
  const item = await openTable(runtime, 'indexes').update(key, { set: fillSlot('created', event) });
  if (item === null) throw new Error('the event was not stored');
  await makeDeps({ recorder: recordEvents('indexes') }, runtime).recorder.flush(organizationId, item);
};

const sendAll = async (runtime: Runtime, organizationId: string, tally: Tally, load: Load): Promise<void> => {
  const begunMs = Date.now();
  const sending: Promise<void>[] = [];
  for (let nth = 0; nth < load.events; nth += 1) {
    await pause(Math.max(0, begunMs + (nth * 1_000) / load.eventsPerSecond - Date.now()));
    sending.push(send(runtime, organizationId, tally));
  }
  await Promise.all(sending);
  const healthy = load.endpoints - illKinds.length;
  for (let second = 0; second < load.patienceSeconds && tally.missing(healthy) > 0; second += 1) await pause(1_000);
};

/** Resolves after the workers have started. */
const startWorker = async (runtime: Runtime, reports: WorkerReport[]): Promise<ChildProcess> => {
  const child = fork(join(import.meta.dirname, 'load-worker.ts'), {
    env: { ...process.env, LOAD_CONFIG: JSON.stringify(runtime.config) },
  });
  child.on('message', (report) => reports.push(report as WorkerReport));
  await once(child, 'message');
  return child;
};

/** Sends events through the real workers, in a process of their own. Eight of the endpoints fail. */
export const runLoad = async (load: Load): Promise<LoadResult> => {
  const runtime: Runtime = { config: new Cloud().runtime.config, clock: systemClock, log: silentLogger };
  const stopCloud = await startCloud(runtime.config.region);
  const tally = new Tally();
  const elsewhere = createServer((_, response) => response.end()).on('connection', () => {
    tally.redirected += 1;
  });
  elsewhere.listen(0, '127.0.0.1');
  const organizationId = newId('org', systemClock.now());
  const servers = [elsewhere];
  for (const [at, kind] of endpointKinds(load).entries()) {
    const server = await startReceiver(tally, at, kind, urlOf(elsewhere));
    await createEndpointFor(runtime, organizationId, { url: urlOf(server), event_types: ['index.created'] });
    if (kind === 'refuses') close(server);
    else servers.push(server);
  }
  const reports: WorkerReport[] = [];
  const worker = await startWorker(runtime, reports);
  try {
    await sendAll(runtime, organizationId, tally, load);
    const { requests, redirected } = tally;
    const last = reports.slice(-Math.ceil(reports.length / 3));
    const residentMb = Math.max(0, ...last.map((report) => report.residentMb));
    return { missing: tally.missing(load.endpoints - illKinds.length), residentMb, requests, redirected };
  } finally {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
    for (const server of servers) close(server);
    await stopCloud();
  }
};
