import type { APIGatewayProxyEventV2, Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { aliasResolver, aliasUses } from '../shared/aliases/index.ts';
import { auditLogOf } from '../shared/audit/index.ts';
import { authenticationUsesOf, authenticator, authorizationUses, authorizer } from '../shared/credentials/index.ts';
import type { HttpResult } from '../shared/http/response.ts';
import { handleFallback, type Route } from '../shared/http/fallback.ts';
import type { Endpoint } from '../shared/http/endpoint.ts';
import { handleEndpoint } from '../shared/http/handle.ts';
import { idempotencyUse } from '../shared/idempotency/index.ts';
import { makeDeps, type Runtime } from '../shared/kernel/capability.ts';
import { systemClock } from '../shared/kernel/clock.ts';
import { readConfig } from '../shared/kernel/config.ts';
import { letHeapGrow } from '../shared/kernel/heap-growth.ts';
import { lazy } from '../shared/kernel/memoize.ts';
import { handleSchedule, handleService, handleWorker } from '../shared/pipeline/handle.ts';
import type { Schedule, Service, Worker } from '../shared/pipeline/worker.ts';
import { openQueueControl } from '../shared/platform/aws/queue.ts';
import { clearScratch } from '#engine';
import { openTelemetry, type Telemetry } from '../shared/platform/telemetry/open.ts';

/** Heap growth that V8 allows by default under load. */
const heapGrowthPercent = 100;

interface Host {
  readonly runtime: Runtime;
  readonly telemetry: Telemetry;
}

const openHost = (id: string): Host => {
  letHeapGrow(heapGrowthPercent);
  const config = readConfig(process.env);
  const telemetry = openTelemetry(id, config.deployment);
  return { telemetry, runtime: { config, clock: systemClock, log: telemetry.log } };
};

/** Returns a handler that is created at its first call, so loading the module has no side effect. Its logs name the invocation. */
const served = <Event, Result>(
  id: string,
  make: (host: Host) => (event: Event, context: Context) => Promise<Result>,
) => {
  const ready = lazy(() => {
    const host = openHost(id);
    return { host, handle: make(host) };
  });
  return (event: Event, context: Context): Promise<Result> => {
    const { host, handle } = ready();
    host.telemetry.begin(context);
    return handle(event, context);
  };
};

/** Returns the Lambda handler of an endpoint. */
export const serveEndpoint = (endpoint: Endpoint) =>
  served(endpoint.id, ({ runtime, telemetry }) => {
    const handle = handleEndpoint(endpoint, {
      runtime,
      authenticate: authenticator(makeDeps(authenticationUsesOf(endpoint), runtime), runtime.clock),
      authorize: authorizer(makeDeps(authorizationUses, runtime)),
      resolvePath: aliasResolver(makeDeps(aliasUses, runtime)),
      audit: auditLogOf(endpoint, runtime),
      idempotency: endpoint.idempotent === true ? makeDeps({ idempotency: idempotencyUse }, runtime).idempotency : null,
    });
    return async (event: APIGatewayProxyEventV2, context: Context) => {
      const startedMs = runtime.clock.now().getTime();
      const result = await handle(event, context);
      telemetry.count({ status: result.statusCode, durationMs: runtime.clock.now().getTime() - startedMs });
      return result;
    };
  });

/** Returns the Lambda handler of a worker. */
export const serveWorker = (worker: Worker) =>
  served<SQSEvent, SQSBatchResponse>(worker.id, ({ runtime }) => {
    const handle = handleWorker(worker, { runtime, queue: openQueueControl(runtime) });
    return async (event, context) => {
      if (worker.assets?.includes('engine') === true) await clearScratch();
      return handle(event, context);
    };
  });

/** Returns the Lambda handler of a service. */
export const serveService = (service: Service) =>
  served<unknown, unknown>(service.id, ({ runtime }) => handleService(service, { runtime }));

/** Returns the Lambda handler of a schedule. */
export const serveSchedule = (schedule: Schedule) =>
  served<unknown, void>(schedule.id, ({ runtime }) => {
    const handle = handleSchedule(schedule, { runtime });
    return (_event, context) => handle(context);
  });

/** Returns the Lambda handler of requests that match no endpoint. */
export const serveFallback = (routes: readonly Route[]) => {
  const handler = lazy(() => handleFallback(routes, systemClock));
  return (event: APIGatewayProxyEventV2): Promise<HttpResult> => Promise.resolve(handler()(event));
};
