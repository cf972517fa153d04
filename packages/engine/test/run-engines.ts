/*
 * Runs tests of the service with indexes of the engine `s3_vectors`, while the vector service throttles requests and
 * loses replies.
 */
process.env['STRATA_TEST_ENGINE'] = 's3_vectors';
process.env['STRATA_TEST_CHANGES'] = '80';
if (process.argv.length === 2) {
  process.argv.push('packages/engine/test/s3-vectors.test.ts');
  for (const name of ['contract', 'bad-input', 'matrix']) process.argv.push(`test/contract/${name}.test.ts`);
  for (const name of [
    'accounting',
    'concurrency',
    'crawls',
    'files',
    'indexes',
    'mcp',
    'pages',
    's3-vectors',
    'sources',
  ])
    process.argv.push(`test/service/${name}.test.ts`);
}
await import('../../../scripts/run-tests.ts');
