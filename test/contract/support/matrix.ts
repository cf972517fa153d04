import { type Endpoint, needsPrincipal } from '../../../shared/http/endpoint.ts';
import { openaiSamples } from '../openai-samples.ts';
import { type Prepared, type Sample, samples } from '../samples.ts';
import { servedEndpoints, pathParameters, undocumented } from './document.ts';
import { applies, expectedOutcome, type Outcome, type Target, targets } from './oracle.ts';
import { asAbsent, toWire, withoutProof } from './request.ts';
import { type CallerName, callerNames, type Tenant, type AuthorizationFixture } from './fixture.ts';

/** Cell of the matrix: expected and actual response. */
export interface Cell {
  readonly caller: CallerName;
  readonly target: Target;
  readonly expected: Outcome;
  readonly actual: Outcome;
  /** Null: the response is as expected and as documented. */
  readonly surprise: string | null;
}

export interface Row {
  readonly endpoint: Endpoint;
  readonly cells: readonly Cell[];
}

const absentOrganization = 'org_00000000000000000000000000';

const tenantOf = (fixture: AuthorizationFixture, target: Target): Tenant =>
  target === 'foreign' ? fixture.foreign : target === 'restricted-away' ? fixture.away : fixture.own;

const organizationOf = (fixture: AuthorizationFixture, target: Target): string | null =>
  target === 'absent' ? null : tenantOf(fixture, target).organizationId;

/** Returns the code of an error, also in the formats of RFC 6749 and of the OpenAI API. */
const codeOf = (status: number, text: string): string | null => {
  if (status < 300) return null;
  const { code, error } = JSON.parse(text) as {
    readonly code?: string;
    readonly error?: string | { readonly code: string };
  };
  return code ?? (typeof error === 'object' ? error.code : error) ?? 'none';
};

const runCell = async (
  fixture: AuthorizationFixture,
  endpoint: Endpoint,
  [caller, target]: readonly [CallerName, Target],
  prepared: Prepared,
  expected: Outcome,
): Promise<Cell> => {
  const byHeader = pathParameters(endpoint).length === 0 && applies(endpoint, 'foreign');
  const targeted = organizationOf(fixture, target) ?? absentOrganization;
  const organization = byHeader ? targeted : fixture.callers[caller].selects;
  const headers = organization === null ? {} : { 'x-service-organization-id': organization };
  const request = needsPrincipal(endpoint.auth.needs) ? prepared : withoutProof(prepared);
  const answer = await fixture.send(toWire(endpoint, request, fixture.callers[caller].bearer, headers));
  const actual: Outcome = { status: answer.status, code: codeOf(answer.status, answer.text) };
  const wrong = actual.status !== expected.status || actual.code !== expected.code;
  const surprise = wrong
    ? `expected ${expected.status} ${expected.code ?? ''}, came ${answer.status} ${answer.text.slice(0, 300)}`
    : undocumented(endpoint, answer);
  return { caller, target, expected, actual, surprise };
};

const sampleOf = ({ id }: Endpoint): Sample => {
  const sample = samples[id] ?? openaiSamples[id];
  if (sample === undefined) throw new Error(`endpoint ${id} has no sample in test/contract`);
  return sample;
};

const runRow = async (fixture: AuthorizationFixture, endpoint: Endpoint): Promise<Row> => {
  const sample = sampleOf(endpoint);
  const cells: Cell[] = [];
  const unused = new Map<Tenant, Prepared>();
  for (const target of targets.filter((candidate) => applies(endpoint, candidate))) {
    const tenant = tenantOf(fixture, target);
    for (const name of callerNames) {
      const caller = fixture.callers[name];
      const kept = unused.get(tenant) ?? (await sample.prepare(tenant, caller));
      if (sample.perCaller !== true) unused.set(tenant, kept);
      const prepared: Prepared = target === 'absent' ? asAbsent(kept) : kept;
      const expected = expectedOutcome({
        endpoint,
        sample,
        caller: { ...caller, indexIds: prepared.indexIds ?? caller.indexIds },
        target,
        targetOrganization: organizationOf(fixture, target),
        bodyOrganization: tenant.organizationId,
        indexId: prepared.path?.['index_id'] ?? null,
      });
      const cell = await runCell(fixture, endpoint, [name, target], prepared, expected);
      cells.push(cell);
      if (cell.actual.status < 300 && sample.consumes === true) unused.delete(tenant);
    }
  }
  return { endpoint, cells };
};

/** Calls each endpoint with every caller on every target. `abreast` endpoints run concurrently. */
export const runMatrix = async (
  fixture: AuthorizationFixture,
  asked: readonly Endpoint[] = servedEndpoints,
  abreast = 4,
): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  const waiting = asked.values();
  const work = async (): Promise<void> => {
    for (const endpoint of waiting) rows.push(await runRow(fixture, endpoint));
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return rows.toSorted((a, b) => servedEndpoints.indexOf(a.endpoint) - servedEndpoints.indexOf(b.endpoint));
};

/** Returns a message for every unexpected response. */
export const surprisesOf = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ endpoint, cells }) =>
    cells.flatMap(({ caller, target, surprise }) =>
      surprise === null ? [] : [`${endpoint.id} × ${caller} × ${target}: ${surprise}`],
    ),
  );
