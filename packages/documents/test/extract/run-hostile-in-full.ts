// Reads every hostile file. The tests read a sample.
process.env['HOSTILE_STEP'] ??= '1';
await import('./hostile.test.ts');
