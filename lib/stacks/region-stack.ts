import { Aws, Duration, RemovalPolicy, Stack, Validations, type App } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import * as iam from 'aws-cdk-lib/aws-iam';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import * as logs from 'aws-cdk-lib/aws-logs';
import type * as s3 from 'aws-cdk-lib/aws-s3';
import * as s3vectors from 'aws-cdk-lib/aws-s3vectors';
import { contentPrefixes } from '../../shared/kernel/content-keys.ts';
import { maintenanceFailed, modelWait } from '../../shared/kernel/log.ts';
import { vectorBucketName } from '../../shared/kernel/names.ts';
import { bucketArn } from '../arns.ts';
import { FunctionHost, plainEnvironment, reserveConcurrency } from '../constructs/function-host.ts';
import { ImpactAlarm } from '../constructs/impact-alarm.ts';
import { QueueWorker } from '../constructs/queue-worker.ts';
import { RegionBucket } from '../constructs/region-bucket.ts';
import { ScheduledFunction } from '../constructs/scheduled-function.ts';
import type { Deployment } from '../deployment.ts';
import type { EntryOf, FunctionEntry } from '../functions.ts';
import { encryptionKeyParameter } from './encryption-key.ts';
import {
  crawlParameters,
  importParameters,
  indexMemoryParameter,
  indexSizeParameter,
  modelParameters,
  searchConcurrencyParameter,
  tasksAtOnceParameter,
  writerParameters,
} from './parameters.ts';
import { stackProps } from './stack-props.ts';

/** Resources of one region for indexes: its buckets, its queues with their workers, and the index engine. */
export class RegionStack extends Stack {
  constructor(app: App, deployment: Deployment, region: string, entries: readonly FunctionEntry[]) {
    super(
      app,
      `Region-${region}`,
      stackProps(deployment.name, `region-${region}`, region, `content and indexes in ${region}`),
    );
    const host = new FunctionHost(this, 'Functions', {
      deployment,
      place: 'region',
      reach: [region],
      environment: {
        ...plainEnvironment,
        ...modelParameters(this, region),
        ...crawlParameters(this),
        ...importParameters(this),
        ...indexSizeParameter(this),
      },
    });
    this.#watchModels(deployment.name, host);
    this.#watchMaintenance(deployment.name, host);
    this.#watchConcurrency(deployment.name);
    const content = new RegionBucket(this, 'Content', { deployment: deployment.name, region, bucket: 'content' });
    const vectors = new RegionBucket(this, 'Vectors', { deployment: deployment.name, region, bucket: 'vectors' });
    this.#encrypt(
      [content, vectors],
      deployment.s3VectorsRegions.includes(region) ? this.#addVectorBucket(deployment.name, region) : null,
    );
    const { reservedConcurrency, ...writers } = writerParameters(this);
    const sized = this.#sizedWorkers(writers);
    const reservedReaders = searchConcurrencyParameter(this);
    for (const entry of entries) {
      if (entry.kind === 'worker') {
        const worker = new QueueWorker(this, entry.id, {
          deployment: deployment.name,
          region,
          host,
          entry: sized(entry),
          ...(entry.definition.queue === 'log' && { reservedConcurrency }),
        });
        if (entry.definition.queue === 'plan') this.#announceUploads(deployment.name, content, worker);
      } else if (entry.kind === 'schedule') {
        new ScheduledFunction(this, entry.id, { deployment, host, entry });
      } else {
        const added = host.add(entry);
        if (entry.capabilities.includes('engine.read')) reserveConcurrency(added, reservedReaders);
      }
    }
  }

  /** Adds an alarm on tasks that wait for a model. They leave their queue as completed ones do, so no queue metric shows them. */
  #watchModels(deployment: string, { logGroup }: FunctionHost): void {
    const waits = new logs.MetricFilter(this, 'ModelWaits', {
      logGroup,
      filterPattern: logs.FilterPattern.stringValue('$.message', '=', modelWait.message),
      metricNamespace: deployment,
      metricName: modelWait.metric,
      metricValue: `$.${modelWait.minutes}`,
    });
    new ImpactAlarm(this, 'ModelsLate', {
      deployment,
      name: 'models-late',
      // Long enough for a waiting task to be received again in each period.
      metric: waits.metric({ statistic: cloudwatch.Stats.MAXIMUM, period: Duration.minutes(20) }),
      above: 30,
      periods: 1,
      impact: 'Files that have waited for a model for half an hour are not processed until the model responds again.',
    });
  }

  /** Adds an alarm on the maximum of consecutive failures of any index, without a metric for each index. */
  #watchMaintenance(deployment: string, { logGroup }: FunctionHost): void {
    const failures = new logs.MetricFilter(this, 'MaintenanceFailures', {
      logGroup,
      filterPattern: logs.FilterPattern.stringValue('$.message', '=', maintenanceFailed.message),
      metricNamespace: deployment,
      metricName: maintenanceFailed.metric,
      metricValue: `$.${maintenanceFailed.failures}`,
    });
    new ImpactAlarm(this, 'MaintenanceFailing', {
      deployment,
      name: 'maintenance-failing',
      // Long enough for a failing build to be retried in each period.
      metric: failures.metric({ statistic: cloudwatch.Stats.MAXIMUM, period: Duration.hours(12) }),
      above: 2,
      periods: 1,
      impact:
        'Searches of the index that the log names become slower, and upserts may be refused, until its maintenance succeeds.',
    });
  }

  /** Adds the vector bucket of the engine `s3_vectors`, which outlives its stack as the buckets do. */
  #addVectorBucket(deployment: string, region: string): s3vectors.CfnVectorBucket {
    const bucket = new s3vectors.CfnVectorBucket(this, 'Indexes', {
      vectorBucketName: vectorBucketName(deployment, Aws.ACCOUNT_ID, region),
    });
    Validations.of(this).acknowledge({
      id: 'CloudFormation-Validate::W1030',
      reason: 'KmsKeyArn is used only by the condition HasKmsKey, so its empty default never reaches the vector bucket',
    });
    bucket.applyRemovalPolicy(RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE);
    return bucket;
  }

  #encrypt(buckets: readonly RegionBucket[], indexes: s3vectors.CfnVectorBucket | null): void {
    const byKey = encryptionKeyParameter(this);
    // With a bucket key, S3 sends one request to KMS instead of one for each object.
    const rule = byKey(
      (arn) => ({
        BucketKeyEnabled: true,
        ServerSideEncryptionByDefault: { SSEAlgorithm: 'aws:kms', KMSMasterKeyID: arn },
      }),
      { ServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } },
    );
    for (const { node } of buckets)
      (node.defaultChild as s3.CfnBucket).addPropertyOverride('BucketEncryption.ServerSideEncryptionConfiguration', [
        rule,
      ]);
    if (indexes !== null)
      indexes.encryptionConfiguration = byKey((arn) => ({ SseType: 'aws:kms', KmsKeyArn: arn }), { SseType: 'AES256' });
  }

  /** Adds an alarm on the concurrency of the account, which all its functions share. */
  #watchConcurrency(deployment: string): void {
    new ImpactAlarm(this, 'Throttled', {
      deployment,
      name: 'throttled',
      metric: lambda.Function.metricAllThrottles({ period: Duration.minutes(5), statistic: cloudwatch.Stats.SUM }),
      above: 10,
      periods: 2,
      impact: 'Requests may be refused until the account has free Lambda concurrency in this region.',
    });
  }

  /** Workers with the sizes from the parameters of the stack. */
  #sizedWorkers(writers: { readonly maxConcurrency: number }): (entry: EntryOf<'worker'>) => EntryOf<'worker'> {
    const memoryMb = indexMemoryParameter(this);
    const maxConcurrency = tasksAtOnceParameter(this);
    return (entry) => {
      const { definition } = entry;
      if (definition.queue === 'tasks') return { ...entry, definition: { ...definition, maxConcurrency } };
      if (definition.queue === 'log') return { ...entry, memoryMb, definition: { ...definition, ...writers } };
      return definition.queue === 'builds' ? { ...entry, memoryMb } : entry;
    };
  }

  #announceUploads(deployment: string, content: RegionBucket, { queue }: QueueWorker): void {
    queue.addToResourcePolicy(
      new iam.PolicyStatement({
        principals: [new iam.ServicePrincipal('s3.amazonaws.com')],
        actions: ['sqs:SendMessage'],
        resources: [queue.queueArn],
        conditions: {
          // By name: the bucket depends on this policy, so the policy cannot depend on the bucket.
          ArnEquals: { 'aws:SourceArn': bucketArn(deployment, this.region, 'content') },
          StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID },
        },
      }),
    );
    content.notify({ prefix: contentPrefixes.uploads, suffix: '/source' }, queue.queueArn, queue);
  }
}
