import { openContractService } from '../contract/support/service.ts';
import { type FuzzResult, runFuzz } from './run-fuzz.ts';
import { commandLine } from '../../scripts/support/read-command-line.ts';

const { values } = commandLine({
  options: {
    seed: { type: 'string', default: '20251121' },
    requests: { type: 'string', default: '300' },
    endpoint: { type: 'string' },
  },
});

const print = ({ endpoint, requests, seconds, statuses, failures }: FuzzResult): void => {
  const counts = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
  const rate = (requests / seconds).toFixed(0).padStart(5);
  console.log(`${failures.length === 0 ? '✔' : '✖'} ${endpoint.id.padEnd(28)} ${rate}/s  ${counts.join(', ')}`);
  for (const failure of failures) console.log(`  ${failure}`);
};

const service = await openContractService();
try {
  const startedMs = performance.now();
  const options = { seed: Number(values.seed), requestsPerEndpoint: Number(values.requests) };
  const results = await runFuzz(service, { ...options, only: values.endpoint ?? null }, print);
  const seconds = (performance.now() - startedMs) / 1000;
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const rate = (requests / seconds).toFixed(0);
  console.log(`\nseed ${values.seed}: ${requests} requests to ${results.length} endpoints, ${rate} a second`);
  console.log(`Endpoints with documented answers alone: ${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
} finally {
  await service.close();
}
