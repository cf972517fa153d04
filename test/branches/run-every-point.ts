// Every request of every scenario as a point to die at; the tests themselves take a sample.
process.env['FAULT_STEP'] = '1';
await import('./branches.test.ts');
