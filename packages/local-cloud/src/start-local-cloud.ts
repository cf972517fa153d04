import { readDeployment } from '../../../lib/deployment.ts';
import { systemClock } from '../../../shared/kernel/clock.ts';
import { prepareAssembly } from './build/prepare-assembly.ts';
import type { LocalReach } from './host/function-environment.ts';
import { defaultHostLimits, lambdaHostLimits } from './host/process-pool.ts';
import type { AwsShape } from './shape/aws-shape.ts';
import { openCloud } from './open-cloud.ts';
import { type FirstCredentials, openFirstOrganization } from './first-organization.ts';

/** First part of every physical name. */
const deployment = 'strata';

/** How the whole service is started on one machine. */
export interface LocalCloudOptions {
  readonly dataDirectory: string;
  /** 0: any free port. */
  readonly port: number;
  /** Regions of indexes. The first is home. */
  readonly regions: readonly string[];
  readonly reach: LocalReach;
  /** Values of further parameters of the stacks, by name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Folder with a speech model; without it recordings are not transcribed. */
  readonly speechModelDirectory?: string;
  /** Folder with an embedding model for new indexes, and its name; without it they get the embedded model. */
  readonly embeddingModel?: { readonly directory: string; readonly name: string };
  /** Further embedding models, as the context `embeddingModels`. */
  readonly embeddingModels: readonly unknown[];
  /** Reranker, as the context `reranker`; undefined: the embedded ones. */
  readonly reranker?: unknown;
  /** Runs the cloud as AWS does (`--aws-shape`). */
  readonly shape?: AwsShape;
  /** Gives each function processes of its own (`--isolate`). */
  readonly isolate?: boolean;
  /** Records calls, requests and runs (`--trace`). */
  readonly trace?: boolean;
  /** Ids of the functions whose processes open a debugger port. */
  readonly inspect?: readonly string[];
}

/** Listeners of a start and of the running service. */
export interface Listeners {
  readonly onProgress: (phase: string) => void;
  /** Gets what functions write to stderr or log as a warning or an error. */
  readonly onWarning: (text: string) => void;
}

/** The running service with the credentials of its first organization. */
export interface LocalCloud extends FirstCredentials {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly consoleUrl: string;
  /** Issuer whose ID tokens open sessions. */
  readonly trustedIssuer: string;
  /** Builds templates of the present sources, and resolves to their folder. */
  readonly assembly: () => Promise<string>;
  /** Ends the processes of the functions with these ids, so that further runs load new code. */
  readonly restartFunctions: (functionIds: ReadonlySet<string>) => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts the service from its own templates. Failures of the local cloud itself go to stderr.
 * @throws Error in one line for a problem that a user can solve: a port or data directory in use, or templates that one
 *   machine cannot serve.
 */
export const startLocalCloud = async (options: LocalCloudOptions, listeners: Listeners): Promise<LocalCloud> => {
  const { regions, embeddingModels, reranker } = options;
  const { onProgress } = listeners;
  readDeployment({ name: deployment, regions, embeddingModels, reranker });
  const prepare = (report: (phase: string) => void) =>
    prepareAssembly({ deployment, regions, embeddingModels, reranker, onProgress: report });
  const cloud = await openCloud({
    ...options,
    ...listeners,
    assembly: () => prepare(onProgress),
    clock: systemClock,
    limits:
      options.shape === undefined
        ? { ...defaultHostLimits, isolatesFunctions: options.isolate === true }
        : lambdaHostLimits,
    onError: console.error,
  });
  try {
    onProgress('checking the first organization');
    const credentials = await openFirstOrganization(cloud, systemClock);
    const { baseUrl, trustedIssuer, restartFunctions, close } = cloud;
    const assembly = () => prepare(() => {});
    return {
      baseUrl,
      docsUrl: `${baseUrl}/docs`,
      consoleUrl: `${baseUrl}/console`,
      trustedIssuer,
      ...credentials,
      assembly,
      restartFunctions,
      close,
    };
  } catch (error) {
    await cloud.close();
    throw error;
  }
};
