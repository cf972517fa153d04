import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import type { Principal } from '../../shared/http/principal.ts';
import type { Cloud } from './emulated-cloud.ts';
import { answerOf } from './call.ts';
import { everyPoint } from './every-point.ts';

type Path = Readonly<Record<string, string>>;

/** A request that creates a resource, and the expected state after it. */
interface IdempotencyContext {
  readonly cloud: Cloud;
  readonly endpoint: Endpoint;
  readonly body: unknown;
  /** Number of concurrent requests after the one that crashed. */
  readonly repeats: number;
  /** Crashes at every n-th request. */
  readonly step: number;
  readonly newCaller: () => Principal;
  /** Path parameters of what stands before the request. */
  readonly arrange: (caller: Principal) => Promise<Path>;
  readonly check: (caller: Principal, path: Path, answer: string) => Promise<void>;
}

/** Crashes a request with a key at one point after the other and repeats it. Resolves to the number of points. */
export const assertIdempotentCreation = (idempotency: IdempotencyContext): Promise<number> => {
  const { cloud, endpoint, body, repeats, newCaller, arrange, check } = idempotency;
  return everyPoint({ step: idempotency.step, lostFrom: 2 }, async (fault) => {
    const caller = newCaller();
    const path = await arrange(caller);
    const idempotencyKey = randomUUID();
    const post = () => answerOf(cloud.runtime, endpoint, caller, { path, body, idempotencyKey });
    cloud.faults.arm(fault);
    const first = await post();
    const reached = cloud.faults.count >= fault.request;
    cloud.faults.arm(null);
    assert.ok([endpoint.status, 503].includes(first.statusCode), first.body);
    const answers = await Promise.all(Array.from({ length: repeats }, post));
    assert.deepEqual(new Set(answers.map(({ statusCode }) => statusCode)), new Set([endpoint.status]));
    const [answer = '', ...others] = new Set(answers.map((repeated) => repeated.body));
    assert.deepEqual(others, []);
    if (first.statusCode !== 503) assert.equal(first.body, answer);
    await check(caller, path, answer);
    return reached;
  });
};
