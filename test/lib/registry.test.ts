import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import * as registry from '../../functions/registry.ts';
import { readDeployment } from '../../lib/deployment.ts';
import { functionEntries } from '../../lib/functions.ts';
import { toCamelCase } from '../../shared/kernel/text.ts';

const directory = join(import.meta.dirname, '..', '..', 'functions');
const { endpoints, workers, services, schedules } = registry;
const definitions: readonly (readonly [string, { readonly id: string }])[] = [
  endpoints,
  workers,
  services,
  schedules,
].flatMap((part) => Object.entries(part));

it('every module under functions is in the registry under its path, and nothing else is', () => {
  const modules = globSync('**/*.ts', { cwd: directory })
    .filter((file) => !/^(registry|background|serve)\.ts$|[/\\](uses\.ts$|steps[/\\])/.test(file))
    .map((file) => file.replaceAll('\\', '/').replace(/\.ts$/, ''));
  assert.deepEqual(definitions.map(([module]) => module).toSorted(), modules.toSorted());
});

it('every module exports its definition under the name of its id', async () => {
  for (const [module, definition] of definitions) {
    const exports = (await import(join(directory, `${module}.ts`))) as Record<string, unknown>;
    assert.equal(exports[toCamelCase(definition.id)], definition, module);
  }
});

it('refuses a registry in which two functions share an id or a queue has no worker', () => {
  const [[module, definition] = ['', null]] = Object.entries(registry.endpoints);
  assert.ok(definition);
  assert.throws(
    () => functionEntries({ ...registry, endpoints: { [module]: definition, again: definition } }),
    /two definitions/,
  );
  assert.throws(() => functionEntries({ ...registry, workers: {} }), /queue \w+ needs one worker/);
});

it('gives the keys of stored credentials only to the functions that read with them', () => {
  const holders = functionEntries(registry).filter(({ capabilities }) => capabilities.includes('secrets.read'));
  assert.deepEqual(holders.map(({ id }) => id).toSorted(), ['connector-browser', 'crawl', 'import-file', 'sync']);
});

it('reads names and regions from what a user configures', () => {
  assert.partialDeepStrictEqual(readDeployment({}), { name: 'strata', regions: ['us-east-1'] });
  const configured = readDeployment({ name: 'acme-test', regions: 'eu-west-1, ap-southeast-1' });
  assert.deepEqual(configured.regions, ['eu-west-1', 'ap-southeast-1']);
  const s3VectorsOf = (options: object) =>
    readDeployment({ regions: 'eu-west-1,il-central-1', ...options }).s3VectorsRegions;
  assert.deepEqual(s3VectorsOf({}), ['eu-west-1']);
  assert.deepEqual(s3VectorsOf({ s3VectorsRegions: 'il-central-1, eu-west-1' }), ['eu-west-1', 'il-central-1']);
  for (const none of ['', []]) assert.deepEqual(s3VectorsOf({ s3VectorsRegions: none }), []);
  assert.throws(
    () => s3VectorsOf({ s3VectorsRegions: ['eu-west-2'] }),
    /"eu-west-2" in s3VectorsRegions is not one of/,
  );
  assert.throws(() => readDeployment({ name: 'Acme' }), /deployment "Acme"/);
  assert.throws(() => readDeployment({ name: 'a'.repeat(27) }), /2 to 26/);
  assert.throws(() => readDeployment({ regions: [] }), /not the name of an AWS region/);
  assert.throws(() => readDeployment({ regions: 'frankfurt' }), /frankfurt/);
  assert.throws(() => readDeployment({ regions: ['eu-west-1', 'eu-west-1'] }), /twice/);
  for (const name of ['aws-vectors', 'ssm-vectors', 'xn--vectors'])
    assert.throws(() => readDeployment({ name }), /AWS keeps for itself/);
  for (const region of ['cn-north-1', 'us-gov-west-1', 'us-iso-east-1'])
    assert.throws(() => readDeployment({ regions: ['us-east-1', region] }), /partition that is not supported/);
  const many = Array.from({ length: 12 }, (_, at) => `${['eu', 'us', 'ap'][at % 3]}-west-${at % 9}`);
  assert.throws(() => readDeployment({ regions: many }), /11 are possible/);
});
