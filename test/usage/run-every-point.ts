// Every request of a task with credits, of whoever joins or leaves, of an event on its way, of what a key makes safe to repeat
// and of the removal of an index as a point to die at, in both ways, and more rounds of requests that meet at a limit; the
// tests themselves take some of them.
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
const { status } = spawnSync(process.execPath, ['--test', '--test-force-exit', '--test-concurrency=1', ...files], {
  env: { ...process.env, FAULT_STEP: '1' },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
