import { resolve } from 'node:path';
import { readDeployment } from '../lib/deployment.ts';
import { systemClock, type Clock } from '../shared/kernel/clock.ts';
import { prepareAssembly } from './build/prepare-assembly.ts';
import { defaultHostLimits, type HostLimits } from './host/seats.ts';
import { openCloud } from './open-cloud.ts';
import { type FirstCredentials, welcome } from './welcome.ts';

/** How the whole service is started on one machine; everything but `dataDirectory` has a default. */
export interface LocalCloudOptions {
  readonly dataDirectory: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Where indexes may live, the first is home; default `us-east-1` alone. */
  readonly regions?: readonly string[];
  /** First part of every physical name; default `strata`. */
  readonly deployment?: string;
  /** Whether webhook addresses may be `http://localhost…`; default false. */
  readonly allowLocalWebhooks?: boolean;
  /** Values of further parameters of the stacks, by name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Folder with a speech model; without it recordings are not transcribed. */
  readonly speechModelDirectory?: string;
  /** How far functions may use the machine, where that is not as by default. */
  readonly limits?: Partial<HostLimits>;
  readonly clock?: Clock;
  readonly onProgress?: (phase: string) => void;
  /** Gets what functions write to stderr or log as a warning or an error. */
  readonly onWarning?: (text: string) => void;
  /** Gets failures of the local cloud itself; default: they go to stderr. */
  readonly onError?: (error: unknown) => void;
}

/** The running service with the credentials of its first organization. */
export interface LocalCloud extends FirstCredentials {
  readonly baseUrl: string;
  /** Address that stands for AWS. */
  readonly endpointUrl: string;
  readonly docsUrl: string;
  /** Whose ID tokens open sessions. */
  readonly trustedIssuer: string;
  readonly close: () => Promise<void>;
}

/**
 * Starts the service from its own templates. @throws Error in one line for what a user can change: a port or data
 * directory in use, or templates that one machine can't serve.
 */
export const startLocalCloud = async (options: LocalCloudOptions): Promise<LocalCloud> => {
  const { deployment = 'strata', regions = ['us-east-1'], clock = systemClock, onProgress = () => {} } = options;
  readDeployment({ name: deployment, regions });
  const cloud = await openCloud({
    regions,
    dataDirectory: resolve(options.dataDirectory),
    port: options.port ?? 0,
    assembly: () => prepareAssembly({ deployment, regions, onProgress }),
    allowLocalWebhooks: options.allowLocalWebhooks ?? false,
    ...(options.speechModelDirectory !== undefined && { speechModelDirectory: resolve(options.speechModelDirectory) }),
    ...(options.parameters !== undefined && { parameters: options.parameters }),
    clock,
    limits: { ...defaultHostLimits, ...options.limits },
    onProgress,
    onWarning: options.onWarning ?? (() => {}),
    onError: options.onError ?? console.error,
  });
  try {
    onProgress('checking the first organization');
    const credentials = await welcome(cloud, clock);
    const { baseUrl, endpointUrl, trustedIssuer, close } = cloud;
    return { baseUrl, endpointUrl, docsUrl: `${baseUrl}/docs`, trustedIssuer, ...credentials, close };
  } catch (error) {
    await cloud.close();
    throw error;
  }
};
