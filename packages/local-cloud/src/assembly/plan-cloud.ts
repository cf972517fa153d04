import type { ObjectNotification } from '../events/announce-object.ts';
import type { QueueMapping } from '../events/drive-queue.ts';
import type { ScheduleDefinition } from '../events/run-schedules.ts';
import type { ApiDefinition } from '../gateway/api-definition.ts';
import type { FunctionDefinition } from '../host/function-definition.ts';
import type { BucketConfig } from '../object-store/contracts.ts';
import type { QueueDefinition } from '../queues/queue-types.ts';
import type { VectorBucketDefinition } from '../s3-vectors/vector-store.ts';
import type { TableDefinition } from '../tables/table-definition.ts';
import type { Permissions } from '../iam/authorizer.ts';
import type { CloudIdentity } from './identify-resource.ts';
import { checkParameters } from './check-parameters.ts';
import { planApi } from './plan-api.ts';
import { planFunctions, planMappings, planSchedules } from './plan-functions.ts';
import { planPermissions } from './plan-permissions.ts';
import { planBuckets, planQueues, planTables, planVectorBuckets } from './plan-storage.ts';
import { readAssembly } from './read-assembly.ts';
import { resolveAssembly } from './resolve-assembly.ts';
import { checkResourceTypes, emulatedTypes } from './resource-types.ts';

/** All resources of the templates as definitions of the local services. */
export interface CloudPlan {
  readonly functions: readonly FunctionDefinition[];
  readonly tables: readonly TableDefinition[];
  readonly queues: readonly QueueDefinition[];
  readonly buckets: readonly BucketConfig[];
  readonly vectorBuckets: readonly VectorBucketDefinition[];
  readonly notifications: readonly ObjectNotification[];
  readonly mappings: readonly QueueMapping[];
  readonly schedules: readonly ScheduleDefinition[];
  readonly api: ApiDefinition;
  readonly permissions: Permissions;
}

/**
 * Reads a cloud assembly as one cloud.
 * @throws Error in one line that names a resource or property which the local cloud does not support.
 */
export const planCloud = (options: {
  readonly assemblyDirectory: string;
  readonly identity: CloudIdentity;
  readonly parameters: Readonly<Record<string, string>>;
  /** Parameters that the user gave. They are checked against the stacks. */
  readonly asked?: Readonly<Record<string, string>>;
}): CloudPlan => {
  const { stacks, assetDirectories } = readAssembly(options.assemblyDirectory);
  checkResourceTypes(stacks);
  checkParameters(stacks, options.asked ?? {});
  const { identity, parameters } = options;
  const resources = resolveAssembly({ stacks, identity, parameters, types: emulatedTypes });
  const functions = planFunctions(resources, assetDirectories);
  return {
    functions,
    tables: planTables(resources),
    queues: planQueues(resources),
    ...planBuckets(resources),
    vectorBuckets: planVectorBuckets(resources),
    mappings: planMappings(resources, functions),
    schedules: planSchedules(resources),
    api: planApi(resources),
    permissions: planPermissions(resources),
  };
};
