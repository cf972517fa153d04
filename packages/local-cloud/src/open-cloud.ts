import { chmodSync } from 'node:fs';
import type { Server } from 'node:http';
import { join } from 'node:path';
import type { Clock } from '../../../shared/kernel/clock.ts';
import { planCloud, type CloudPlan } from './assembly/plan-cloud.ts';
import { lockData } from './data/data-lock.ts';
import { watchDisk } from './data/disk-watch.ts';
import { makeDirectory, startError } from './data/make-directory.ts';
import { backUp, type CopyDatabase } from './data/back-up.ts';
import { closeServer, isPortInUse, listen, listenPreferably } from './data/listen.ts';
import { keepIndexTables, keepRegions, openSettings, type SettingsFile } from './data/settings.ts';
import { countRequests } from './endpoint/request-counts.ts';
import { createAwsServer, type AwsServices } from './endpoint/serve-aws.ts';
import { createFrontServer, type FrontServer } from './gateway/front-server.ts';
import { serveApi } from './gateway/serve-api.ts';
import { type LocalParts, type OperatorAccess, serveLocal } from './gateway/serve-local.ts';
import type { LocalReach } from './host/function-environment.ts';
import { type InvocationLedger, openInvocationLedger } from './host/invocation-ledger.ts';
import { openProcessFiles } from './host/process-files.ts';
import type { HostLimits } from './host/process-pool.ts';
import { serveLambda } from './host/serve-lambda.ts';
import {
  identityKeysPath,
  identityPath,
  issuerOf,
  localAudience,
  openIdentityProvider,
  type IdentityProvider,
} from './identity/identity-provider.ts';
import { openSignIn } from './identity/sign-in.ts';
import type { AccessDenied } from './iam/access-denied.ts';
import type { AccessKey } from './iam/access-keys.ts';
import { openAccess } from './open-access.ts';
import { openHost } from './open-host.ts';
import { openStores } from './open-stores.ts';
import type { AwsShape } from './shape/aws-shape.ts';
import { openShape } from './shape/open-shape.ts';
import { openRequestTrace } from './shape/request-trace.ts';
import { localAccountId } from '../../../shared/kernel/names.ts';
import { serveQueues } from './queues/serve-queues.ts';
import { serveVectors } from './s3-vectors/serve-vectors.ts';
import { serveSecrets } from './secrets/serve-secrets.ts';
import { startDrivers } from './start-drivers.ts';

const accountId = localAccountId;
const requestGraceMs = 5_000;

/** How one machine's cloud is opened. */
export interface CloudOptions {
  readonly dataDirectory: string;
  /** Port of the HTTP API; 0 takes a free one. */
  readonly port: number;
  /** Builds or finds the cloud assembly. Called once port and data directory are locked. */
  readonly assembly: () => Promise<string>;
  readonly reach: LocalReach;
  /** Regions of the assembly, the first is home. Data that was created with others is not opened. Default: any. */
  readonly regions?: readonly string[];
  /** Values of further parameters of the stacks, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Folder with a speech model; without it recordings are not transcribed. */
  readonly speechModelDirectory?: string;
  /** Folder with an embedding model for new indexes, and its name; without it they get the embedded model. */
  readonly embeddingModel?: { readonly directory: string; readonly name: string };
  readonly clock: Clock;
  readonly limits: HostLimits;
  /** Ids of the functions whose processes open a debugger port. Default: none. */
  readonly inspect?: readonly string[];
  /** Runs the cloud as AWS does: tables in a bucket, latency, functions that are frozen between runs. Default: no. */
  readonly shape?: AwsShape | undefined;
  /** Records calls, requests and runs for `POST /_local/trace`. Default: only with `shape`. */
  readonly trace?: boolean;
  readonly onProgress: (phase: string) => void;
  /** Gets what functions write to stderr or log as a warning or an error. */
  readonly onWarning: (text: string) => void;
  /** Gets requests that no policy allows. Default: `reportDenial`. */
  readonly onDenied?: (denied: AccessDenied) => void;
  /** Gets failures of the local cloud itself, whose callers got a 500. */
  readonly onError: (error: unknown) => void;
}

/** A cloud that serves. */
export interface OpenCloud {
  readonly baseUrl: string;
  readonly endpointUrl: string;
  readonly identity: IdentityProvider;
  /** Issuer whose ID tokens open sessions: `identity` unless the parameters name another. */
  readonly trustedIssuer: string;
  readonly settings: SettingsFile;
  readonly plan: CloudPlan;
  /** Lets functions load new code; see `FunctionHost.restart`. */
  readonly restartFunctions: (functionIds: ReadonlySet<string>) => void;
  /** Refuses further requests, waits a few seconds for runs to end, and closes all data. */
  readonly close: () => Promise<void>;
}

/** Returns address and names by which an operator's command finds the tables. Functions have the same. */
const operatorAccess = (endpointUrl: string, { functions }: CloudPlan): Omit<OperatorAccess, 'credentialsFile'> => {
  const { STRATA_HOME_REGION: homeRegion = '', STRATA_DEPLOYMENT: deployment = '' } = functions[0]?.environment ?? {};
  return { endpointUrl, homeRegion, deployment };
};

/** Returns what copies the data for the operator. */
const backupOf = (
  { dataDirectory, clock }: CloudOptions,
  { secretAccessKey: operatorSecret }: AccessKey,
  stored: ReadonlyMap<string, CopyDatabase>,
  ledger: Pick<InvocationLedger, 'copyTo'>,
): LocalParts['backup'] => {
  const databases = new Map([...stored, ['invocations.sqlite', ledger.copyTo] as const]);
  return { operatorSecret, copyData: (target) => backUp({ dataDirectory, target, databases, clock }) };
};

/** HTTP API and AWS endpoint. Both listen before the rest is opened, so that a used port is reported at once. */
interface Endpoints {
  readonly front: FrontServer;
  readonly baseUrl: string;
  readonly endpointUrl: string;
  readonly openEndpoint: (services: AwsServices) => void;
  /** Ends the idle connections to the endpoint. */
  readonly dropConnections: () => void;
}

const listenOn = async (server: Server, port: number): Promise<string> => {
  try {
    return `http://127.0.0.1:${await listen(server, port)}`;
  } catch (error) {
    throw isPortInUse(error) ? new Error(`port ${port} is in use; choose another with --port`) : error;
  }
};

const closeSoon = async (server: Server): Promise<void> => {
  const deadline = setTimeout(() => server.closeAllConnections(), requestGraceMs);
  await closeServer(server);
  clearTimeout(deadline);
};

const bindEndpoints = async (
  port: number,
  settings: SettingsFile,
  onError: (error: unknown) => void,
  opened: AsyncDisposableStack,
): Promise<Endpoints> => {
  const front = createFrontServer(onError);
  const baseUrl = await listenOn(front.server, port);
  opened.defer(() => closeSoon(front.server));
  const services = Promise.withResolvers<AwsServices>();
  const aws = createAwsServer(services.promise, onError);
  const awsPort = await listenPreferably(aws, settings.read().awsPort);
  opened.defer(() => closeSoon(aws));
  settings.change({ awsPort });
  return {
    front,
    baseUrl,
    endpointUrl: `http://127.0.0.1:${awsPort}`,
    openEndpoint: services.resolve,
    dropConnections: () => aws.closeIdleConnections(),
  };
};

/** Makes a directory private to its owner, since tables and objects hold keys and content. */
const closeToOthers = (directory: string): void => {
  try {
    chmodSync(directory, 0o700);
  } catch {
    // Another user owns the directory, such as a mounted volume, and decides on its permissions.
  }
};

const takeData = ({ dataDirectory, shape, regions }: CloudOptions, opened: AsyncDisposableStack): SettingsFile => {
  makeDirectory(dataDirectory);
  closeToOthers(dataDirectory);
  opened.defer(lockData(dataDirectory).release);
  const settings = openSettings(dataDirectory);
  keepIndexTables(settings, shape === undefined ? 'directory' : 'bucket');
  if (regions !== undefined) keepRegions(settings, regions);
  return settings;
};

const makePlan = async (
  options: CloudOptions,
  settings: SettingsFile,
  { baseUrl, endpointUrl }: Endpoints,
): Promise<CloudPlan> =>
  planCloud({
    assemblyDirectory: await options.assembly(),
    identity: { accountId, endpointUrl, baseUrl },
    parameters: {
      IdentityIssuer: issuerOf(settings, baseUrl),
      IdentityKeys: options.parameters?.['IdentityIssuer'] === undefined ? `${baseUrl}${identityKeysPath}` : '',
      IdentityConfiguration:
        options.parameters?.['IdentityIssuer'] === undefined
          ? `${baseUrl}${identityPath}/.well-known/openid-configuration`
          : '',
      IdentityAudience: options.parameters?.['IdentityIssuer'] === undefined ? localAudience : '',
      ...(options.embeddingModel === undefined
        ? { EmbeddingProvider: 'embedded' }
        : {
            EmbeddingProvider: 'model-folder',
            EmbeddingModel: options.embeddingModel.name,
            EmbeddingModelDirectory: options.embeddingModel.directory,
          }),
      OcrProvider: 'embedded',
      AudioProvider: options.speechModelDirectory === undefined ? 'off' : 'model-folder',
      SpeechModelDirectory: options.speechModelDirectory ?? '',
      ...options.parameters,
    },
    asked: options.parameters ?? {},
  });

const openWith = async (given: CloudOptions, opened: AsyncDisposableStack): Promise<Omit<OpenCloud, 'close'>> => {
  const { dataDirectory, clock } = given;
  const disk = watchDisk(dataDirectory, given.onError);
  const onError = (error: unknown): void => {
    if (!disk.note(error)) given.onError(error);
  };
  const options = { ...given, onError, disk };
  const settings = takeData(options, opened);
  const doors = await bindEndpoints(options.port, settings, onError, opened);
  const { baseUrl, endpointUrl } = doors;
  const plan = await makePlan(options, settings, doors);

  options.onProgress('opening tables, queues and buckets');
  const files = openProcessFiles(join(dataDirectory, 'run'));
  await files.killOrphans();
  const ledger = openInvocationLedger(join(dataDirectory, 'invocations.sqlite'), clock);
  opened.defer(ledger.close);
  const { authorizer, access, operatorKey, keyOf } = openAccess({ ...options, accountId, plan, settings });
  const shape = options.shape && openShape(options.shape, doors.dropConnections);
  const trace = shape !== undefined || options.trace === true ? openRequestTrace() : undefined;
  const shared = { ...options, shape, trace, plan, accountId, endpointUrl };
  const stores = await openStores({ ...shared, access, operatorKey }, opened);
  const host = openHost({ ...shared, keyOf, files, ledger }, opened);
  // Before the stores that it repairs are closed.
  opened.defer(disk.stop);
  const requests = countRequests();
  doors.openEndpoint({
    authorizer,
    accountId,
    counts: requests,
    shaper: shape,
    trace,
    s3: stores.objects.serve,
    dynamodb: stores.tables,
    sqs: serveQueues({ store: stores.queues, accountId, endpointUrl }),
    ssm: serveSecrets(join(dataDirectory, 'secrets.json'), accountId),
    lambda: serveLambda(host, accountId),
    s3vectors: serveVectors(stores.vectors, accountId),
  });

  const backup = backupOf(options, operatorKey, stores.databases, ledger);
  const aws = { ...operatorAccess(endpointUrl, plan), credentialsFile: settings.file };
  const identity = await openIdentityProvider({ baseUrl, settings, clock });
  const signIn = openSignIn({ baseUrl, path: identityPath, identity, clock });
  startDrivers({ plan, host, store: stores.queues, accountId, clock, onError }, opened);
  doors.front.open({
    api: serveApi({ api: plan.api, functions: plan.functions, host, accountId, clock, disk, trace }),
    local: serveLocal({ identity, signIn, host, ledger, requests, authorizer, ...stores, aws, backup, shape, trace }),
  });
  // Registered last, so it runs first: no new request is accepted while the rest closes.
  opened.defer(() => closeSoon(doors.front.server));
  const trustedIssuer = options.parameters?.['IdentityIssuer'] ?? identity.issuer;
  return { baseUrl, endpointUrl, identity, trustedIssuer, settings, plan, restartFunctions: host.restart };
};

/**
 * Opens the cloud of one machine from a cloud assembly.
 * @throws Error in one line if the data directory or the port is in use, or the assembly needs something unsupported.
 */
export const openCloud = async (options: CloudOptions): Promise<OpenCloud> => {
  await using opened = new AsyncDisposableStack();
  const cloud = await openWith(options, opened).catch((error: unknown) => {
    throw startError(options.dataDirectory, error);
  });
  const kept = opened.move();
  return { ...cloud, close: () => kept.disposeAsync() };
};
