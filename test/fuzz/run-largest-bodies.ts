import { setTimeout as pause } from 'node:timers/promises';
import { maxBodyBytes } from '../../shared/http/body.ts';
import { samples } from '../contract/samples.ts';
import { allEndpoints } from '../contract/support/document.ts';
import { toWire } from '../contract/support/request.ts';
import { type ContractService, openContractService, type WireRequest } from '../contract/support/service.ts';
import { type Caller, newUnlimitedTenant, type Tenant } from '../contract/support/fixture.ts';
import { largestBodies } from './largest-bodies.ts';
import { commandLine } from '../../scripts/support/read-command-line.ts';

const { values } = commandLine({ options: { endpoint: { type: 'string' } } });

const maxMs = 5_000;
const sampleMs = 50;
const megabyte = 1_000_000;

/** Memory limit of a process in MB, if it uses `idleMb` before the first of these bodies. */
const maxMemory = (idleMb: number): number => 1.5 * idleMb + 100;

interface Health {
  readonly processes: readonly { readonly function: string; readonly resident_bytes: number }[];
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

const residentMb = async ({ baseUrl }: ContractService): Promise<ReadonlyMap<string, number>> => {
  const { processes } = (await (await fetch(`${baseUrl}/_local/health`)).json()) as Health;
  return new Map(processes.map((found) => [found.function, found.resident_bytes / megabyte]));
};

/** Watches the memory of all function processes; `stop` returns the peak of each. */
const watchMemory = (service: ContractService) => {
  const peaks = new Map<string, number>();
  const over = new AbortController();
  const watching = (async () => {
    while (!over.signal.aborted) {
      for (const [id, mb] of await residentMb(service)) peaks.set(id, Math.max(mb, peaks.get(id) ?? 0));
      await pause(sampleMs);
    }
  })();
  return {
    stop: async () => {
      over.abort();
      await watching;
      return peaks;
    },
  };
};

const service = await openContractService();
let failed = 0;
try {
  const place = await newUnlimitedTenant(service, service.overHttp);
  for (const endpoint of allEndpoints.filter(({ id }) => values.endpoint === undefined || id === values.endpoint)) {
    const prepared = await samples[endpoint.id]?.prepare(place, ownerOf(place));
    if (prepared?.body === undefined) continue;
    const request = (text: string): WireRequest =>
      toWire(endpoint, { ...prepared, body: text }, place.owner.bearer, {
        'x-service-organization-id': place.organizationId,
      });
    await service.overHttp(request('{}'));
    const idle = await residentMb(service);
    const watch = watchMemory(service);
    // Just below the maximum size of a body.
    const bytes = (endpoint.maxBodyBytes ?? maxBodyBytes) - 1_024;
    const problems: string[] = [];
    let [count, slowest, slowestName] = [0, 0, ''];
    for (const { name, text } of largestBodies(endpoint, prepared.body, bytes)) {
      const startedMs = performance.now();
      let { status } = await service.overHttp(request(text));
      // A rate limit error does not depend on the body.
      for (; status === 429; { status } = await service.overHttp(request(text))) {
        await pause(1_000);
      }
      const ms = performance.now() - startedMs;
      count += 1;
      if (ms > slowest) [slowest, slowestName] = [ms, name];
      if (status >= 500) problems.push(`${status} for ${name}`);
      if (ms > maxMs) problems.push(`${Math.round(ms)} ms for ${name}`);
    }
    const peaks = await watch.stop();
    for (const [id, mb] of peaks) {
      const idleMb = idle.get(id);
      if (idleMb !== undefined && mb > maxMemory(idleMb))
        problems.push(`${id}: ${Math.round(mb)} MB of ${Math.round(idleMb)} idle`);
    }
    const [peak, before] = [peaks.get(endpoint.id) ?? 0, idle.get(endpoint.id) ?? 0].map(Math.round);
    if (count > 0)
      console.log(
        `${problems.length === 0 ? '✔' : '✖'} ${endpoint.id.padEnd(28)} ${String(count).padStart(4)} bodies  ` +
          `${String(Math.round(slowest)).padStart(6)} ms  ${before} → ${peak} MB  ${slowestName}`,
      );
    for (const problem of problems) console.log(`  ${problem}`);
    if (problems.length > 0) failed += 1;
  }
  console.log(`\n${failed} endpoints beyond their bounds`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await service.close();
}
