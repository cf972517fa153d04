import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkParameters } from '../src/assembly/check-parameters.ts';
import { resolveAssembly } from '../src/assembly/resolve-assembly.ts';
import { planCloud, type CloudPlan } from '../src/assembly/plan-cloud.ts';
import { noValue, resolveIntrinsics, type Surroundings } from '../src/assembly/resolve-intrinsics.ts';
import { functionRole, probeFunction, writeAssembly, writeFixtureAssembly } from './fixture-assembly.ts';
import { probeSource } from './fixture-functions.ts';
import { temporaryDirectory } from '../../../test/support/temporary-directory.ts';

const surroundings: Surroundings = {
  ref: (name) => ({ Name: 'strata', Zones: ['a', 'b'], 'AWS::Region': 'eu-west-1', 'AWS::NoValue': noValue })[name],
  attribute: (logicalId, attribute) => `<${logicalId}.${attribute}>`,
  condition: (name) => name === 'Yes',
  imported: (name) => `imported ${name}`,
  mapped: (...path) => path.join('/'),
};

const cases: readonly (readonly [what: string, value: unknown, expected: unknown])[] = [
  ['Ref', { Ref: 'Name' }, 'strata'],
  ['GetAtt as a list', { 'Fn::GetAtt': ['Queue', 'Arn'] }, '<Queue.Arn>'],
  ['GetAtt as text, with a dot in the attribute', { 'Fn::GetAtt': 'Stack.Outputs.Url' }, '<Stack.Outputs.Url>'],
  ['Sub', { 'Fn::Sub': '${Name}-${AWS::Region}-${Queue.Arn}-${!Literal}' }, 'strata-eu-west-1-<Queue.Arn>-${Literal}'],
  ['Sub with variables', { 'Fn::Sub': ['${Name}/${Own}', { Own: { Ref: 'AWS::Region' } }] }, 'strata/eu-west-1'],
  ['Join of a list that is a Ref', { 'Fn::Join': ['+', { Ref: 'Zones' }] }, 'a+b'],
  ['Select of Split', { 'Fn::Select': ['1', { 'Fn::Split': ['-', 'x-y-z'] }] }, 'y'],
  ['If', [{ 'Fn::If': ['Yes', 1, 2] }, { 'Fn::If': ['No', 1, 2] }], [1, 2]],
  [
    'NoValue takes its property or member away',
    { kept: [1, { Ref: 'AWS::NoValue' }], gone: { 'Fn::If': ['No', 1, { Ref: 'AWS::NoValue' }] } },
    { kept: [1] },
  ],
  ['ImportValue of Sub', { 'Fn::ImportValue': { 'Fn::Sub': '${Name}-table' } }, 'imported strata-table'],
  ['FindInMap', { 'Fn::FindInMap': ['Map', { Ref: 'AWS::Region' }, 'Size'] }, 'Map/eu-west-1/Size'],
  ['Base64', { 'Fn::Base64': { Ref: 'Name' } }, 'c3RyYXRh'],
  [
    'an object with a key that looks like a condition',
    { Condition: { StringEquals: {} } },
    { Condition: { StringEquals: {} } },
  ],
];

test('intrinsic functions are replaced by their values', async (t) => {
  for (const [what, value, expected] of cases) {
    await t.test(what, () => assert.deepEqual(resolveIntrinsics(value, surroundings), expected));
  }
  await t.test('an unknown function is refused', () => {
    assert.throws(() => resolveIntrinsics({ 'Fn::Transform': {} }, surroundings), /Fn::Transform/);
  });
});

const planOf = (assemblyDirectory: string, parameters: Readonly<Record<string, string>> = {}): CloudPlan =>
  planCloud({
    assemblyDirectory,
    identity: { accountId: '000000000000', endpointUrl: 'http://aws.test', baseUrl: 'http://api.test' },
    parameters,
  });

test('a parameter that no stack has is refused, and a value that a stack does not allow', () => {
  const rate = { Default: '10', AllowedPattern: '\\d+', ConstraintDescription: 'it has to be a number' };
  const Address = { AllowedPattern: 'https://.+' };
  const Parameters = { Address, Provider: { AllowedValues: ['bedrock', 'openai'] }, Rate: rate };
  const template = { Parameters, Rules: {}, Conditions: {}, Mappings: {}, Resources: {}, Outputs: {} };
  const check = (asked: Readonly<Record<string, string>>) => () =>
    checkParameters([{ name: 'api', region: 'us-east-1', template }], asked);
  assert.doesNotThrow(check({ Provider: 'openai', Rate: '7', Address: 'http://127.0.0.1:11434/v1' }));
  assert.throws(check({ Address: 'http://127.0.0.1.example.com/v1' }), /it has to match https/);
  assert.throws(
    check({ Provder: 'openai' }),
    /^Error: --parameter Provder: no stack has it; there are Address, Provider, Rate$/,
  );
  assert.throws(check({ Provider: 'opena' }), /^Error: --parameter Provider=opena: give bedrock, openai$/);
  assert.throws(check({ Rate: 'x7' }), /^Error: --parameter Rate=x7: it has to be a number$/);
});

test('values of parameters that break a rule of a stack are refused as by a deployment', () => {
  const given = { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Audience' }, ''] }] };
  const template = {
    Parameters: { Issuer: { Default: '' }, Audience: { Default: '' }, Version: { Default: '7' } },
    Rules: {
      Known: {
        RuleCondition: true,
        Assertions: [
          {
            Assert: { 'Fn::Not': [{ 'Fn::Contains': [['1', '2'], { Ref: 'Version' }] }] },
            AssertDescription: 'too old',
          },
        ],
      },
      Paired: {
        RuleCondition: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'Issuer' }, ''] }] },
        Assertions: [{ Assert: given, AssertDescription: 'an issuer needs an audience' }],
      },
    },
    Conditions: {},
    Mappings: {},
    Resources: {},
    Outputs: {},
  };
  const resolve = (parameters: Readonly<Record<string, string>>) => () =>
    resolveAssembly({
      stacks: [{ name: 'api', region: 'us-east-1', template }],
      identity: { accountId: '000000000000', endpointUrl: 'http://aws.test', baseUrl: 'http://api.test' },
      parameters,
      types: new Set(),
    });
  for (const parameters of [{}, { Audience: 'me' }, { Issuer: 'https://me.example', Audience: 'me' }])
    assert.doesNotThrow(resolve(parameters));
  assert.throws(resolve({ Issuer: 'https://me.example' }), /^Error: an issuer needs an audience$/);
  assert.throws(resolve({ Version: '2' }), /^Error: too old$/);
});

const assemblyIn = (directory: string, write: (directory: string) => string): string => {
  mkdirSync(directory, { recursive: true });
  return write(directory);
};

test('an assembly of several stacks and regions becomes one plan', () => {
  const directory = temporaryDirectory();
  const assembly = assemblyIn(join(directory, 'assembly'), (path) => writeFixtureAssembly(path, 'journal'));
  const plan = planOf(assembly);
  const front = plan.functions.find(({ name }) => name === 'fixture-front');
  const regionsOf = (items: readonly { readonly region: string }[]) => [...new Set(items.map(({ region }) => region))];

  assert.equal(front?.environment['ISSUER'], 'https://cognito-idp.us-east-1.amazonaws.com/us-east-1_Pool');
  assert.equal(front.environment['API'], 'http://api.test');
  assert.equal(front.codeDirectory, join(assembly, 'code', 'probe'));
  assert.deepEqual(regionsOf(plan.queues), ['us-east-1', 'eu-west-1']);
  assert.deepEqual(regionsOf(plan.tables), ['us-east-1']);
  assert.equal(plan.mappings.length, 10);
  assert.deepEqual(
    plan.api.routes.map(({ key, functionArn, timeoutMs }) => [key, functionArn, timeoutMs]),
    ['GET /things/{thing_id}', 'GET /things/special', 'POST /things', '$default'].map((key) => [
      key,
      'arn:aws:lambda:us-east-1:000000000000:function:fixture-front',
      1000,
    ]),
  );
  const jobs = plan.queues.find(({ name, region }) => name === 'jobs' && region === 'eu-west-1');
  assert.deepEqual(jobs?.redrive, {
    deadLetterArn: 'arn:aws:sqs:eu-west-1:000000000000:jobs-dead',
    maxReceiveCount: 2,
  });
  assert.deepEqual(
    plan.buckets.map(({ name }) => name),
    ['content-000000000000-us-east-1', 'content-000000000000-eu-west-1'],
  );
});

test('a parameter applies in every stack that has one of its name', () => {
  const directory = temporaryDirectory();
  const assembly = assemblyIn(join(directory, 'assembly'), (path) => writeFixtureAssembly(path, 'journal'));
  const plan = planOf(assembly, { IdentityIssuer: 'https://issuer.test' });

  assert.equal(
    plan.functions.find(({ name }) => name === 'fixture-front')?.environment['ISSUER'],
    'https://issuer.test',
  );
});

test('a resource or property that the local cloud does not support is refused in one line', async (t) => {
  const refusals: readonly (readonly [what: string, resources: object, message: RegExp])[] = [
    [
      'a type',
      { Cluster: { Type: 'AWS::ECS::Cluster' } },
      /^the local cloud has no AWS::ECS::Cluster \(stack\/Cluster\)$/,
    ],
    [
      'a runtime',
      { Role: functionRole(), Job: probeFunction('job', { Runtime: 'python3.13' }) },
      /^AWS::Lambda::Function stack\/Job: Runtime is a runtime that is not supported on one machine$/,
    ],
    [
      'a stream',
      {
        Things: {
          Type: 'AWS::DynamoDB::Table',
          Properties: { AttributeDefinitions: [], KeySchema: [], StreamSpecification: {} },
        },
      },
      /StreamSpecification is not supported on one machine$/,
    ],
    ['a second API', {}, /^one machine serves one HTTP API, and the templates have none$/],
  ];
  for (const [what, Resources, message] of refusals) {
    await t.test(what, () => {
      const directory = temporaryDirectory();
      writeAssembly(directory, { stack: { region: 'us-east-1', template: { Resources } } }, { probe: probeSource });
      assert.throws(
        () => planOf(directory),
        (error: Error) => {
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }
});
