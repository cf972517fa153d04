import type * as z from 'zod';
import { authorizationUses, authorizer } from '../credentials/index.ts';
import type { Endpoint, EndpointResponse } from '../http/endpoint.ts';
import { isEndpointResponse } from '../http/handle.ts';
import {
  freshIdempotencyContext,
  type IdempotencyContext,
  type IdempotencyStore,
  withIdempotency,
} from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { jsonResponse } from '../http/response.ts';
import { validate } from '../http/validate.ts';
import { idempotencyUse } from '../idempotency/index.ts';
import { capability, type Capability, makeDeps, neededBy } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';
import { ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import type { Logger } from '../kernel/log.ts';

/** Authenticated request within which operations run. */
export interface Session {
  readonly caller: Principal;
  readonly clock: Clock;
  readonly requestId: string;
}

interface Arguments {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Key of a call of an `idempotent` endpoint. A repeat returns the response of the first call. */
  readonly idempotencyKey?: string | undefined;
}

/** Result of an operation. */
interface OperationResult<Body> {
  readonly body: Body;
  /** Cursor of the next page; null if there is none. */
  readonly next: string | null;
}

/** Runs an endpoint for a caller who is authenticated and rate limited already. Throws what the endpoint throws. */
export type Operation<Body> = (session: Session, sent: Arguments) => Promise<OperationResult<Body>>;

const rollBack = async (rollbacks: readonly (() => Promise<void>)[], log: Logger, requestId: string): Promise<void> => {
  for (const rollback of rollbacks) {
    await rollback().catch((error: unknown) => {
      log.error('request.rollback.failed', { request_id: requestId, error });
    });
  }
};

const storeUses = ({ idempotent }: Endpoint): { readonly store?: typeof idempotencyUse } =>
  idempotent === true ? { store: idempotencyUse } : {};

/** Runs a handler once for each key of an organization, or in any case without a key. Returns the body of the response. */
const runOnce = async (
  {
    endpoint,
    session,
    store,
    key,
  }: {
    readonly endpoint: Endpoint;
    readonly session: Session;
    readonly store: IdempotencyStore | undefined;
    readonly key: string | undefined;
  },
  sent: readonly unknown[],
  run: (idempotency: IdempotencyContext) => Promise<unknown>,
): Promise<unknown> => {
  const { caller, clock, requestId } = session;
  if (store === undefined || key === undefined) return run(freshIdempotencyContext(clock));
  const request = JSON.stringify([endpoint.method, ...sent]);
  const { body } = await withIdempotency(
    store,
    { caller, endpointId: endpoint.id, key, request },
    async (idempotency) => jsonResponse(endpoint.status, await run(idempotency), requestId),
    requestId,
  );
  return JSON.parse(body);
};

/**
 * Makes an endpoint callable within another one: authorization, plan feature, validation, quota and usage are those of the
 * endpoint itself.
 */
export const operation = <Schema extends z.ZodType>(
  endpoint: Endpoint,
  response: Schema,
): Capability<Operation<z.output<Schema>>> =>
  capability(neededBy({ ...endpoint.uses, ...authorizationUses, ...storeUses(endpoint) }), (runtime) => {
    const deps = makeDeps(endpoint.uses, runtime);
    const authorize = authorizer(makeDeps(authorizationUses, runtime));
    const { store } = makeDeps(storeUses(endpoint), runtime);
    return async (session, { path = {}, query: sentQuery = {}, body: sent, idempotencyKey: key }) => {
      const { caller, clock, requestId } = session;
      await authorize(endpoint, caller, path);
      const problems: ValidationProblem[] = [];
      const body = validate('body', endpoint.body, sent, problems);
      const query = validate('query', endpoint.query, sentQuery, problems);
      if (problems.length > 0) throw new ValidationFailure(problems);
      const rollbacks: (() => Promise<void>)[] = [];
      const onRollback = (rollback: () => Promise<void>): void => void rollbacks.push(rollback);
      try {
        const { organizationId } = caller;
        const prefetched = endpoint.prefetch?.({ organizationId, path, body: Promise.resolve(body), deps, onRollback });
        const call = { path, body, query, caller, deps, prefetched, clock, requestId };
        let result: EndpointResponse<unknown> | undefined;
        const answer = await runOnce({ endpoint, session, store, key }, [path, query, body], async (idempotency) => {
          const found = (await endpoint.problems?.({ ...call, sent })) ?? [];
          if (found.length > 0) throw new ValidationFailure(found);
          const value = await endpoint.handle({ ...call, idempotency });
          result = isEndpointResponse(value) ? value : { body: value };
          return response.parse(result.body);
        });
        await result?.commit?.();
        return { body: response.parse(answer), next: result?.headers?.['x-next-cursor'] ?? null };
      } catch (error) {
        await rollBack(rollbacks, runtime.log, requestId);
        throw error;
      }
    };
  });
