import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probeSource } from './fixture-functions.ts';

interface Stack {
  readonly region: string;
  readonly template: object;
}

/** Writes a cloud assembly by hand in the form that `cdk synth` leaves; `functions` are sources by asset name. */
export const writeAssembly = (
  directory: string,
  stacks: Readonly<Record<string, Stack>>,
  functions: Readonly<Record<string, string>>,
): string => {
  const artifacts: Record<string, unknown> = {};
  const files = Object.fromEntries(
    Object.entries(functions).map(([name, source]) => {
      mkdirSync(join(directory, 'code', name), { recursive: true });
      writeFileSync(join(directory, 'code', name, 'index.cjs'), source);
      return [
        name,
        { source: { path: `code/${name}`, packaging: 'zip' }, destinations: { any: { objectKey: `${name}.zip` } } },
      ];
    }),
  );
  writeFileSync(join(directory, 'assets.json'), JSON.stringify({ version: '1', files }));
  artifacts['assets'] = { type: 'cdk:asset-manifest', properties: { file: 'assets.json' } };
  for (const [name, { region, template }] of Object.entries(stacks)) {
    writeFileSync(join(directory, `${name}.template.json`), JSON.stringify(template));
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment: `aws://unknown-account/${region}`,
      properties: { templateFile: `${name}.template.json`, stackName: name },
    };
  }
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ version: '1', artifacts }));
  return directory;
};

/** A function resource that runs the probe. */
export const probeFunction = (name: string, properties: object = {}): object => ({
  Type: 'AWS::Lambda::Function',
  Properties: {
    FunctionName: name,
    Code: { S3Bucket: { 'Fn::Sub': 'assets-${AWS::AccountId}-${AWS::Region}' }, S3Key: 'probe.zip' },
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Timeout: 2,
    MemorySize: 256,
    Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
    ...properties,
  },
});

const policy = (...statements: readonly object[]): object => ({ Version: '2012-10-17', Statement: statements });

/** A role that Lambda may assume, with these statements. */
export const functionRole = (...statements: readonly object[]): object => ({
  Type: 'AWS::IAM::Role',
  Properties: {
    AssumeRolePolicyDocument: policy({
      Effect: 'Allow',
      Principal: { Service: 'lambda.amazonaws.com' },
      Action: 'sts:AssumeRole',
    }),
    ...(statements.length > 0 && { Policies: [{ PolicyName: 'Own', PolicyDocument: policy(...statements) }] }),
  },
});

const mayDrain = (...queueIds: readonly string[]): object => ({
  Effect: 'Allow',
  Action: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  Resource: queueIds.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] })),
});

const queue = (name: string, properties: object): object => ({
  Type: 'AWS::SQS::Queue',
  Properties: { QueueName: name, VisibilityTimeout: 1, ...properties },
});

/** A mapping from a queue to a function of the same stack. */
export const queueMapping = (queueId: string, functionId: string, properties: object = {}): object => ({
  Type: 'AWS::Lambda::EventSourceMapping',
  Properties: {
    EventSourceArn: { 'Fn::GetAtt': [queueId, 'Arn'] },
    FunctionName: { Ref: functionId },
    BatchSize: 10,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
    ...properties,
  },
});

const redrive = (queueId: string, maxReceiveCount: number): object => ({
  RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': [queueId, 'Arn'] }, maxReceiveCount },
});

const text = (...names: readonly string[]): readonly object[] =>
  names.map((AttributeName) => ({ AttributeName, AttributeType: 'S' }));

const table = {
  Type: 'AWS::DynamoDB::Table',
  Properties: {
    TableName: 'things',
    AttributeDefinitions: text('pk', 'sk', 'due_pk', 'due_at'),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'due',
        KeySchema: [
          { AttributeName: 'due_pk', KeyType: 'HASH' },
          { AttributeName: 'due_at', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    TimeToLiveSpecification: { AttributeName: 'expires_at_epoch', Enabled: true },
  },
};

const route = (key: string, properties: object = {}): object => ({
  Type: 'AWS::ApiGatewayV2::Route',
  Properties: {
    ApiId: { Ref: 'Api' },
    RouteKey: key,
    Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] },
    ...properties,
  },
});

const homeTemplate = {
  Parameters: { IdentityIssuer: { Type: 'String', Default: '' } },
  Conditions: { OwnPool: { 'Fn::Equals': [{ Ref: 'IdentityIssuer' }, ''] } },
  Resources: {
    Role: functionRole({
      Effect: 'Allow',
      Action: 'dynamodb:PutItem',
      Resource: { 'Fn::GetAtt': ['Things', 'Arn'] },
    }),
    Pool: { Type: 'AWS::Cognito::UserPool', Properties: {} },
    Things: table,
    Api: {
      Type: 'AWS::ApiGatewayV2::Api',
      Properties: {
        Name: 'fixture',
        ProtocolType: 'HTTP',
        CorsConfiguration: {
          AllowOrigins: ['*'],
          AllowMethods: ['*'],
          AllowHeaders: ['authorization'],
          ExposeHeaders: ['x-request-id'],
          MaxAge: 60,
        },
      },
    },
    Integration: {
      Type: 'AWS::ApiGatewayV2::Integration',
      Properties: {
        ApiId: { Ref: 'Api' },
        IntegrationType: 'AWS_PROXY',
        IntegrationUri: { 'Fn::GetAtt': ['Front', 'Arn'] },
        PayloadFormatVersion: '2.0',
        TimeoutInMillis: 1000,
      },
    },
    FrontPermission: {
      Type: 'AWS::Lambda::Permission',
      Properties: {
        Action: 'lambda:InvokeFunction',
        FunctionName: { 'Fn::GetAtt': ['Front', 'Arn'] },
        Principal: 'apigateway.amazonaws.com',
        SourceArn: { 'Fn::Sub': 'arn:aws:execute-api:${AWS::Region}:${AWS::AccountId}:${Api}/*/*' },
      },
    },
    GetThing: route('GET /things/{thing_id}'),
    GetSpecial: route('GET /things/special'),
    Post: route('POST /things'),
    Default: route('$default'),
    Front: probeFunction('fixture-front', {
      Environment: {
        Variables: {
          STRATA_DEPLOYMENT: 'fixture',
          ISSUER: { 'Fn::If': ['OwnPool', { 'Fn::GetAtt': ['Pool', 'ProviderURL'] }, { Ref: 'IdentityIssuer' }] },
          API: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] },
        },
      },
    }),
  },
  Outputs: { Table: { Value: { Ref: 'Things' }, Export: { Name: 'fixture-table' } } },
};

const regionTemplate = (journal: string): object => ({
  Resources: {
    Role: functionRole(mayDrain('Jobs', 'DeadJobs', 'Slow', 'Log', 'Uploads')),
    Worker: probeFunction('fixture-worker', {
      Environment: { Variables: { STRATA_DEPLOYMENT: 'fixture', JOURNAL: journal } },
    }),
    Jobs: queue('jobs', redrive('DeadJobs', 2)),
    DeadJobs: queue('jobs-dead', {}),
    Slow: queue('slow', { VisibilityTimeout: 600 }),
    Log: queue('log.fifo', { FifoQueue: true, DeduplicationScope: 'messageGroup', VisibilityTimeout: 30 }),
    Uploads: queue('uploads', {}),
    JobsMapping: queueMapping('Jobs', 'Worker', { ScalingConfig: { MaximumConcurrency: 2 } }),
    DeadJobsMapping: queueMapping('DeadJobs', 'Worker'),
    SlowMapping: queueMapping('Slow', 'Worker'),
    LogMapping: queueMapping('Log', 'Worker'),
    UploadsMapping: queueMapping('Uploads', 'Worker'),
    // Nothing drains this one, so that tests can look into it.
    Shelf: queue('shelf', { VisibilityTimeout: 30 }),
    ShelfPolicy: {
      Type: 'AWS::SQS::QueuePolicy',
      Properties: {
        Queues: [{ Ref: 'Shelf' }],
        PolicyDocument: policy(
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'sqs:*',
            Resource: { 'Fn::GetAtt': ['Shelf', 'Arn'] },
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          {
            Effect: 'Allow',
            Principal: { Service: 's3.amazonaws.com' },
            Action: 'sqs:SendMessage',
            Resource: { 'Fn::GetAtt': ['Shelf', 'Arn'] },
            Condition: {
              ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': ['Content', 'Arn'] } },
              StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
            },
          },
        ),
      },
    },
    ShelfFifo: queue('shelf.fifo', { FifoQueue: true, ContentBasedDeduplication: true, VisibilityTimeout: 30 }),
    Vectors: { Type: 'AWS::S3Vectors::VectorBucket', Properties: { VectorBucketName: 'fixture-vectors' } },
    Content: {
      Type: 'AWS::S3::Bucket',
      Properties: {
        BucketName: { 'Fn::Join': ['-', ['content', { Ref: 'AWS::AccountId' }, { Ref: 'AWS::Region' }]] },
        NotificationConfiguration: {
          QueueConfigurations: [
            {
              Event: 's3:ObjectCreated:*',
              Queue: { 'Fn::GetAtt': ['Shelf', 'Arn'] },
              Filter: { S3Key: { Rules: [{ Name: 'prefix', Value: 'uploads/' }] } },
            },
          ],
        },
      },
    },
  },
});

/**
 * A small service that has one of everything: an API, a table, a bucket with events, queues with and without a
 * function, in two regions. What its workers do goes to `journal`.
 */
export const writeFixtureAssembly = (directory: string, journal: string): string =>
  writeAssembly(
    directory,
    {
      'fixture-home': { region: 'us-east-1', template: homeTemplate },
      'fixture-east': { region: 'us-east-1', template: regionTemplate(journal) },
      'fixture-west': { region: 'eu-west-1', template: regionTemplate(journal) },
    },
    { probe: probeSource },
  );
