// Ten thousand requests, two thousand transactions and fifty torn files: minutes rather than seconds.
Object.assign(process.env, {
  TABLE_REQUESTS: '10000',
  TABLE_TRANSACTIONS: '2000',
  TABLE_CRASHES: '50',
  ...process.env,
});
await import('./tables.test.ts');
await import('./tables-compared.test.ts');
