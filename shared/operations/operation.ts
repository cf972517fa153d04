import type * as z from 'zod';
import { auditLogOf, auditUsesOf } from '../audit/index.ts';
import { authorizationUses, authorizer } from '../credentials/index.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Principal } from '../http/principal.ts';
import { openRequestEnd } from '../http/request-end.ts';
import { checkBody, type Path, runEndpoint, validBody } from '../http/run-endpoint.ts';
import { idempotencyUse } from '../idempotency/index.ts';
import { bindDeps, capability, type Capability, makeDeps, neededBy, type Uses } from '../kernel/capability.ts';
import type { Clock } from '../kernel/clock.ts';

/** Authenticated request within which operations run. */
export interface Session {
  readonly caller: Principal;
  readonly clock: Clock;
  readonly requestId: string;
  /** Address of the client; null if it is unknown. */
  readonly sourceIp: string | null;
  readonly userAgent: string | null;
}

/** Returns the session of a call. */
export const sessionOf = ({ caller, clock, requestId, sourceIp, userAgent }: Session): Session => ({
  caller,
  clock,
  requestId,
  sourceIp,
  userAgent,
});

interface Arguments {
  readonly path?: Path;
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

const storeUses = ({ idempotent }: Endpoint): { readonly store?: typeof idempotencyUse } =>
  idempotent === true ? { store: idempotencyUse } : {};

/** Returns everything that an endpoint uses when another one calls it. */
const usesOf = (endpoint: Endpoint): Uses => ({
  ...endpoint.uses,
  ...authorizationUses,
  ...storeUses(endpoint),
  ...auditUsesOf(endpoint),
});

/**
 * Makes an endpoint callable within another one: authorization, plan feature, validation, quota and usage are those of the
 * endpoint itself.
 */
export const operation = <Schema extends z.ZodType>(
  endpoint: Endpoint,
  response: Schema,
): Capability<Operation<z.output<Schema>>> =>
  capability(neededBy(usesOf(endpoint)), (runtime) => {
    const deps = makeDeps(endpoint.uses, runtime);
    const authorize = authorizer(makeDeps(authorizationUses, runtime));
    const { store: idempotency = null } = makeDeps(storeUses(endpoint), runtime);
    const audit = auditLogOf(endpoint, runtime);
    return async ({ caller, ...session }, { path = {}, query = {}, body: sent, idempotencyKey }) => {
      await authorize(endpoint, caller, path);
      const { organizationId } = caller;
      const { clock, requestId, sourceIp, userAgent } = session;
      const { onEnd, run } = openRequestEnd(runtime.log, requestId);
      const body = checkBody(endpoint, sent);
      try {
        const bound = bindDeps(endpoint.uses, deps, caller.bounds);
        const prefetch = { organizationId, path, body: Promise.resolve(validBody(body)), deps: bound, onEnd };
        const result = await runEndpoint(
          endpoint,
          { deps, clock, idempotency, audit },
          {
            caller,
            path,
            query,
            body,
            prefetched: endpoint.prefetch?.(prefetch),
            headers: { 'user-agent': userAgent ?? undefined, 'idempotency-key': idempotencyKey },
            origin: '',
            bearer: null,
            content: [path, query, sent],
            requestId,
            sourceIp,
            onEnd,
          },
        );
        await run(true);
        const answer: unknown = result.body === '' ? undefined : JSON.parse(result.body);
        return { body: response.parse(answer), next: result.headers['x-next-cursor'] ?? null };
      } catch (error) {
        await run(false);
        throw error;
      }
    };
  });
