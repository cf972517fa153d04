import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { maxRegions } from '../../lib/deployment.ts';
import { apiStackNames, apiStackOf } from '../../lib/api-stacks.ts';
import { layerAssets } from '../../lib/assets.ts';
import { placeOf, type EntryOf, type FunctionEntry } from '../../lib/functions.ts';
import { readConfig } from '../../shared/kernel/config.ts';
import { buckets, deadLetterQueueName, queueName, queues, tables } from '../../shared/kernel/names.ts';
import {
  accountId,
  at,
  deployment,
  entries,
  home,
  listAt,
  openAssembly,
  referred,
  regions,
  rightsOf,
  stacksOf,
  textAt,
  type Assembly,
  type Resource,
  type StackTemplate,
} from './assembly.ts';
import { expectedRights } from './rights.ts';

const regionStacks = regions.map((region) => `Region-${region}`);
const endpointStacks = apiStackNames.map((name) => `Api-${name}`);
const stackOfEntity = (entity: string): string => `Api-${apiStackOf(entity)}`;

const ofKind = <Kind extends FunctionEntry['kind']>(kind: Kind): readonly EntryOf<Kind>[] =>
  entries.filter((entry): entry is EntryOf<Kind> => entry.kind === kind);

let assembly: Assembly;
before(async () => {
  assembly = await openAssembly();
});

const present = <Value>(value: Value | undefined, what: string): Value => {
  assert.ok(value !== undefined, `there is no ${what}`);
  return value;
};
const template = (stack: string): StackTemplate =>
  present(
    assembly.templates.find(({ id }) => id === stack),
    `stack ${stack}`,
  );
const all = (type: string): readonly Resource[] => assembly.resources.filter((resource) => resource.type === type);
const named = (stack: string, type: string, property: string, name: string): Resource =>
  present(
    all(type).find((found) => found.stack === stack && found.properties[property] === name),
    `${type} ${name}`,
  );
const queueIn = (stack: string, name: string): Resource => named(stack, 'AWS::SQS::Queue', 'QueueName', name);
const functionIn = (stack: string, { id }: FunctionEntry): Resource =>
  named(stack, 'AWS::Lambda::Function', 'FunctionName', `${deployment}-${id}`);

/** Each entry once for every stack that it is in. */
const placements = () =>
  entries.flatMap((entry) => stacksOf(entry).map((stack) => ({ entry, stack, lambda: functionIn(stack, entry) })));

/** Environment of a function if the operator has set no parameter, so that each has its default. */
const environmentOf = (stack: string, lambda: Resource): Readonly<Record<string, string>> => {
  const { region, text } = template(stack);
  const parameters = at(JSON.parse(text), 'Parameters');
  const set = at(lambda, 'properties', 'Environment', 'Variables') as Readonly<Record<string, string>>;
  const variables = Object.entries(set).map(([name, value]) => {
    const [, parameter = ''] = /^\{(\w+)\}$/.exec(value) ?? [];
    return [name, at(parameters, parameter, 'Default') ?? value];
  });
  return { ...Object.fromEntries(variables), AWS_REGION: region };
};

const queuesOf = ({ definition }: EntryOf<'worker'>): readonly [string, string] => [
  queueName(deployment, definition.queue),
  deadLetterQueueName(deployment, definition.queue),
];

const same = (actual: readonly unknown[], expected: readonly unknown[]): void => {
  const sorted = (list: readonly unknown[]) => list.map((member) => JSON.stringify(member)).toSorted();
  assert.deepEqual(sorted(actual), sorted(expected));
};

/** Parameters for how many runs of the workers of a queue go on at once. */
const concurrencyParameters: ReadonlyMap<string, string> = new Map([
  ['tasks', '{TasksAtOnce}'],
  ['log', '{WritersAtOnce}'],
]);

/** Whether the memory of a function is a parameter of its stack. */
const isSizedByParameter = (entry: FunctionEntry): boolean =>
  entry.kind === 'worker' && ['log', 'builds'].includes(entry.definition.queue);

describe('functions', () => {
  it('are those of the registry, each in its stacks, and no other', () => {
    same(
      all('AWS::Lambda::Function').map(({ stack, properties }) => [stack, properties['FunctionName']]),
      placements().map(({ entry, stack }) => [stack, `${deployment}-${entry.id}`]),
    );
  });

  it('run as their definitions say, from the code of their bundles', () => {
    for (const { entry, stack, lambda } of placements()) {
      assert.partialDeepStrictEqual(lambda.properties, {
        Runtime: 'nodejs24.x',
        Architectures: ['x86_64'],
        Handler: 'index.handler',
        Timeout: entry.timeoutSeconds,
        MemorySize: isSizedByParameter(entry) ? '{IndexMemory}' : entry.memoryMb,
        Description: entry.summary,
      });
      const { codeOf } = template(stack);
      assert.equal(
        codeOf(textAt(lambda, 'properties', 'Code', 'S3Key')),
        join(assembly.codeDirectory, 'functions', entry.id),
      );
      const layers = listAt(lambda, 'properties', 'Layers').map((reference) =>
        codeOf(textAt(referred(template(stack), reference), 'properties', 'Content', 'S3Key')),
      );
      const expected = layerAssets.filter((asset) => entry.assets.includes(asset));
      same(
        layers,
        expected.map((asset) => join(assembly.codeDirectory, 'layers', asset)),
      );
    }
  });

  it('have a thread for every DNS lookup of a name chosen by users, though an unanswered lookup keeps its thread', () => {
    for (const { entry, lambda } of placements()) {
      const threads = Number(at(lambda, 'properties', 'Environment', 'Variables', 'UV_THREADPOOL_SIZE') ?? 4);
      // Lookups get half of them: one for each message of a run, and of the two runs before it that were given up.
      assert.equal(threads / 2 >= 30, entry.capabilities.includes('network.public'), entry.id);
    }
  });

  it('have every environment variable that they read', () => {
    for (const { entry, stack, lambda } of placements()) {
      const { region } = template(stack);
      const config = readConfig(environmentOf(stack, lambda));
      assert.partialDeepStrictEqual(config, { deployment, accountId, region, homeRegion: home, regions: [...regions] });
      if (entry.capabilities.includes('models.embed')) {
        assert.partialDeepStrictEqual(config.models, {
          embeddingProvider: 'bedrock',
          embeddingModel: 'amazon.titan-embed-text-v2:0',
          embeddingBaseUrl: 'https://api.openai.com/v1',
        });
      }
      if (entry.capabilities.includes('models.ocr')) assert.equal(config.models.ocrProvider, 'textract');
      if (entry.capabilities.includes('models.transcribe')) {
        assert.partialDeepStrictEqual(config.models, { audioProvider: 'transcribe', speechModelDirectory: '' });
      }
      if (entry.id === 'create-index') assert.equal(config.models.embeddingProvider, 'bedrock');
      if (entry.capabilities.includes('identity.verify')) {
        assert.match(config.identityIssuer, /^\{import acme-data:.*ProviderURL/);
        assert.match(config.identityAudience.join(), /^\{import acme-data:.*UsersClient/);
      }
    }
  });

  it('have no parameter and no variable that lets a deployment reach addresses of its own machine', () => {
    for (const { id, text } of assembly.templates)
      assert.doesNotMatch(text, /LocalWebhooks|LOCAL_WEBHOOKS|CrawlLocal|CRAWL_LOCAL/, id);
    for (const { stack, lambda } of placements()) {
      const { allowLocalWebhooks, crawl } = readConfig(environmentOf(stack, lambda));
      assert.deepEqual([allowLocalWebhooks, crawl.localAddress], [false, '']);
    }
  });

  it('reach connectors at other addresses only by existing names', () => {
    const stack = stackOfEntity('connectors');
    const parameters = at(JSON.parse(template(stack).text), 'Parameters');
    const pattern = new RegExp(String(at(parameters, 'ConnectorAddresses', 'AllowedPattern')));
    const environment = environmentOf(
      stack,
      named(stack, 'AWS::Lambda::Function', 'FunctionName', `${deployment}-create-connector`),
    );
    const read = (STRATA_CONNECTOR_ADDRESSES: string) =>
      readConfig({ ...environment, STRATA_CONNECTOR_ADDRESSES }).connectorAddresses;
    for (const [text, addresses] of [
      ['', {}],
      ['slack=https://a.example', { slack: 'https://a.example' }],
      [
        'gmail=http://127.0.0.1:9/a=b/,notion=https://b.example',
        { gmail: 'http://127.0.0.1:9/a=b', notion: 'https://b.example' },
      ],
    ] as const) {
      assert.match(text, pattern);
      assert.deepEqual(read(text), addresses);
    }
    for (const text of ['slak=https://a.example', 'slack=https://a.example,toString=https://b.example']) {
      assert.doesNotMatch(text, pattern);
      assert.throws(() => read(text), { cause: /^environment variable STRATA_CONNECTOR_ADDRESSES: (slak|toString)$/ });
    }
  });

  it('allow recursive loops if they continue their work by messages to themselves', () => {
    const ofItself = placements().filter(({ entry, stack, lambda }) => {
      const sends = rightsOf(template(stack), lambda).filter((right) => right.startsWith('sqs:SendMessage '));
      if (entry.kind !== 'worker') return false;
      return sends.some((right) => right.endsWith(`:${queuesOf(entry)[0]}`));
    });
    assert.ok(ofItself.length > 0);
    same(
      all('AWS::Lambda::Function').flatMap(({ stack, properties }) =>
        properties['RecursiveLoop'] === 'Allow' ? [[stack, properties['FunctionName']]] : [],
      ),
      ofItself.map(({ stack, lambda }) => [stack, lambda.properties['FunctionName']]),
    );
  });

  it('have exactly the permissions of their capabilities', () => {
    for (const { entry, stack, lambda } of placements()) {
      const expected = expectedRights(entry, {
        region: template(stack).region,
        regional: placeOf(entry) === 'region',
        log: `arn:aws:logs:${template(stack).region}:${accountId}:log-group:/${deployment}/${placeOf(entry)}:*`,
        queues: entry.kind === 'worker' ? [queuesOf(entry)[0]] : [],
      });
      assert.deepEqual(rightsOf(template(stack), lambda), expected, `${stack} ${entry.id}`);
    }
  });

  it('have roles that Lambda alone can take, with policies that IAM accepts even of the largest deployment', async () => {
    const longestPolicies = 10_240;
    const areas = ['ap-southeast', 'ap-northeast'].flatMap((area) =>
      Array.from({ length: 10 }, (_, at) => `${area}-${at}`),
    );
    const largestRegions = areas.slice(0, maxRegions);
    const largest = await openAssembly({
      deployment: 'n'.repeat(26),
      regions: largestRegions,
      s3VectorsRegions: largestRegions,
    });
    for (const { stack, id, type, properties } of largest.resources) {
      if (type !== 'AWS::IAM::Role') continue;
      const size = JSON.stringify(properties['Policies']).length;
      assert.ok(size < longestPolicies, `${stack} ${id}: ${size} characters`);
    }
    for (const { properties } of all('AWS::IAM::Role')) {
      const trusted = listAt(properties, 'AssumeRolePolicyDocument', 'Statement').map((statement) =>
        at(statement, 'Principal'),
      );
      assert.deepEqual(trusted, [{ Service: 'lambda.amazonaws.com' }]);
      assert.equal(properties['ManagedPolicyArns'], undefined);
    }
  });

  it('keep the name of the role that customers trust when its permissions change', () => {
    const named = all('AWS::IAM::Role').filter(({ properties }) => properties['RoleName'] !== undefined);
    same(
      named.map(({ id, properties }) => [id.replace(/[0-9A-F]{8}$/, ''), properties['RoleName']]),
      [
        ...regions.map((region) => ['FunctionsRoleimportfile', `${deployment}-import-file-${region}`]),
        ['FunctionsRoleconnectorbrowser', `${deployment}-connector-browser-${home}`],
        ['FunctionsRolesync', `${deployment}-sync-${home}`],
      ],
    );
  });
});

describe('HTTP API', () => {
  it('has one route per endpoint and leads everything else to the fallback', () => {
    const routes = all('AWS::ApiGatewayV2::Route').map(({ stack, properties }) => {
      const integration = referred(template(stack), properties['Target']);
      assert.equal(at(integration, 'properties', 'PayloadFormatVersion'), '2.0');
      const lambda = referred(template(stack), at(integration, 'properties', 'IntegrationUri'));
      return [properties['RouteKey'], at(lambda, 'properties', 'FunctionName')];
    });
    same(routes, [
      ...ofKind('endpoint').flatMap(({ id, definition: { method, path, takesHead, routes: below } }) => {
        const keys = takesHead === true ? [`${method} ${path}`, `HEAD ${path}`] : [`${method} ${path}`];
        return (below !== undefined ? [`ANY ${path}/{proxy+}`] : keys).map((key) => [key, `${deployment}-${id}`]);
      }),
      ...ofKind('service').flatMap(({ id, definition: { route } }) =>
        route === undefined ? [] : [[`${route.method} ${route.path}`, `${deployment}-${id}`]],
      ),
      ['$default', `${deployment}-fallback`],
    ]);
  });

  it('is changed by one resource at a time', () => {
    for (const stack of endpointStacks) {
      const changes = template(stack).resources.filter(({ type }) =>
        ['AWS::ApiGatewayV2::Integration', 'AWS::ApiGatewayV2::Route'].includes(type),
      );
      const ids = new Set(changes.map(({ id }) => id));
      const before = new Map(
        changes.map(({ id, dependsOn, properties }) => {
          const target = referred(template(stack), properties['Target'])?.id;
          const waitsFor = [...dependsOn.map(String), ...(target === undefined ? [] : [target])];
          return [id, waitsFor.filter((other) => ids.has(other))];
        }),
      );
      // Each waits for one other, but for the first: a chain.
      const awaited = new Set([...before.values()].flat());
      const chain: string[] = [];
      for (let id = [...ids].find((one) => !awaited.has(one)); id !== undefined; [id] = before.get(id) ?? [])
        chain.push(id);
      assert.equal(new Set(chain).size, chain.length);
      same(chain, [...ids]);
    }
  });

  it('is served under a domain if one is named, together with its certificate', () => {
    const { Rules, Conditions, Resources, Outputs } = JSON.parse(template('Api').text) as Record<string, object>;
    assert.match(textAt(Rules, 'DomainHasACertificate', 'Assertions', 0, 'AssertDescription'), /given together/);
    assert.deepEqual(at(Conditions, 'HasDomain'), { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'DomainName' }, ''] }] });
    const conditional = Object.values(Resources ?? {}).filter((resource) => at(resource, 'Condition') === 'HasDomain');
    same(
      conditional.map((resource) => at(resource, 'Type')),
      ['AWS::ApiGatewayV2::DomainName', 'AWS::ApiGatewayV2::ApiMapping'],
    );
    assert.equal(at(Outputs, 'DomainTarget', 'Condition'), 'HasDomain');
    assert.equal(at(Outputs, 'ApiUrl', 'Value', 'Fn::If', 0), 'HasDomain');
  });

  it('has the permission to invoke every one of its functions', () => {
    const resources = endpointStacks.flatMap((stack) => template(stack).resources);
    const permissions = resources.filter(({ type }) => type === 'AWS::Lambda::Permission');
    for (const { properties } of permissions) assert.equal(properties['Principal'], 'apigateway.amazonaws.com');
    // A function has one for each of its routes.
    same(
      [...new Set(permissions.map(({ properties }) => properties['FunctionName']))],
      resources.filter(({ type }) => type === 'AWS::Lambda::Function').map(({ id }) => `{${id}.Arn}`),
    );
  });

  it('exposes every header of the API description to pages of other origins', () => {
    const [api] = all('AWS::ApiGatewayV2::Api');
    const path = join(import.meta.dirname, '..', '..', 'docs', 'openapi.json');
    const described: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const headers = Object.keys(at(described, 'components', 'headers') as object);
    // No operation has the method that a 405 refuses, so no operation documents its header. The gateway may rename another.
    const untold = ['allow', 'x-amzn-remapped-www-authenticate'];
    same(listAt(api, 'properties', 'CorsConfiguration', 'ExposeHeaders'), [...headers, ...untold]);
  });

  it('is throttled by both limits unless parameters set none', () => {
    const { Parameters, Resources, Rules } = JSON.parse(template('Api').text);
    const none = ['RequestsPerSecond', 'RequestsAtOnce'].map((parameter) => ({
      'Fn::Equals': [{ Ref: parameter }, '0'],
    }));
    assert.deepEqual(listAt(Rules, 'BothLimitsOrNone', 'Assertions'), [
      {
        Assert: { 'Fn::Or': [{ 'Fn::And': none }, { 'Fn::Not': [{ 'Fn::Or': none }] }] },
        AssertDescription: 'RequestsPerSecond and RequestsAtOnce are given together or not at all',
      },
    ]);
    const settings = at(
      Object.values(Resources).find((it) => at(it, 'Type') === 'AWS::ApiGatewayV2::Stage'),
      'Properties',
      'DefaultRouteSettings',
    );
    for (const [limit, parameter] of [
      ['ThrottlingRateLimit', 'RequestsPerSecond'],
      ['ThrottlingBurstLimit', 'RequestsAtOnce'],
    ] as const) {
      assert.equal(at(Parameters, parameter, 'Default'), 1_000);
      assert.deepEqual(at(settings, limit), {
        'Fn::If': [`Has${parameter}`, { Ref: parameter }, { Ref: 'AWS::NoValue' }],
      });
    }
  });

  it('logs neither query nor headers', () => {
    const [stage] = all('AWS::ApiGatewayV2::Stage');
    const format = JSON.parse(textAt(stage, 'properties', 'AccessLogSettings', 'Format')) as Record<string, string>;
    for (const value of Object.values(format)) assert.doesNotMatch(value, /query|header|authorizer/i);
    assert.equal(format['integrationRequestId'], '$context.integration.requestId');
  });
});

describe('queues', () => {
  it('are those that workers serve, with their retries and time', () => {
    const expected = ofKind('worker').flatMap((entry) =>
      stacksOf(entry).flatMap((stack) => {
        const [main, dead] = queuesOf(entry).map((name) => queueIn(stack, name));
        for (const queue of [main, dead]) {
          // A message of an ordered queue whose run was killed holds up its group for as long.
          const seconds =
            at(queue, 'properties', 'FifoQueue') === true ? entry.timeoutSeconds + 5 : 2 * entry.timeoutSeconds;
          assert.equal(at(queue, 'properties', 'VisibilityTimeout'), seconds);
          assert.equal(at(queue, 'properties', 'FifoQueue') ?? false, queues[entry.definition.queue].fifo);
          assert.equal(at(queue, 'properties', 'SqsManagedSseEnabled'), true);
        }
        assert.deepEqual(at(main, 'properties', 'RedrivePolicy'), {
          deadLetterTargetArn: `{${dead?.id}.Arn}`,
          maxReceiveCount: queues[entry.definition.queue].fifo ? 1_000 : entry.definition.attempts + 60,
        });
        return queuesOf(entry).map((name) => [stack, name]);
      }),
    );
    same(
      all('AWS::SQS::Queue').map(({ stack, properties }) => [stack, properties['QueueName']]),
      expected,
    );
  });

  it('drive their worker, and no function polls the dead-letter queues', () => {
    const expected = ofKind('worker').flatMap((entry) =>
      stacksOf(entry).map((stack) => ({
        BatchSize: entry.definition.batchSize,
        EventSourceArn: `{${queueIn(stack, queuesOf(entry)[0]).id}.Arn}`,
        FunctionName: `{${functionIn(stack, entry).id}}`,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        ScalingConfig: {
          MaximumConcurrency: concurrencyParameters.get(entry.definition.queue) ?? entry.definition.maxConcurrency,
        },
      })),
    );
    same(
      all('AWS::Lambda::EventSourceMapping').map(({ properties }) => properties),
      expected,
    );
  });

  it('get a message for every upload to the bucket of their region, and of no other', () => {
    for (const stack of regionStacks) {
      const bucket = `${deployment}-content-${accountId}-${template(stack).region}`;
      const plan = queueIn(stack, queueName(deployment, 'plan'));
      const content = named(stack, 'AWS::S3::Bucket', 'BucketName', bucket);
      assert.deepEqual(content.properties['NotificationConfiguration'], {
        QueueConfigurations: [
          {
            Event: 's3:ObjectCreated:*',
            Filter: {
              S3Key: {
                Rules: [
                  { Name: 'prefix', Value: 'uploads/' },
                  { Name: 'suffix', Value: '/source' },
                ],
              },
            },
            Queue: `{${plan.id}.Arn}`,
          },
        ],
      });
      const policy = present(
        all('AWS::SQS::QueuePolicy').find(
          (found) => found.stack === stack && at(found, 'properties', 'Queues', 0) === `{${plan.id}}`,
        ),
        'policy of the plan queue',
      );
      const statements = listAt(policy, 'properties', 'PolicyDocument', 'Statement');
      assert.deepEqual(
        statements.filter((statement) => at(statement, 'Effect') === 'Allow'),
        [
          {
            Action: 'sqs:SendMessage',
            Condition: {
              ArnEquals: { 'aws:SourceArn': `arn:aws:s3:::${bucket}` },
              StringEquals: { 'aws:SourceAccount': accountId },
            },
            Effect: 'Allow',
            Principal: { Service: 's3.amazonaws.com' },
            Resource: `{${plan.id}.Arn}`,
          },
        ],
      );
      assert.ok(content.dependsOn.includes(policy.id), 'S3 asks the queue as soon as the bucket is there');
    }
  });
});

it('schedules run as often as their definitions say', () => {
  const expected = ofKind('schedule').flatMap((entry) =>
    stacksOf(entry).map((stack) => {
      const { everyMinutes } = entry.definition;
      return [
        `rate(${everyMinutes} minute${everyMinutes === 1 ? '' : 's'})`,
        'ENABLED',
        `{${functionIn(stack, entry).id}.Arn}`,
      ];
    }),
  );
  const actual = all('AWS::Events::Rule').map(({ properties }) => [
    properties['ScheduleExpression'],
    properties['State'],
    at(properties, 'Targets', 0, 'Arn'),
  ]);
  same(actual, expected);
});

describe('data', () => {
  /** Encryption of a resource with a key of the operator's own, and without. */
  const byKey = ({ stack, id }: Resource): readonly unknown[] => {
    const { Conditions, Resources } = JSON.parse(template(stack).text) as Record<string, object>;
    assert.deepEqual(at(Conditions, 'HasKmsKey'), { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'KmsKeyArn' }, ''] }] });
    const properties = at(Resources, id, 'Properties');
    const chosen =
      at(properties, 'SSESpecification') ?? at(properties, 'BucketEncryption', 'ServerSideEncryptionConfiguration', 0);
    const [condition, ...branches] = listAt(chosen, 'Fn::If');
    assert.equal(condition, 'HasKmsKey');
    return branches;
  };

  it('has every table encrypted, restorable but for the keys of secrets, kept, and shaped as the item kit needs it', () => {
    same(
      all('AWS::DynamoDB::Table').map(({ properties }) => properties['TableName']),
      Object.keys(tables).map((name) => `${deployment}-${name}`),
    );
    for (const [name, { due, restorable }] of Object.entries(tables)) {
      const table = named('Data', 'AWS::DynamoDB::Table', 'TableName', `${deployment}-${name}`);
      assert.equal(table.deletionPolicy, 'Retain');
      assert.partialDeepStrictEqual(table.properties, {
        BillingMode: 'PAY_PER_REQUEST',
        DeletionProtectionEnabled: true,
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: restorable },
        TimeToLiveSpecification: { AttributeName: 'expires_at_epoch', Enabled: true },
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      });
      // DynamoDB encrypts every table; false names the key that AWS owns, which costs nothing.
      assert.deepEqual(byKey(table), [
        { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: { Ref: 'KmsKeyArn' } },
        { SSEEnabled: false },
      ]);
      const index = {
        IndexName: 'due',
        KeySchema: [
          { AttributeName: 'due_pk', KeyType: 'HASH' },
          { AttributeName: 'due_at', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      };
      assert.deepEqual(table.properties['GlobalSecondaryIndexes'], due ? [index] : undefined, name);
    }
  });

  it('has every bucket encrypted, private and kept, and only content open to uploads', () => {
    assert.equal(all('AWS::S3::Bucket').length, regions.length * buckets.length);
    for (const stack of regionStacks) {
      for (const bucket of buckets) {
        const name = `${deployment}-${bucket}-${accountId}-${template(stack).region}`;
        const found = named(stack, 'AWS::S3::Bucket', 'BucketName', name);
        const { properties, deletionPolicy } = found;
        assert.equal(deletionPolicy, 'RetainExceptOnCreate');
        assert.partialDeepStrictEqual(properties, {
          PublicAccessBlockConfiguration: {
            BlockPublicAcls: true,
            BlockPublicPolicy: true,
            IgnorePublicAcls: true,
            RestrictPublicBuckets: true,
          },
        });
        assert.deepEqual(byKey(found), [
          {
            BucketKeyEnabled: true,
            ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: { Ref: 'KmsKeyArn' } },
          },
          { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
        ]);
        const cors = listAt(properties, 'CorsConfiguration', 'CorsRules').map((rule) => at(rule, 'AllowedMethods'));
        assert.deepEqual(cors, bucket === 'content' ? [['PUT']] : []);
        const rules = listAt(properties, 'LifecycleConfiguration', 'Rules');
        assert.ok(rules.some((rule) => at(rule, 'AbortIncompleteMultipartUpload', 'DaysAfterInitiation') === 1));
        const expiring = rules.filter((rule) => at(rule, 'ExpirationInDays') !== undefined);
        assert.deepEqual(
          expiring.map((rule) => [at(rule, 'Prefix'), at(rule, 'ExpirationInDays'), at(rule, 'TagFilters')]),
          bucket === 'content'
            ? [
                ['batches/', 7, undefined],
                ['uploads/', 7, [{ Key: 'upload', Value: 'pending' }]],
                ['embeddings/', 30, undefined],
                ['exports/', 8, undefined],
                ['evaluations/', 31, undefined],
              ]
            : [],
        );
      }
    }
  });

  it('is deleted by the commands of the documentation, as far as a removal of the stacks keeps it', () => {
    const text = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'deploy.md'), 'utf8');
    const [beforeAll = '', removal = ''] = text.split('## Remove everything');
    const [, ofRegion = ''] = beforeAll.split('To remove a region,');
    const nameProperties = ['TableName', 'BucketName', 'VectorBucketName'];
    const kept = assembly.resources.filter(({ deletionPolicy }) => deletionPolicy.startsWith('Retain'));
    const kinds = new Set(kept.map(({ type }) => type));
    assert.deepEqual(
      kinds,
      new Set(['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::S3Vectors::VectorBucket', 'AWS::Cognito::UserPool']),
    );
    assert.match(removal, /delete-user-pool/);
    for (const { type, stack, properties } of kept) {
      const name = nameProperties.map((property) => textAt(properties, property)).find((found) => found !== '') ?? '';
      const [, part = ''] = name.split('-');
      if (type === 'AWS::DynamoDB::Table') assert.match(removal, new RegExp(`for table in [^;]*\\b${part}\\b`), name);
      else if (name !== '')
        for (const section of [removal, ofRegion])
          assert.ok(section.includes(`N-${part}-ACCOUNT-REGION`), `${stack} ${name}`);
    }
  });

  it('is transferred only by TLS', () => {
    const policies = [...all('AWS::SQS::QueuePolicy'), ...all('AWS::S3::BucketPolicy')];
    const protectedOnes = policies
      .filter(({ properties }) =>
        listAt(properties, 'PolicyDocument', 'Statement').some(
          (statement) =>
            at(statement, 'Effect') === 'Deny' && at(statement, 'Condition', 'Bool', 'aws:SecureTransport') === 'false',
        ),
      )
      .map(({ stack, properties }) => [stack, properties['Bucket'] ?? at(properties, 'Queues', 0)]);
    same(
      protectedOnes,
      [...all('AWS::SQS::Queue'), ...all('AWS::S3::Bucket')].map(({ stack, id }) => [stack, `{${id}}`]),
    );
  });

  it('lets people sign in by e-mail, with a client that has no secret', () => {
    const [pool] = all('AWS::Cognito::UserPool');
    assert.deepEqual(at(pool, 'properties', 'UsernameAttributes'), ['email']);
    assert.equal(pool?.deletionPolicy, 'Retain');
    assert.partialDeepStrictEqual(pool?.properties, {
      MfaConfiguration: '{SecondFactor}',
      Policies: { PasswordPolicy: { MinimumLength: '{PasswordLength}', RequireSymbols: true } },
    });
    const parameters = at(JSON.parse(template('Data').text), 'Parameters');
    assert.partialDeepStrictEqual(parameters, {
      PasswordLength: { Default: 12, MinValue: 8, MaxValue: 99 },
      SecondFactor: { Default: 'OPTIONAL', AllowedValues: ['OPTIONAL', 'ON'] },
    });
    const [client] = all('AWS::Cognito::UserPoolClient');
    assert.equal(at(client, 'properties', 'GenerateSecret'), false);
  });
});

describe('operation', () => {
  it('has an alarm with its impact for every queue, worker and schedule', () => {
    const watched = all('AWS::CloudWatch::Alarm').map(({ stack, properties }) => {
      assert.match(textAt(properties, 'AlarmDescription'), /^[A-Z].+ until .+\.$/);
      const isSchedule = properties['MetricName'] === 'Errors';
      // A schedule that does not run has no value at all.
      assert.equal(properties['TreatMissingData'], isSchedule ? 'breaching' : 'notBreaching');
      const metrics = listAt(properties, 'Metrics').flatMap((query) => at(query, 'MetricStat', 'Metric') ?? []);
      const sources = metrics.length > 0 ? metrics : [properties];
      return sources.map((metric) => [
        stack,
        textAt(metric, 'MetricName'),
        listAt(metric, 'Dimensions').map((dimension) => at(dimension, 'Value')),
      ]);
    });
    const metricsOf = ({ properties }: Resource): readonly string[] =>
      properties['RedrivePolicy'] === undefined
        ? ['ApproximateNumberOfMessagesVisible']
        : ['ApproximateAgeOfOldestMessage', 'NumberOfMessagesReceived', 'NumberOfMessagesDeleted'];
    same(watched.flat(), [
      ...all('AWS::SQS::Queue').flatMap((queue) =>
        metricsOf(queue).map((metric) => [queue.stack, metric, [`{${queue.id}.QueueName}`]]),
      ),
      ...ofKind('schedule').flatMap((entry) =>
        stacksOf(entry).map((stack) => [stack, 'Errors', [`{${functionIn(stack, entry).id}}`]]),
      ),
      ...all('AWS::ApiGatewayV2::Api').map(({ stack, id }) => [stack, '5xx', [`{${id}}`]]),
      ...regionStacks.flatMap((stack) =>
        ['ModelWaitMinutes', 'IndexMaintenanceFailures', 'Throttles'].map((metric) => [stack, metric, []]),
      ),
    ]);
  });

  it('has a section of the runbook for each alarm, under its name, and none for another', () => {
    const runbook = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'runbook.md'), 'utf8');
    const sections = runbook.split(/^##+ /m).slice(1);
    const names = all('AWS::CloudWatch::Alarm').map(({ properties }) => {
      const [, name = ''] = /^acme-(.+)$/.exec(textAt(properties, 'AlarmName')) ?? [];
      assert.ok(textAt(properties, 'AlarmDescription').endsWith(` See docs/runbook.md, ${name}.`), name);
      return name;
    });
    const described = sections.filter((section) => section.includes('**Meaning:**'));
    same(
      described.map((section) => section.split('\n')[0]),
      [...new Set(names)],
    );
    for (const section of described) assert.match(section, /\*\*Look here:\*\* [^]+\*\*Do this:\*\* /);
  });

  it('has a dashboard of all regions with existing metrics and alarms', () => {
    const [dashboard, ...others] = all('AWS::CloudWatch::Dashboard');
    assert.equal(others.length, 0);
    const body = textAt(dashboard, 'properties', 'DashboardBody');
    const { widgets } = JSON.parse(body) as { readonly widgets: readonly object[] };
    const named = widgets.flatMap((widget) => listAt(widget, 'properties', 'alarms')).map(String);
    same(
      named,
      all('AWS::CloudWatch::Alarm')
        .filter(({ stack }) => template(stack).region === home)
        .map(({ properties }) => `arn:aws:cloudwatch:${home}:${accountId}:alarm:${textAt(properties, 'AlarmName')}`),
    );
    const known = new Set(
      [...all('AWS::SQS::Queue'), ...all('AWS::Lambda::Function')].flatMap(({ properties }) => [
        properties['QueueName'],
        properties['FunctionName'],
      ]),
    );
    const shown = widgets
      .flatMap((widget) => listAt(widget, 'properties', 'metrics'))
      .flatMap((metric) => {
        const list = listAt(metric);
        return ['QueueName', 'FunctionName'].flatMap((dimension) =>
          list.includes(dimension) ? [list[list.indexOf(dimension) + 1]] : [],
        );
      });
    assert.ok(shown.length > 0);
    for (const name of shown) assert.ok(known.has(name), String(name));
    for (const region of regions) assert.ok(body.includes(`${region}: seconds`), region);
  });

  it('detects a worker that fails on everything, in periods long enough for a killed run to be received again', () => {
    for (const entry of ofKind('worker')) {
      for (const stack of stacksOf(entry)) {
        const queue = `{${queueIn(stack, queuesOf(entry)[0]).id}.QueueName}`;
        const alarm = all('AWS::CloudWatch::Alarm').find(
          (found) =>
            found.stack === stack &&
            listAt(found.properties, 'Metrics').some(
              (query) => at(query, 'MetricStat', 'Metric', 'Dimensions', 0, 'Value') === queue,
            ),
        );
        assert.partialDeepStrictEqual(alarm?.properties, { EvaluationPeriods: 3, Threshold: 0 });
        const [expression, ...metrics] = listAt(alarm, 'properties', 'Metrics');
        assert.equal(at(expression, 'Expression'), 'received - 2 * FILL(deleted, 0)');
        assert.deepEqual(
          metrics.map((query) => at(query, 'Id')),
          ['received', 'deleted'],
        );
        for (const query of metrics) {
          const seconds = Number(at(query, 'MetricStat', 'Period'));
          assert.equal(seconds % 300, 0);
          assert.ok(seconds >= 2 * entry.timeoutSeconds, entry.id);
          assert.equal(at(query, 'MetricStat', 'Stat'), 'Sum');
        }
      }
    }
  });

  it('reads from log lines how long a task waits for a model and how often maintenance of an index fails', () => {
    const watched = [
      // A task comes again within a quarter of an hour and its run.
      ['a task waits for its model', 'ModelWaitMinutes', '$.waited_minutes', { Threshold: 30, Period: 1_200 }],
      // A build that failed is tried again after six hours.
      ['index.maintenance.failed', 'IndexMaintenanceFailures', '$.failures', { Threshold: 2, Period: 43_200 }],
    ] as const;
    const filters = all('AWS::Logs::MetricFilter');
    assert.equal(filters.length, watched.length * regions.length);
    for (const { stack, properties } of filters) {
      const found = watched.find(([line]) => properties['FilterPattern'] === `{ $.message = "${line}" }`);
      assert.ok(found !== undefined);
      const [, metric, value, alarmed] = found;
      assert.deepEqual(listAt(properties, 'MetricTransformations'), [
        { MetricName: metric, MetricNamespace: deployment, MetricValue: value },
      ]);
      const logGroup = all('AWS::Logs::LogGroup').find(
        (one) => one.stack === stack && `{${one.id}}` === properties['LogGroupName'],
      );
      assert.equal(logGroup?.properties['LogGroupName'], `/${deployment}/region`);
      const alarm = all('AWS::CloudWatch::Alarm').find(
        (one) => one.stack === stack && one.properties['MetricName'] === metric,
      );
      const expected = { EvaluationPeriods: 1, Statistic: 'Maximum', ...alarmed };
      assert.partialDeepStrictEqual(alarm?.properties, expected);
    }
  });

  it('limits the retention of every log', () => {
    for (const { properties } of all('AWS::Logs::LogGroup')) assert.equal(properties['RetentionInDays'], 30);
  });
});

describe('stacks', () => {
  it('size their workers by their definitions unless parameters override them', () => {
    for (const stack of regionStacks) {
      const parameters = at(JSON.parse(template(stack).text), 'Parameters');
      const workers = ofKind('worker');
      for (const entry of workers.filter(isSizedByParameter))
        assert.equal(at(parameters, 'IndexMemory', 'Default'), entry.memoryMb);
      const fileTask = workers.find(({ definition }) => definition.queue === 'tasks');
      assert.partialDeepStrictEqual(at(parameters, 'TasksAtOnce'), {
        Type: 'Number',
        Default: fileTask?.definition.maxConcurrency,
        MinValue: 2,
        MaxValue: 1_000,
      });
    }
  });

  it('keep concurrency for index writers and searches if a parameter says so', () => {
    const reservedSearches = {
      'Fn::If': ['HasReservedSearches', { Ref: 'ReserveSearches' }, { Ref: 'AWS::NoValue' }],
    };
    for (const stack of regionStacks) {
      const { Parameters, Conditions, Resources } = JSON.parse(template(stack).text) as Record<string, object>;
      assert.partialDeepStrictEqual(at(Parameters, 'WritersAtOnce'), { Default: 100, MinValue: 2, MaxValue: 1_000 });
      assert.partialDeepStrictEqual(at(Parameters, 'ReserveWriters'), { Default: 'false' });
      assert.deepEqual(at(Conditions, 'HasReservedWriters'), { 'Fn::Equals': [{ Ref: 'ReserveWriters' }, 'true'] });
      const reserving = Object.values(Resources ?? {}).flatMap((resource) => {
        const reserved = at(resource, 'Properties', 'ReservedConcurrentExecutions');
        return reserved === undefined ? [] : [[at(resource, 'Properties', 'FunctionName'), reserved]];
      });
      assert.deepEqual(reserving, [
        [
          `${deployment}-index-writer`,
          { 'Fn::If': ['HasReservedWriters', { Ref: 'WritersAtOnce' }, { Ref: 'AWS::NoValue' }] },
        ],
        [`${deployment}-index-reader`, reservedSearches],
      ]);
    }
    const { Parameters, Conditions } = JSON.parse(template(stackOfEntity('search')).text) as Record<string, object>;
    assert.partialDeepStrictEqual(at(Parameters, 'ReserveSearches'), { Type: 'Number', Default: 0, MinValue: 0 });
    assert.deepEqual(at(Conditions, 'HasReservedSearches'), {
      'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'ReserveSearches' }, '0'] }],
    });
    const searches = template(stackOfEntity('search')).resources.filter(
      ({ properties }) => properties['ReservedConcurrentExecutions'] !== undefined,
    );
    same(
      searches.map(({ properties }) => properties['FunctionName']),
      ['dense', 'sparse', 'hybrid'].map((kind) => `${deployment}-${kind}-search`),
    );
  });

  it('refuse Svix without the address at which it finds this deployment', () => {
    for (const stack of [...endpointStacks, 'Events']) {
      assert.deepEqual(at(JSON.parse(template(stack).text), 'Rules', 'SvixFindsTheRelay'), {
        RuleCondition: { 'Fn::Equals': [{ Ref: 'DeliveryProvider' }, 'svix'] },
        Assertions: [
          {
            Assert: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'WebhookRelayUrl' }, ''] }] },
            AssertDescription: 'DeliveryProvider=svix needs WebhookRelayUrl, the address of this API',
          },
        ],
      });
    }
  });

  it('refuse another issuer without an audience, and a model that its provider does not have', () => {
    const rulesOf = (stack: string) => at(JSON.parse(template(stack).text), 'Rules');
    for (const stack of endpointStacks)
      assert.deepEqual(at(rulesOf(stack), 'IssuerHasAnAudience'), {
        RuleCondition: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'IdentityIssuer' }, ''] }] },
        Assertions: [
          {
            Assert: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'IdentityAudience' }, ''] }] },
            AssertDescription: 'IdentityIssuer needs IdentityAudience, whom its tokens are meant for',
          },
        ],
      });
    const isDefault = { 'Fn::Equals': [{ Ref: 'EmbeddingModel' }, 'amazon.titan-embed-text-v2:0'] };
    for (const stack of [...endpointStacks, ...regionStacks])
      for (const [rule, provider, wanted] of [
        ['OpenAiHasTheModel', 'openai', { 'Fn::Not': [isDefault] }],
        ['BedrockHasTheModel', 'bedrock', isDefault],
      ] as const) {
        const { RuleCondition, Assertions } = at(rulesOf(stack), rule) as Record<string, unknown>;
        assert.deepEqual(RuleCondition, { 'Fn::Equals': [{ Ref: 'EmbeddingProvider' }, provider] });
        assert.deepEqual(at(Assertions, 0, 'Assert'), wanted);
      }
  });

  it('are deployed with consumers of messages before their senders, and the API last', () => {
    assert.deepEqual(assembly.dependencies, {
      Data: [],
      Events: ['Data'],
      ...Object.fromEntries(regionStacks.map((stack) => [stack, ['Events']])),
      Api: [...regionStacks, 'Data'].toSorted(),
      ...Object.fromEntries(
        endpointStacks.map((stack, order) => [
          stack,
          ['Api', ...endpointStacks.slice(Math.max(0, order - 1), order), 'Data'].toSorted(),
        ]),
      ),
    });
  });

  it('are data, events, the API and its endpoints in the home region, and one per region', () => {
    same(
      assembly.templates.map(({ id, region }) => [id, region]),
      [
        ...['Data', 'Api', ...endpointStacks, 'Events'].map((id) => [id, home]),
        ...regions.map((region) => [`Region-${region}`, region]),
      ],
    );
  });

  it('take no value from another region and need no function of CDK', () => {
    const exported = new Map(
      assembly.templates.flatMap(({ region, outputs }) =>
        Object.values(outputs).map((output) => [textAt(output, 'Export', 'Name'), region] as const),
      ),
    );
    for (const { id, region, text } of assembly.templates) {
      for (const [, name = ''] of text.matchAll(/"Fn::ImportValue":"([^"]+)"/g)) {
        assert.equal(exported.get(name), region, `${id} imports ${name}`);
      }
      assert.doesNotMatch(text, /Fn::GetStackOutput|Custom::|AWS::CloudFormation::CustomResource/);
    }
  });

  it('leave room: none has more than 300 of the 500 resources that CloudFormation takes, or 400 of 1,000 KB', () => {
    for (const { id, text, resources } of assembly.templates) {
      assert.ok(resources.length <= 300, `${id}: ${resources.length} resources`);
      assert.ok(text.length <= 400_000, `${id}: ${text.length} characters`);
    }
  });
});
