import fc from 'fast-check';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { samples, type Prepared } from '../contract/samples.ts';
import { allEndpoints, undocumented } from '../contract/support/document.ts';
import { toWire } from '../contract/support/request.ts';
import type { ContractService, WireRequest } from '../contract/support/service.ts';
import { type Caller, newUnlimitedTenant, type Tenant } from '../contract/support/fixture.ts';
import { type Generated, requestsTo } from './generate.ts';

/** Concurrent requests: enough to keep the service busy, too few to fill its queues. */
const abreast = 8;
const mostPreparations = 12;
const mostFailures = 5;

export interface FuzzOptions {
  readonly seed: number;
  readonly requestsPerEndpoint: number;
  /** Id of the only endpoint to test; null for all. */
  readonly only?: string | null;
}

/** Results of the requests to one endpoint. */
export interface FuzzResult {
  readonly endpoint: Endpoint;
  readonly requests: number;
  readonly seconds: number;
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses that the API description does not allow, with their requests. */
  readonly failures: readonly string[];
}

const ownerOf = (tenant: Tenant): Caller => ({
  kind: 'session',
  bearer: tenant.owner.bearer,
  organizationId: tenant.organizationId,
  permissions: ['read', 'write'],
  indexIds: null,
  role: 'owner',
  email: tenant.owner.email,
  selects: null,
});

const applied = (endpoint: Endpoint, prepared: Prepared, generated: Generated, tenant: Tenant): WireRequest => {
  const path = Object.fromEntries(
    Object.entries(prepared.path ?? {}).map(([name, id]) => [name, generated.path[name]?.toWellFormed() ?? id]),
  );
  const query = new URLSearchParams(generated.query).toString();
  const { query: _, contentType = 'application/json', ...rest } = prepared;
  const request: Prepared = {
    ...rest,
    path,
    contentType: generated.contentType ?? contentType,
    ...(query === '' ? {} : { query }),
    ...(generated.body === null ? {} : { body: generated.body }),
  };
  const bearer = generated.bearer ?? tenant.owner.bearer;
  return toWire(endpoint, request, bearer, generated.headers);
};

const problemOf = (
  endpoint: Endpoint,
  answer: { readonly status: number; readonly text: string },
  found: string | null,
) => (answer.status >= 500 ? `${endpoint.id} answered ${answer.status} ${answer.text.slice(0, 300)}` : found);

const fuzzEndpoint = async (
  service: ContractService,
  endpoint: Endpoint,
  [tenant, other]: readonly [Tenant, Tenant],
  { seed, requestsPerEndpoint }: FuzzOptions,
): Promise<FuzzResult> => {
  const sample = samples[endpoint.id];
  if (sample === undefined) throw new Error(`endpoint ${endpoint.id} has no sample in test/contract/samples.ts`);
  const startedMs = performance.now();
  const statuses: Record<string, number> = {};
  const failures: string[] = [];
  const organizations = [tenant.organizationId, other.organizationId];
  const waiting = fc.sample(requestsTo(endpoint, organizations), { seed, numRuns: requestsPerEndpoint }).values();
  let prepared = sample.prepare(tenant, ownerOf(tenant));
  let preparations = 1;
  const work = async (): Promise<void> => {
    for (const generated of waiting) {
      const request = applied(endpoint, await prepared, generated, tenant);
      const answer = await service.inProcess(request);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const problem = problemOf(endpoint, answer, undocumented(endpoint, answer));
      if (problem !== null && failures.length < mostFailures)
        failures.push(`${problem}\n  to ${JSON.stringify(request).slice(0, 2_000)}`);
      if (sample.consumes === true && answer.status < 300 && preparations < mostPreparations) {
        preparations += 1;
        prepared = sample.prepare(tenant, ownerOf(tenant));
      }
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return {
    endpoint,
    requests: requestsPerEndpoint,
    seconds: (performance.now() - startedMs) / 1000,
    statuses,
    failures,
  };
};

/** Sends generated requests to every endpoint, each in an organization of its own, and checks every response. */
export const runFuzz = async (
  service: ContractService,
  options: FuzzOptions,
  onResult: (result: FuzzResult) => void,
): Promise<readonly FuzzResult[]> => {
  const chosen = allEndpoints.filter(({ id }) => options.only == null || id === options.only);
  const other = await newUnlimitedTenant(service, service.inProcess);
  const results: FuzzResult[] = [];
  for (const endpoint of chosen) {
    // A fresh organization for each endpoint, so that limits which one endpoint reaches do not affect the next.
    const tenant = await newUnlimitedTenant(service, service.inProcess);
    const result = await fuzzEndpoint(service, endpoint, [tenant, other], options);
    results.push(result);
    onResult(result);
  }
  return results;
};
