import { glob } from 'node:fs/promises';
import { cruise, format } from 'dependency-cruiser';
import extractCruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const roots = [
  'bench',
  'bin',
  'functions',
  'lib',
  'packages/typescript/src',
  'packages/engine',
  'packages/documents',
  'packages/local-cloud',
  'scripts',
  'shared',
  'test',
];
// Spelled out in one string, knip would take the pattern for a list of entry files and find nothing unused.
const sources = await Array.fromAsync(glob(`{${roots.join()}}/**/*.ts`));
const options = await extractCruiseOptions('./.dependency-cruiser.cjs');
const { output } = await cruise(sources, options, undefined, { tsConfig: extractTsConfig('tsconfig.json') });
if (typeof output === 'string') throw new TypeError('dependency-cruiser returned text in place of a result');

// With a compiler that it does not know, dependency-cruiser skips every TypeScript file and reports success.
const cruised = new Set(output.modules.map(({ source }) => source));
const skipped = sources.filter((source) => !cruised.has(source));
const { output: report, exitCode } = await format(output, { outputType: 'err-long' });
console.log(typeof report === 'string' ? report.trim() : JSON.stringify(report));
if (sources.length === 0 || skipped.length > 0) {
  console.error(
    `${skipped.length} of ${sources.length} source files were not cruised: ${skipped.slice(0, 5).join(', ')}`,
  );
}
process.exitCode = exitCode === 0 && sources.length > 0 && skipped.length === 0 ? 0 : 1;
