import { queueUrl } from '../queues/queue-types.ts';

/** Parts of the identifiers of resources. */
export interface CloudIdentity {
  readonly accountId: string;
  /** Address of the AWS endpoint. */
  readonly endpointUrl: string;
  /** Address of the HTTP API. */
  readonly baseUrl: string;
}

/** Values by which other resources refer to a resource: its `Ref` and its attributes. */
export interface ResourceIdentity {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A resource before its properties are resolved. */
export interface ResourcePlace {
  readonly type: string;
  readonly stack: string;
  readonly region: string;
  readonly logicalId: string;
  /** The physical name that the template gives; null if CloudFormation would generate one. */
  readonly name: string | null;
}

type Identify = (name: string, place: ResourcePlace, identity: CloudIdentity) => ResourceIdentity;

const arnOf =
  (service: string, resource: (name: string) => string = (name) => name): Identify =>
  (name, { region }, { accountId }) => {
    const arn = `arn:aws:${service}:${region}:${accountId}:${resource(name)}`;
    return { ref: name, attributes: { Arn: arn } };
  };

const bucket: Identify = (name, { region }) => ({
  ref: name,
  attributes: {
    Arn: `arn:aws:s3:::${name}`,
    DomainName: `${name}.s3.amazonaws.com`,
    RegionalDomainName: `${name}.s3.${region}.amazonaws.com`,
  },
});

const queue: Identify = (name, { region }, { accountId, endpointUrl }) => {
  const url = queueUrl(endpointUrl, accountId, name);
  const arn = `arn:aws:sqs:${region}:${accountId}:${name}`;
  return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
};

const role: Identify = (name, _, { accountId }) => ({
  ref: name,
  attributes: { Arn: `arn:aws:iam::${accountId}:role/${name}`, RoleId: name },
});

const managedPolicy: Identify = (name, _, { accountId }) => ({
  ref: `arn:aws:iam::${accountId}:policy/${name}`,
  attributes: { PolicyArn: `arn:aws:iam::${accountId}:policy/${name}` },
});

const layer: Identify = (name, { region }, { accountId }) => {
  const arn = `arn:aws:lambda:${region}:${accountId}:layer:${name}:1`;
  return { ref: arn, attributes: { LayerVersionArn: arn } };
};

const api: Identify = (_, { logicalId }, { baseUrl }) => ({
  ref: logicalId,
  attributes: { ApiId: logicalId, ApiEndpoint: baseUrl },
});

const userPool: Identify = (_, { region, logicalId }, { accountId }) => {
  const id = `${region}_${logicalId}`;
  return {
    ref: id,
    attributes: {
      Arn: `arn:aws:cognito-idp:${region}:${accountId}:userpool/${id}`,
      UserPoolId: id,
      ProviderName: `cognito-idp.${region}.amazonaws.com/${id}`,
      ProviderURL: `https://cognito-idp.${region}.amazonaws.com/${id}`,
    },
  };
};

const userPoolClient: Identify = (name) => ({ ref: name, attributes: { ClientId: name, Name: name } });

const vectorBucket: Identify = (name, { region }, { accountId }) => {
  const arn = `arn:aws:s3vectors:${region}:${accountId}:bucket/${name}`;
  return { ref: arn, attributes: { VectorBucketArn: arn } };
};

/** The property that holds a resource's physical name, and how the resource is referred to. */
const types: Readonly<Record<string, readonly [nameProperty: string, identify: Identify]>> = {
  'AWS::ApiGatewayV2::Api': ['Name', api],
  'AWS::CloudWatch::Alarm': ['AlarmName', arnOf('cloudwatch', (name) => `alarm:${name}`)],
  'AWS::Cognito::UserPool': ['UserPoolName', userPool],
  'AWS::Cognito::UserPoolClient': ['ClientName', userPoolClient],
  'AWS::DynamoDB::Table': ['TableName', arnOf('dynamodb', (name) => `table/${name}`)],
  'AWS::Events::Rule': ['Name', arnOf('events', (name) => `rule/${name}`)],
  'AWS::IAM::ManagedPolicy': ['ManagedPolicyName', managedPolicy],
  'AWS::IAM::Role': ['RoleName', role],
  'AWS::Lambda::Function': ['FunctionName', arnOf('lambda', (name) => `function:${name}`)],
  'AWS::Lambda::LayerVersion': ['LayerName', layer],
  'AWS::Logs::LogGroup': ['LogGroupName', arnOf('logs', (name) => `log-group:${name}:*`)],
  'AWS::S3::Bucket': ['BucketName', bucket],
  'AWS::S3Vectors::VectorBucket': ['VectorBucketName', vectorBucket],
  'AWS::SQS::Queue': ['QueueName', queue],
};

/** The property that holds the physical name of a resource of this type; null if the type has none. */
export const nameProperty = (type: string): string | null => types[type]?.[0] ?? null;

/** Returns the values by which other resources refer to a resource. */
export const identifyResource = (place: ResourcePlace, identity: CloudIdentity): ResourceIdentity => {
  const name = place.name ?? `${place.stack}-${place.logicalId}`;
  const identify = types[place.type]?.[1];
  return identify === undefined ? { ref: name, attributes: {} } : identify(name, place, identity);
};
