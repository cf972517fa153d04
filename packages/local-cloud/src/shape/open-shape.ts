import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AwsShape } from './aws-shape.ts';
import { type ObjectStoreFaults, openObjectStoreFaults } from './object-store-faults.ts';

/** Delays the requests to the local endpoint as AWS would. */
export interface RequestShaper {
  /** Resolves when the service may respond; false if a fault has responded in its place. */
  readonly arrive: (
    service: string,
    accessKeyId: string,
    request: IncomingMessage,
    response: ServerResponse,
  ) => Promise<boolean>;
  /** Resolves when a function has received this number of bytes of S3, behind what it transfers already. */
  readonly download: (accessKeyId: string, bytes: number) => Promise<void>;
}

const pause = async (ms: number): Promise<void> => {
  // A timer takes at least a millisecond.
  if (ms >= 0.5) await delay(ms);
};

/** State of a run with `--aws-shape`. */
export interface LocalShape extends RequestShaper {
  readonly faults: ObjectStoreFaults;
  /** Ends the idle connections to the services of AWS, since a frozen function does not notice that one has ended. */
  readonly dropConnections: () => void;
}

export const openShape = ({ latencyMs, s3BytesPerSecond }: AwsShape, dropConnections: () => void): LocalShape => {
  const faults = openObjectStoreFaults();
  /** Times at which functions have transferred all that they have begun to. */
  const freeAtMs = new Map<string, number>();
  const transferMs = (accessKeyId: string, bytes: number): number => {
    const nowMs = performance.now();
    const endMs = Math.max(nowMs, freeAtMs.get(accessKeyId) ?? 0) + (bytes / s3BytesPerSecond) * 1_000;
    freeAtMs.set(accessKeyId, endMs);
    return endMs - nowMs;
  };
  const latencyOf = (service: string, accessKeyId: string, { headers }: IncomingMessage): number => {
    if (service === 's3') return latencyMs.s3 + transferMs(accessKeyId, Number(headers['content-length'] ?? 0));
    if (service === 'lambda') return latencyMs.invoke;
    return service === 'dynamodb' || service === 'sqs' ? latencyMs[service] : 0;
  };
  return {
    faults,
    dropConnections,
    arrive: async (service, accessKeyId, request, response) => {
      await pause(latencyOf(service, accessKeyId, request));
      return service !== 's3' || (await faults.pass(request, response));
    },
    download: (accessKeyId, bytes) => pause(transferMs(accessKeyId, bytes)),
  };
};
