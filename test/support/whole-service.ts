import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { endpoints } from '../../functions/registry.ts';
import {
  prepareAssembly,
  functionId,
  functionEnvironment,
  type LocalReach,
  defaultHostLimits,
  type HostLimits,
  type AccessDenied,
  type AccessKey,
  reportDenial,
  type OpenCloud,
  openCloud,
  type AwsShape,
} from '#local-cloud';
import { projectDirectory } from '../../scripts/support/project-directory.ts';
import { sharedServiceVariable } from '../../scripts/support/service-log.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import { offline } from './offline.ts';
import { openSmallSite } from './small-site.ts';
import { engineFaults, testEngine } from '../../scripts/support/test-engine.ts';

/** Tests call nearly every function: to start one again costs more than to keep its process until the end. */
const limits = { ...defaultHostLimits, processes: 256, warmMs: 10 * 60_000 };

const homeRegion = 'us-east-1';

/** Where a whole service is found, and what it keeps. */
export interface WholeService {
  readonly baseUrl: string;
  /** Endpoint that replaces AWS. */
  readonly endpointUrl: string;
  readonly operatorKey: AccessKey;
  readonly dataDirectory: string;
  /** Of a small site that its crawls may read. */
  readonly siteUrl: string;
  /** What the templates give the functions of all endpoints, and the local cloud adds; with the key of its operator. */
  readonly environment: Readonly<Record<string, string>>;
}

/** A service that has been opened. */
export interface OpenService {
  readonly service: WholeService;
  /** Stops the service and removes its data, if this process opened it. */
  readonly close: () => Promise<void>;
}

const environmentOf = (
  { plan, settings, endpointUrl }: OpenCloud,
  dataDirectory: string,
  reach: LocalReach,
): Record<string, string> => {
  const ids = new Set(Object.values(endpoints).map(({ id }) => id));
  const definitions = plan.functions.filter((candidate) => ids.has(functionId(candidate)));
  const surroundings = {
    endpointUrl,
    ...settings.read(),
    sessionToken: '',
    vectorsDirectory: join(dataDirectory, 'vectors'),
    modulesDirectory: join(projectDirectory, 'node_modules'),
    compileCacheDirectory: join(projectDirectory, 'dist', 'compile-cache'),
    reach,
  };
  const environments = definitions.map((definition) => functionEnvironment(definition, surroundings));
  const {
    NODE_PATH: _path,
    NODE_COMPILE_CACHE: _cache,
    // The key of an operator has none.
    AWS_SESSION_TOKEN: _token,
    ...own
  } = Object.assign({}, ...environments) as Record<string, string>;
  return own;
};

/** What differs from a service as it is deployed. */
interface ServiceChanges {
  /** Returns the assembly to start in place of the built one. */
  readonly changeAssembly?: (assemblyDirectory: string) => string;
  /** Gets each denial, which then does not fail the test run. */
  readonly onDenied?: (denied: AccessDenied) => void;
  /** Runs it as AWS does. */
  readonly shape?: AwsShape;
  readonly limits?: HostLimits;
  /** Values of further parameters of the stacks, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Further embedding models, as the context of the same name. */
  readonly embeddingModels?: readonly unknown[];
}

/** Opens a service on data of its own. @param regions The first is home. */
export const openService = async (
  regions: readonly string[] = [homeRegion],
  changes: ServiceChanges = {},
): Promise<OpenService> => {
  const { changeAssembly = (assembly) => assembly, onDenied = reportDenial, embeddingModels = [] } = changes;
  const dataDirectory = await mkdtemp(join(tmpdir(), 'strata-service-'));
  const site = await openSmallSite();
  const reach = { allowLocalWebhooks: true, crawlLocalAddress: site.address };
  const cloud = await openCloud({
    dataDirectory,
    port: 0,
    regions,
    assembly: async () =>
      changeAssembly(await prepareAssembly({ deployment: 'strata', regions, embeddingModels, onProgress: () => {} })),
    onDenied,
    reach,
    parameters: { ...offline, ...changes.parameters },
    clock: systemClock,
    limits: changes.limits ?? limits,
    shape: changes.shape,
    onProgress: () => {},
    // What functions log is in a file of the data directory, and much of it is meant.
    onWarning: () => {},
    onError: console.error,
  });
  const { baseUrl, endpointUrl, settings } = cloud;
  const { accessKeyId, secretAccessKey } = settings.read();
  const operatorKey = { accessKeyId, secretAccessKey };
  if (testEngine !== undefined)
    await fetch(`${baseUrl}/_local/vector-faults`, { method: 'POST', body: JSON.stringify(engineFaults) });
  return {
    service: {
      baseUrl,
      endpointUrl,
      operatorKey,
      dataDirectory,
      siteUrl: site.url,
      environment: environmentOf(cloud, dataDirectory, reach),
    },
    close: async () => {
      await cloud.close();
      site.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
};

/** Opens the service that all files share whose tests this process runs. @returns What closes it. */
export const shareService = async (): Promise<() => Promise<void>> => {
  const { service, close } = await openService();
  process.env[sharedServiceVariable] = JSON.stringify(service);
  return close;
};

/** A service for the tests of one file alone. @param regions The first is home. */
export const startOwnService = async (
  regions: readonly string[],
  changes: ServiceChanges = {},
): Promise<WholeService> => {
  const { service, close } = await openService(regions, changes);
  after(close);
  return service;
};
