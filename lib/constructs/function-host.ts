import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Aws, Duration, type IResolvable, RemovalPolicy, Size, Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { functionName, roleName } from '../../shared/kernel/names.ts';
import { logStreamsArn } from '../arns.ts';
import { layerAssets } from '../assets.ts';
import { homeRegion, type Deployment } from '../deployment.ts';
import { type FunctionEntry, continuesByMessages } from '../functions.ts';
import { grantsOf, type Grant } from '../grants.ts';
import { detectsLoops } from '../region-services.ts';

interface FunctionHostProps {
  readonly deployment: Deployment;
  /** Names the log group. All stacks of endpoints have that of the API. */
  readonly place: Place;
  /** Regions whose queues, buckets and readers the functions may use. */
  readonly reach: readonly string[];
  /** Environment variables that differ between stacks. */
  readonly environment: Readonly<Record<'STRATA_IDENTITY_ISSUER' | 'STRATA_IDENTITY_AUDIENCE', string>> &
    Readonly<Record<string, string>>;
}

/** `environment` of functions that verify no ID token. */
export const plainEnvironment = {
  STRATA_IDENTITY_ISSUER: 'none',
  STRATA_IDENTITY_AUDIENCE: 'none',
} as const;

/**
 * Environment of functions that resolve host names chosen by users. DNS lookups get half of Node's threads, and an
 * abandoned lookup keeps its thread until the name server times out. With the default of four threads, two such names
 * would block the lookups of all users.
 */
const publicEnvironment = { UV_THREADPOOL_SIZE: '64' } as const;

const statementOf = ({ effect = 'allow', actions, resources, leadingKeys }: Grant): iam.PolicyStatement =>
  new iam.PolicyStatement({
    effect: effect === 'allow' ? iam.Effect.ALLOW : iam.Effect.DENY,
    actions: [...actions],
    resources: [...resources],
    ...(leadingKeys !== undefined && {
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...leadingKeys] } },
    }),
  });

/** Findings of cdk-nag for a grant, in its own spelling. */
const wildcardFindings = ({ resources, wildcardReason }: Grant): { id: string; reason: string }[] =>
  wildcardReason === undefined
    ? []
    : resources.map((resource) => ({
        id: `AwsSolutions-IAM5[Resource::${resource
          .replaceAll(Aws.PARTITION, '<AWS::Partition>')
          .replaceAll(Aws.ACCOUNT_ID, '<AWS::AccountId>')}]`,
        reason: wildcardReason,
      }));

/** Reserves concurrency of the account for one function. The typed property takes no condition. */
export const reserveConcurrency = (handler: lambda.Function, reserved: IResolvable | undefined): void => {
  if (reserved !== undefined)
    (handler.node.defaultChild as lambda.CfnFunction).addPropertyOverride('ReservedConcurrentExecutions', reserved);
};

type Place = 'api' | 'events' | 'region';

const logGroupName = ({ name }: Deployment, place: Place): string => `/${name}/${place}`;

/** Adds the log of functions. */
export const addFunctionLog = (scope: Construct, deployment: Deployment, place: Place): logs.LogGroup =>
  new logs.LogGroup(scope, 'Logs', {
    logGroupName: logGroupName(deployment, place),
    retention: logs.RetentionDays.ONE_MONTH,
    removalPolicy: RemovalPolicy.DESTROY,
  });

/**
 * The functions of one stack. They share a log group, their layers, and one role per distinct set of permissions. Each
 * function adds two resources to its stack, and has exactly the permissions of its definition.
 */
export class FunctionHost extends Construct {
  readonly logGroup: logs.ILogGroup;
  readonly #props: FunctionHostProps;
  readonly #environment: Record<string, string>;

  constructor(scope: Construct, id: string, props: FunctionHostProps) {
    super(scope, id);
    this.#props = props;
    const { deployment, place } = props;
    this.logGroup =
      place === 'api'
        ? logs.LogGroup.fromLogGroupName(this, 'Logs', logGroupName(deployment, place))
        : addFunctionLog(this, deployment, place);
    this.#environment = {
      STRATA_DEPLOYMENT: deployment.name,
      STRATA_ACCOUNT_ID: Aws.ACCOUNT_ID,
      STRATA_HOME_REGION: homeRegion(deployment),
      STRATA_REGIONS: deployment.regions.join(','),
      ...(deployment.s3VectorsRegions.length === deployment.regions.length
        ? {}
        : { STRATA_S3_VECTORS_REGIONS: deployment.s3VectorsRegions.join(',') }),
      ...(deployment.embeddingModels.length === 0
        ? {}
        : { STRATA_EMBEDDING_MODELS: JSON.stringify(deployment.embeddingModels) }),
      ...(deployment.reranker.provider === 'embedded' ? {} : { STRATA_RERANKER: JSON.stringify(deployment.reranker) }),
      ...props.environment,
    };
  }

  /** Creates the function of an entry. `extra`: permissions for the queue or schedule that runs it. */
  add(entry: FunctionEntry, extra: readonly Grant[] = []): lambda.Function {
    const { name, codeDirectory } = this.#props.deployment;
    return new lambda.Function(this, entry.id, {
      functionName: functionName(name, entry.id),
      description: entry.summary,
      runtime: lambda.Runtime.NODEJS_24_X,
      architecture: lambda.Architecture.X86_64,
      handler: 'index.handler',
      code: lambda.Code.fromAsset(join(codeDirectory, 'functions', entry.id)),
      timeout: Duration.seconds(entry.timeoutSeconds),
      memorySize: entry.memoryMb,
      ...(entry.storageMb === undefined ? {} : { ephemeralStorageSize: Size.mebibytes(entry.storageMb) }),
      role: this.#roleFor(entry, extra),
      layers: layerAssets.filter((asset) => entry.assets.includes(asset)).map((asset) => this.#layer(asset)),
      logGroup: this.logGroup,
      environment: {
        ...this.#environment,
        ...(entry.capabilities.includes('network.public') ? publicEnvironment : {}),
      },
      // Lambda takes a chain of sixteen messages for a loop and stops it. Leases, cursors and attempts end the chains here.
      ...(continuesByMessages(entry) &&
        detectsLoops(Stack.of(this).region) && { recursiveLoop: lambda.RecursiveLoop.ALLOW }),
    });
  }

  #roleFor(entry: FunctionEntry, extra: readonly Grant[]): iam.IRole {
    const { deployment, reach } = this.#props;
    const { region } = Stack.of(this);
    const grants = [
      ...grantsOf(entry.capabilities, {
        deployment: deployment.name,
        homeRegion: homeRegion(deployment),
        region,
        regions: reach,
        hasS3Vectors: deployment.s3VectorsRegions.includes(region),
        eventBus: deployment.eventBus,
        embeddingModels: deployment.embeddingModels,
        reranker: deployment.reranker,
      }),
      ...extra,
      this.#writeLogs(),
    ];
    const digest = createHash('sha256')
      .update(JSON.stringify([entry.capabilities, extra]))
      .digest('hex');
    // Customers trust the role by its name, and their trust would end if another role replaced it.
    const isTrusted = entry.capabilities.includes('roles.assume');
    const id = `Role-${isTrusted ? entry.id : digest.slice(0, 12)}`;
    const known = this.node.tryFindChild(id);
    if (known instanceof iam.Role) return known;
    const role = new iam.Role(this, id, {
      ...(isTrusted ? { roleName: roleName(deployment.name, entry.id, region) } : {}),
      assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      description: `Functions with: ${entry.capabilities.join(', ') || 'no capability'}`,
      inlinePolicies: {
        Capabilities: new iam.PolicyDocument({ statements: grants.map(statementOf) }),
      },
    });
    for (const finding of grants.flatMap(wildcardFindings)) Validations.of(role).acknowledge(finding);
    return role;
  }

  #writeLogs(): Grant {
    const { deployment, place } = this.#props;
    return {
      actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      resources: [logStreamsArn(Stack.of(this).region, logGroupName(deployment, place))],
      wildcardReason: 'Streams of the one log group that the functions write to',
    };
  }

  #layer(asset: (typeof layerAssets)[number]): lambda.ILayerVersion {
    const id = `Layer-${asset}`;
    const known = this.node.tryFindChild(id);
    if (known instanceof lambda.LayerVersion) return known;
    return new lambda.LayerVersion(this, id, {
      layerVersionName: `${this.#props.deployment.name}-${asset}`,
      code: lambda.Code.fromAsset(join(this.#props.deployment.codeDirectory, 'layers', asset)),
      compatibleRuntimes: [lambda.Runtime.NODEJS_24_X],
      compatibleArchitectures: [lambda.Architecture.X86_64],
    });
  }
}
