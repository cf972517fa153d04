import type { APIGatewayProxyEventV2, Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { authenticationUses, authenticator, authorize } from '../shared/credentials/index.ts';
import { type Answer, handleFallback, type Route } from '../shared/http/fallback.ts';
import type { Endpoint } from '../shared/http/endpoint.ts';
import { handleEndpoint } from '../shared/http/handle.ts';
import { idempotencyUse } from '../shared/idempotency/index.ts';
import { makeDeps, type Runtime } from '../shared/kernel/capability.ts';
import { systemClock } from '../shared/kernel/clock.ts';
import { readConfig } from '../shared/kernel/config.ts';
import { createLogger } from '../shared/kernel/log.ts';
import { handleSchedule, handleService, handleWorker } from '../shared/pipeline/handle.ts';
import type { Schedule, Service, Worker } from '../shared/pipeline/worker.ts';
import { openQueueControl } from '../shared/platform/aws/queue.ts';

const log = createLogger((line) => process.stdout.write(`${line}\n`));

/** Made at the first call, not at import, so that loading a function's module has no effect. */
const once = <Result>(make: () => Result): (() => Result) => {
  let made: { readonly value: Result } | null = null;
  return () => (made ??= { value: make() }).value;
};

const runtime = once((): Runtime => ({ config: readConfig(process.env), clock: systemClock }));

/** The Lambda handler of an endpoint. */
export const serveEndpoint = (endpoint: Endpoint) => {
  const handler = once(() =>
    handleEndpoint(endpoint, {
      runtime: runtime(),
      authenticate: authenticator(makeDeps(authenticationUses, runtime()), systemClock),
      authorize,
      idempotency: endpoint.creates === true ? makeDeps({ idempotency: idempotencyUse }, runtime()).idempotency : null,
      log,
    }),
  );
  return (event: APIGatewayProxyEventV2, context: Context) => handler()(event, context);
};

/** The Lambda handler of a worker: its queue and its dead letters. */
export const serveWorker = (worker: Worker) => {
  const handler = once(() => handleWorker(worker, { runtime: runtime(), log, queue: openQueueControl(runtime()) }));
  return (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => handler()(event, context);
};

/** The Lambda handler of a service that other functions call. */
export const serveService = (service: Service) => {
  const handler = once(() => handleService(service, { runtime: runtime(), log }));
  return (request: unknown, context: Context): Promise<unknown> => handler()(request, context);
};

/** The Lambda handler of a schedule. */
export const serveSchedule = (schedule: Schedule) => {
  const handler = once(() => handleSchedule(schedule, { runtime: runtime(), log }));
  return (_event: unknown, context: Context): Promise<void> => handler()(context);
};

/** The Lambda handler of every path and method that no endpoint has. */
export const serveFallback = (routes: readonly Route[]) => {
  const handler = once(() => handleFallback(routes, systemClock));
  return (event: APIGatewayProxyEventV2): Promise<Answer> => Promise.resolve(handler()(event));
};
