// Every request of a task with credits and of what a key makes safe to repeat as a point to die at, in both ways, and
// more rounds of requests that meet at a limit; the tests themselves take some of them.
process.env['FAULT_STEP'] = '1';
await import('./credits.test.ts');
await import('../idempotency/creation.test.ts');
await import('../idempotency/vector-writes.test.ts');
await import('./limits.test.ts');
