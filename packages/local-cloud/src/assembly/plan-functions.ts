import type { QueueMapping } from '../events/drive-queue.ts';
import type { ScheduleDefinition } from '../events/run-schedules.ts';
import type { FunctionDefinition } from '../host/function-definition.ts';
import { arnOf, physicalName, pickResources } from './pick-resources.ts';
import { describeResource, type Resource } from './resolve-assembly.ts';

const minutesPer: Readonly<Record<string, number>> = { minute: 1, hour: 60, day: 24 * 60 };

const assetOf = (directories: ReadonlyMap<string, string>, key: string, resource: Resource): string => {
  const directory = directories.get(key);
  if (directory === undefined) {
    throw new Error(`${describeResource(resource)}: the assembly has no asset ${key}`);
  }
  return directory;
};

/** Functions of all regions with the directories that their code and layers come from. */
export const planFunctions = (
  resources: readonly Resource[],
  directories: ReadonlyMap<string, string>,
): readonly FunctionDefinition[] => {
  const layers = new Map(
    pickResources(resources, 'AWS::Lambda::LayerVersion').map((layer) => [
      layer.identity.ref,
      assetOf(directories, layer.parsed.Content.S3Key, layer),
    ]),
  );
  return pickResources(resources, 'AWS::Lambda::Function').map((resource) => {
    const { Code, Handler, Timeout, MemorySize, Environment, Layers } = resource.parsed;
    return {
      region: resource.region,
      name: physicalName(resource, 'FunctionName'),
      arn: arnOf(resource),
      codeDirectory: assetOf(directories, Code.S3Key, resource),
      handler: Handler,
      timeoutSeconds: Timeout,
      memoryMb: MemorySize,
      environment: Environment.Variables,
      layerDirectories: Layers.map((arn) => layers.get(arn)).filter((directory) => directory !== undefined),
    };
  });
};

/** Event source mappings from queues to functions. */
export const planMappings = (
  resources: readonly Resource[],
  functions: readonly FunctionDefinition[],
): readonly QueueMapping[] =>
  pickResources(resources, 'AWS::Lambda::EventSourceMapping')
    .filter(({ parsed }) => parsed.Enabled)
    .map((resource) => {
      const { EventSourceArn, FunctionName, BatchSize, ScalingConfig, FunctionResponseTypes } = resource.parsed;
      const target = functions.find(
        ({ region, name, arn }) => region === resource.region && (name === FunctionName || arn === FunctionName),
      );
      if (target === undefined || !EventSourceArn.startsWith('arn:aws:sqs:')) {
        throw new Error(`${describeResource(resource)}: nothing here maps ${EventSourceArn} to ${FunctionName}`);
      }
      return {
        queueArn: EventSourceArn,
        functionArn: target.arn,
        batchSize: BatchSize,
        maximumConcurrency: ScalingConfig?.MaximumConcurrency ?? null,
        reportsBatchItemFailures: FunctionResponseTypes.includes('ReportBatchItemFailures'),
      };
    });

/** Schedules that run functions. */
export const planSchedules = (resources: readonly Resource[]): readonly ScheduleDefinition[] =>
  pickResources(resources, 'AWS::Events::Rule')
    .filter(({ parsed }) => parsed.State === 'ENABLED')
    .flatMap((resource) => {
      const [, count = '0', unit = 'minute'] = /(\d+) (minute|hour|day)/.exec(resource.parsed.ScheduleExpression) ?? [];
      return resource.parsed.Targets.map(({ Arn, Input }) => ({
        name: physicalName(resource, 'Name'),
        region: resource.region,
        arn: arnOf(resource),
        everyMinutes: Number(count) * (minutesPer[unit] ?? 1),
        functionArn: Arn,
        input: Input ?? null,
      }));
    });
