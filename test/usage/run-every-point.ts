// Runs fault tests at every point. The tests themselves take a sample of the points. A process dies before and after each
// request of a task with credits, a change of members, the delivery of an event, an idempotent request and the deletion
// of an index. More rounds of concurrent requests meet at a limit.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const directory = join(import.meta.dirname, '..');
const files = [
  'usage/credits.test.ts',
  'organizations/membership.test.ts',
  'idempotency/repeated-requests.test.ts',
  'sources/creation.test.ts',
  'events/outbox.test.ts',
  'events/health.test.ts',
  'idempotency/vector-writes.test.ts',
  'usage/limits.test.ts',
  'usage/storage.test.ts',
].map((file) => join(directory, file));

// Each file in a process of its own, since each opens a cloud for itself.
const { status } = spawnSync(process.execPath, ['--test', '--test-force-exit', '--test-concurrency=2', ...files], {
  env: { ...process.env, FAULT_STEP: '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
