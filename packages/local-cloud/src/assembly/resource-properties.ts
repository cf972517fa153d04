import * as z from 'zod';

const number = z.coerce.number();
const truth = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);
const texts = z.array(z.string()).default([]);
const absent = z.undefined({ error: 'is not supported on one machine' }).optional();

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

const table = z.object({
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema: keySchema,
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({
          ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']),
          NonKeyAttributes: z.array(z.string()).optional(),
        }),
      }),
    )
    .default([]),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: truth }).optional(),
  LocalSecondaryIndexes: absent,
  StreamSpecification: absent,
});

const redrivePolicy = z.object({ deadLetterTargetArn: z.string(), maxReceiveCount: number });

/** Limits of a queue, and defaults of the properties that its template omits. */
const queue = z.object({
  FifoQueue: truth.default(false),
  ContentBasedDeduplication: truth.default(false),
  DeduplicationScope: z.enum(['queue', 'messageGroup']).default('queue'),
  DelaySeconds: number.default(0),
  VisibilityTimeout: number.default(30),
  MaximumMessageSize: number.default(1_048_576),
  MessageRetentionPeriod: number.default(345_600),
  ReceiveMessageWaitTimeSeconds: number.default(0),
  RedrivePolicy: redrivePolicy.optional(),
});

const bucket = z.object({
  CorsConfiguration: z
    .object({
      CorsRules: z.array(
        z.object({
          AllowedOrigins: z.array(z.string()),
          AllowedMethods: z.array(z.string()),
          AllowedHeaders: texts,
          ExposedHeaders: texts,
          MaxAge: number.optional(),
        }),
      ),
    })
    .default({ CorsRules: [] }),
  LifecycleConfiguration: z
    .object({
      Rules: z.array(
        z.object({
          Status: z.enum(['Enabled', 'Disabled']),
          Prefix: z.string().optional(),
          ExpirationInDays: number.optional(),
          AbortIncompleteMultipartUpload: z.object({ DaysAfterInitiation: number }).optional(),
          TagFilters: z.array(z.object({ Key: z.string(), Value: z.string() })).optional(),
        }),
      ),
    })
    .default({ Rules: [] }),
  NotificationConfiguration: z
    .object({
      QueueConfigurations: z
        .array(
          z.object({
            Event: z
              .string()
              .regex(/^s3:ObjectCreated:/, { error: 'is an event that is not supported on one machine' }),
            Queue: z.string(),
            Filter: z
              .object({ S3Key: z.object({ Rules: z.array(z.object({ Name: z.string(), Value: z.string() })) }) })
              .optional(),
          }),
        )
        .default([]),
      LambdaConfigurations: absent,
      TopicConfigurations: absent,
      EventBridgeConfiguration: absent,
    })
    .default({ QueueConfigurations: [] }),
  VersioningConfiguration: absent,
});

const lambda = z.object({
  Code: z.object({ S3Key: z.string({ error: 'must be an asset' }) }),
  Handler: z.string(),
  Runtime: z.string().regex(/^nodejs/, { error: 'is a runtime that is not supported on one machine' }),
  Timeout: number.default(3),
  MemorySize: number.default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).default({ Variables: {} }),
  Layers: texts,
  Role: z.string(),
});

const role = z.object({
  AssumeRolePolicyDocument: z.unknown(),
  Policies: z.array(z.object({ PolicyName: z.string(), PolicyDocument: z.unknown() })).default([]),
  ManagedPolicyArns: texts,
  PermissionsBoundary: absent,
});

const attachedPolicy = z.object({ PolicyDocument: z.unknown(), Roles: texts, Users: absent, Groups: absent });

/** Permission of a service to invoke a function: one statement of the function's resource policy. */
const permission = z.object({
  Action: z.string(),
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
  SourceAccount: z.string().optional(),
  EventSourceToken: absent,
  FunctionUrlAuthType: absent,
  PrincipalOrgID: absent,
});

const mapping = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: truth.default(true),
  BatchSize: number.default(10),
  ScalingConfig: z.object({ MaximumConcurrency: number }).optional(),
  FunctionResponseTypes: texts,
  FilterCriteria: absent,
  MaximumBatchingWindowInSeconds: z.literal(0, { error: 'is not supported on one machine' }).optional(),
});

const rule = z.object({
  ScheduleExpression: z
    .string({ error: 'must be there: only schedules are supported on one machine' })
    .regex(/^rate\(\d+ (minutes?|hours?|days?)\)$/, { error: 'must be a rate' }),
  State: z.string().default('ENABLED'),
  Targets: z
    .array(z.object({ Arn: z.string(), Input: z.string().optional(), InputPath: absent, InputTransformer: absent }))
    .default([]),
  EventPattern: absent,
});

const api = z.object({
  ProtocolType: z.literal('HTTP'),
  CorsConfiguration: z
    .object({
      AllowOrigins: texts,
      AllowMethods: texts,
      AllowHeaders: texts,
      ExposeHeaders: texts,
      MaxAge: number.optional(),
      AllowCredentials: truth.default(false),
    })
    .optional(),
});

const route = z.object({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().regex(/^integrations\//),
  AuthorizationType: z.literal('NONE', { error: 'is not supported on one machine' }).default('NONE'),
});

const integration = z.object({
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: number.optional(),
});

/** Properties that the local cloud supports, by resource type. A property that it would have to support and cannot is an error. */
export const resourceProperties = {
  'AWS::ApiGatewayV2::Api': api,
  'AWS::ApiGatewayV2::Integration': integration,
  'AWS::ApiGatewayV2::Route': route,
  'AWS::DynamoDB::Table': table,
  'AWS::Events::Rule': rule,
  'AWS::IAM::ManagedPolicy': attachedPolicy,
  'AWS::IAM::Policy': attachedPolicy,
  'AWS::IAM::Role': role,
  'AWS::Lambda::EventSourceMapping': mapping,
  'AWS::Lambda::Function': lambda,
  'AWS::Lambda::LayerVersion': z.object({ Content: z.object({ S3Key: z.string() }) }),
  'AWS::Lambda::Permission': permission,
  'AWS::S3::Bucket': bucket,
  'AWS::S3::BucketPolicy': z.object({ Bucket: z.string(), PolicyDocument: z.unknown() }),
  'AWS::S3Vectors::VectorBucket': z.object({ VectorBucketName: z.string({ error: 'must be there on one machine' }) }),
  'AWS::SQS::Queue': queue,
  'AWS::SQS::QueuePolicy': z.object({ Queues: z.array(z.string()), PolicyDocument: z.unknown() }),
} as const;

export type EmulatedType = keyof typeof resourceProperties;

/** Parsed properties of a resource type. */
export type PropertiesOf<Type extends EmulatedType> = z.output<(typeof resourceProperties)[Type]>;
