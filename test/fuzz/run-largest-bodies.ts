import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { maxBodyBytes } from '../../shared/http/body.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { openaiSamples } from '../contract/openai-samples.ts';
import { type Prepared, samples } from '../contract/samples.ts';
import { servedEndpoints } from '../contract/support/document.ts';
import { toWire } from '../contract/support/request.ts';
import { type ContractService, openContractService } from '../contract/support/service.ts';
import { type Caller, newUnlimitedTenant, type Tenant } from '../contract/support/fixture.ts';
import { formBoundary, largestBodies, type LargestBody, largestForms } from './largest-bodies.ts';
import { commandLine } from '../../scripts/support/read-command-line.ts';

const { values } = commandLine({ options: { endpoint: { type: 'string' } } });

/** Limits of one body. A machine under load has more wall time, so the processor time counts. */
const maxCpuMs = 1_000;
/** Memory that a process takes more than before. Functions share processes, so what it has is that of several. */
const maxMegabytes = 200;
/** The same of a function with 1 GB or more, where V8 collects garbage later. Searches load the engine, too. */
const maxMegabytesOfLarge = 300;

const sampleMs = 50;
const megabyte = 1_000_000;
/** Largest form, which is base64 in the event of a function. */
const formBytes = 4 * 1024 * 1024;
/** Milliseconds of a tick of `/proc`. Source: `getconf CLK_TCK` is 100 on Linux. */
const tickMs = 10;

interface Health {
  readonly processes: readonly { readonly pid: number; readonly function: string; readonly resident_bytes: number }[];
}

const ownerOf = ({ owner, organizationId }: Tenant): Caller => ({
  kind: 'session',
  bearer: owner.bearer,
  organizationId,
  permissions: ['read', 'write'],
  indexIds: null,
  role: 'owner',
  email: owner.email,
  selects: null,
});

/** Returns the processor time of a process; 0 if it has ended. */
const cpuMsOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return 0;
  }
};

interface Use {
  readonly mb: number;
  readonly cpuMs: number;
}

/** Returns the memory of the largest process of a function, and the processor time of all. */
const useOf = async ({ baseUrl }: ContractService, id: string): Promise<Use> => {
  const { processes } = (await (await fetch(`${baseUrl}/_local/health`)).json()) as Health;
  const own = processes.filter((found) => found.function === id);
  return {
    mb: Math.max(0, ...own.map(({ resident_bytes: bytes }) => bytes / megabyte)),
    cpuMs: own.reduce((sum, { pid }) => sum + cpuMsOf(pid), 0),
  };
};

/** Watches the memory of a function; `stop` returns its peak. */
const watchMemory = (service: ContractService, id: string) => {
  let peak = 0;
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      peak = Math.max(peak, (await useOf(service, id)).mb);
      await pause(sampleMs);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      return peak;
    },
  };
};

const bodiesOf = (endpoint: Endpoint, sound: unknown): Iterable<LargestBody> =>
  endpoint.consumes === 'multipart/form-data'
    ? largestForms(formBytes)
    : // Just below the maximum size of a body.
      largestBodies(endpoint, sound, (endpoint.maxBodyBytes ?? maxBodyBytes) - 1_024);

/** Function that serves an endpoint. */
const functionOf = ({ id, path }: Endpoint): string => (path.startsWith('/v1/openai/') ? 'openai-api' : id);

/** Sends all largest bodies to an endpoint. Returns its violations of the limits; null if it has no such body. */
const violations = async (
  service: ContractService,
  place: Tenant,
  endpoint: Endpoint,
  prepared: Prepared,
): Promise<readonly string[] | null> => {
  const isForm = endpoint.consumes === 'multipart/form-data';
  const contentType = isForm ? `multipart/form-data; boundary=${formBoundary}` : 'application/json';
  const post = async (body: string): Promise<number> => {
    const headers = { 'x-service-organization-id': place.organizationId };
    const request = toWire(endpoint, { ...prepared, contentType, body }, place.owner.bearer, headers);
    for (;;) {
      const { status } = await service.overHttp(request);
      // A rate limit error does not depend on the body.
      if (status !== 429) return status;
      await pause(1_000);
    }
  };
  const id = functionOf(endpoint);
  await post('{}');
  const idle = await useOf(service, id);
  const watch = watchMemory(service, id);
  const problems: string[] = [];
  let [count, most, mostName] = [0, 0, ''];
  for (const { name, text } of bodiesOf(endpoint, prepared.body)) {
    const before = await useOf(service, id);
    const status = await post(text);
    const ms = (await useOf(service, id)).cpuMs - before.cpuMs;
    count += 1;
    if (ms > most) [most, mostName] = [ms, name];
    if (status >= 500) problems.push(`${status} for ${name}`);
    if (ms > maxCpuMs) problems.push(`${ms} ms of processor time for ${name}`);
  }
  const peak = await watch.stop();
  if (peak - idle.mb > ((endpoint.memoryMb ?? 0) < 1_024 ? maxMegabytes : maxMegabytesOfLarge))
    problems.push(`${Math.round(peak)} MB`);
  if (count === 0) return null;
  console.log(
    `${problems.length === 0 ? '✔' : '✖'} ${endpoint.id.padEnd(28)} ${String(count).padStart(4)} bodies  ` +
      `${String(most).padStart(6)} ms CPU  ${Math.round(idle.mb)} → ${Math.round(peak)} MB  ${mostName}`,
  );
  return problems;
};

const service = await openContractService();
let [passed, failed] = [0, 0];
try {
  const place = await newUnlimitedTenant(service, service.overHttp);
  const selected = servedEndpoints.filter(({ id }) => values.endpoint === undefined || id === values.endpoint);
  for (const endpoint of selected) {
    const prepared = await (samples[endpoint.id] ?? openaiSamples[endpoint.id])?.prepare(place, ownerOf(place));
    if (prepared?.body === undefined) continue;
    const problems = await violations(service, place, endpoint, prepared);
    if (problems === null) continue;
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) failed += 1;
    else passed += 1;
  }
  console.log(`\nEndpoints within their limits: ${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await service.close();
}
