import { parseArgs } from 'node:util';
import { checkCompaction } from './support/compaction.ts';

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '100000' }, seed: { type: 'string', default: '20300101' } },
});
const startedMs = performance.now();
checkCompaction({ seed: Number(values.seed), numRuns: Number(values.runs) });
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
console.log(`seed ${values.seed}: ${values.runs} envelopes hold, ${seconds} s`);
