import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as registry from '../../functions/registry.ts';
import { furtherApiStacks } from '../../lib/api-stacks.ts';
import { getIndex } from '../../functions/indexes/get.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { planCloud } from '../../local/assembly/plan-cloud.ts';
import { type Assembly, deployment, home, listAt, openAssembly, textAt } from './assembly.ts';

const all = 150;
const existing = Object.keys(registry.endpoints).length;
const planted = Array.from({ length: all - existing }, (_, at) => ({
  ...getIndex,
  id: `planted-${at}`,
  path: `/v1/planted-${at}/{index_id}`,
}));

const [plain, extended] = await Promise.all([
  openAssembly(),
  openAssembly({
    registry: {
      ...registry,
      endpoints: {
        ...registry.endpoints,
        ...Object.fromEntries(planted.map((endpoint) => [`planted/${endpoint.id}`, endpoint])),
      },
    },
    furtherApiStacks: { ...furtherApiStacks, planted: ['planted'] },
  }),
]);

const resourcesOf = ({ resources }: Assembly, stack: string, type: string) =>
  resources.filter((resource) => resource.stack === stack && resource.type === type);

test('150 endpoints fit into stacks of fewer than 500 resources and 800 KB', () => {
  assert.ok(extended.templates.some(({ id }) => id === 'Api-planted'));
  for (const { id, text, resources } of extended.templates) {
    assert.ok(resources.length < 500, `${id}: ${resources.length} resources`);
    assert.ok(text.length < 800_000, `${id}: ${text.length} characters`);
  }
});

test('a further API stack does not move endpoints of other stacks', () => {
  const idsOf = (assembly: Assembly) =>
    assembly.resources
      .filter(({ stack, type }) => stack === 'Api' && type !== 'AWS::Lambda::Permission')
      .map(({ id }) => id);
  assert.deepEqual(idsOf(extended), idsOf(plain));
  const functions = resourcesOf(extended, 'Api-planted', 'AWS::Lambda::Function');
  assert.deepEqual(
    functions.map(({ properties }) => textAt(properties, 'FunctionName')).toSorted(),
    planted.map(({ id }) => `${deployment}-${id}`).toSorted(),
  );
  const [logs, ...others] = resourcesOf(extended, 'Api-planted', 'AWS::Logs::LogGroup');
  assert.deepEqual([logs?.properties['LogGroupName'], others], [`/${deployment}/api-planted`, []]);
});

test('routes of a further stack belong to the one API and change it one after the other, after the first stack', () => {
  assert.deepEqual(extended.dependencies['Api-planted'], ['Api', 'Api-more', 'Data']);
  const routes = resourcesOf(extended, 'Api-planted', 'AWS::ApiGatewayV2::Route');
  const integrations = resourcesOf(extended, 'Api-planted', 'AWS::ApiGatewayV2::Integration');
  assert.deepEqual([routes.length, integrations.length], [planted.length, planted.length]);
  assert.deepEqual(resourcesOf(extended, 'Api-planted', 'AWS::ApiGatewayV2::Api'), []);
  for (const { properties } of [...routes, ...integrations])
    assert.match(textAt(properties, 'ApiId'), /^\{import .+HttpApi.+\}$/);
  // Each integration but the first waits for the route before it, and each route for its own integration.
  const waits = new Set(
    integrations.flatMap(({ dependsOn }) => dependsOn).filter((id) => routes.some((route) => route.id === id)),
  );
  assert.equal(waits.size, planted.length - 1);
  for (const { properties } of routes) assert.match(textAt(properties, 'Target'), /^integrations\/\{/);
  for (const permission of resourcesOf(extended, 'Api-planted', 'AWS::Lambda::Permission'))
    assert.equal(listAt(permission.properties, 'Principal')[0], 'apigateway.amazonaws.com');
});

test('one machine serves the endpoints of all stacks of the API', () => {
  const identity = { accountId: '000000000000', endpointUrl: 'http://127.0.0.1:1', baseUrl: 'http://127.0.0.1:2' };
  const { api, functions } = planCloud({ assemblyDirectory: extended.assemblyDirectory, identity, parameters: {} });
  assert.equal(functions.filter(({ region }) => region === home).length > all, true);
  const served: readonly Endpoint[] = [...Object.values(registry.endpoints), ...planted];
  for (const { method, path, routes } of served) {
    const wanted = routes !== undefined ? `ANY ${path}/{proxy+}` : `${method} ${path}`;
    assert.ok(
      api.routes.some(({ key }) => key === wanted),
      path,
    );
  }
});
