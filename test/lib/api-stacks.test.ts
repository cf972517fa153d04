import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as registry from '../../functions/registry.ts';
import { getIndex } from '../../functions/indexes/get.ts';
import type { Endpoint } from '../../shared/http/endpoint.ts';
import { planCloud } from '#local-cloud';
import { type Assembly, deployment, home, listAt, openAssembly, textAt } from './assembly.ts';

/** Endpoints of one entity, so many that its stack is as full as it may be. */
const planted = Array.from({ length: 30 }, (_, at) => ({
  ...getIndex,
  id: `planted-${at}`,
  path: `/v1/planted-${at}/{index_id}`,
}));

const withPlanted = (entity: string) => ({
  registry: {
    ...registry,
    endpoints: {
      ...registry.endpoints,
      ...Object.fromEntries(planted.map((endpoint) => [`${entity}/${endpoint.id}`, endpoint])),
    },
  },
});

const [plain, extended] = await Promise.all([openAssembly(), openAssembly(withPlanted('indexes'))]);

const idsOf = ({ resources }: Assembly, stack: string, type: string) =>
  resources.filter((resource) => resource.stack === stack && resource.type === type).map(({ id }) => id);

const functionsOf = ({ resources }: Assembly, stack: string) =>
  resources
    .filter((resource) => resource.stack === stack && resource.type === 'AWS::Lambda::Function')
    .map(({ properties }) => textAt(properties, 'FunctionName'));

test('a new endpoint is deployed in the stack of its entity, and moves nothing else', () => {
  for (const { id } of plain.templates) {
    const added = id === 'Api-indexes' ? planted.map((endpoint) => `${deployment}-${endpoint.id}`) : [];
    assert.deepEqual(functionsOf(extended, id).toSorted(), [...functionsOf(plain, id), ...added].toSorted());
  }
  assert.deepEqual(
    extended.templates.map(({ id }) => id),
    plain.templates.map(({ id }) => id),
  );
});

test('an entity without a stack is refused by one line that says where to add it', async () => {
  await assert.rejects(openAssembly(withPlanted('planted')), {
    message: 'functions/planted is in no stack: add "planted" to lib/api-stacks.ts',
  });
});

test('the stacks of endpoints change one API, and their functions write to one log', () => {
  const stacks = plain.templates.map(({ id }) => id).filter((id) => id.startsWith('Api-'));
  assert.deepEqual([idsOf(plain, 'Api', 'AWS::ApiGatewayV2::Api').length, functionsOf(plain, 'Api')], [1, []]);
  for (const stack of stacks) {
    for (const type of ['AWS::ApiGatewayV2::Api', 'AWS::Logs::LogGroup'])
      assert.deepEqual(idsOf(plain, stack, type), []);
    const ofStack = plain.resources.filter((resource) => resource.stack === stack);
    for (const { type, properties } of ofStack) {
      if (/Integration$|Route$/.test(type)) assert.match(textAt(properties, 'ApiId'), /^\{import .+HttpApi.+\}$/);
      if (type === 'AWS::Lambda::Function')
        assert.equal(textAt(properties, 'LoggingConfig', 'LogGroup'), `/${deployment}/api`);
      if (type === 'AWS::Lambda::Permission')
        assert.equal(listAt(properties, 'Principal')[0], 'apigateway.amazonaws.com');
    }
  }
});

test('one machine serves the endpoints of all stacks of the API', () => {
  const identity = { accountId: '000000000000', endpointUrl: 'http://127.0.0.1:1', baseUrl: 'http://127.0.0.1:2' };
  const { api, functions } = planCloud({ assemblyDirectory: extended.assemblyDirectory, identity, parameters: {} });
  const served: readonly Endpoint[] = [...Object.values(registry.endpoints), ...planted];
  assert.equal(functions.filter(({ region }) => region === home).length > served.length, true);
  for (const { method, path, routes } of served) {
    const wanted = routes !== undefined ? `ANY ${path}/{proxy+}` : `${method} ${path}`;
    assert.ok(
      api.routes.some(({ key }) => key === wanted),
      path,
    );
  }
});
