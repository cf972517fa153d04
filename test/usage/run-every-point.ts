// Every request of a task with credits as a point to die at, in both ways; the tests themselves take one of them.
process.env['FAULT_STEP'] = '1';
await import('./credits.test.ts');
