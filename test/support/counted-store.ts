import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { startObjectStore } from './object-store.ts';
import { systemClock } from '../../shared/kernel/clock.ts';
import type { EngineLocation } from '#engine';

const bucket = 'vectors';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

/** An object store that speaks S3, with a count of the requests to it. */
export interface CountedStore {
  /** Where an engine of its own, with nothing open and nothing in its caches, finds the tables. */
  readonly location: () => Omit<EngineLocation, 'storageOptions'> &
    Record<'storageOptions', Readonly<Record<string, string>>>;
  /** Client of the store. */
  readonly client: S3Client;
  readonly bucket: string;
  /** Requests that `act` makes, by method. */
  readonly count: (act: () => Promise<unknown>) => Promise<Readonly<Record<string, number>>>;
  readonly close: () => Promise<void>;
}

const countingProxy = (target: URL, requests: string[]): Server =>
  createServer((request, response) => {
    requests.push(request.method ?? '');
    const { method, url, headers } = request;
    const passed = forward({ host: target.hostname, port: target.port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => request.socket.destroy());
    request.pipe(passed);
  });

/** Starts an empty store of its own. */
export const openCountedStore = async (): Promise<CountedStore> => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-counted-'));
  const store = await startObjectStore({
    dataDir: directory,
    credentials,
    buckets: [{ name: bucket, region: 'us-east-1' }],
    onObjectCreated: () => Promise.resolve(),
    clock: systemClock,
  });
  const requests: string[] = [];
  const proxy = countingProxy(new URL(store.url), requests);
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const storageOptions = {
    aws_region: 'us-east-1',
    aws_endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    aws_access_key_id: credentials.accessKeyId,
    aws_secret_access_key: credentials.secretAccessKey,
    allow_http: 'true',
  };
  const client = new S3Client({
    region: storageOptions.aws_region,
    endpoint: storageOptions.aws_endpoint,
    credentials,
    forcePathStyle: true,
  });
  return {
    client,
    bucket,
    location: () => ({ uri: `s3://${bucket}/tables`, storageOptions }),
    count: async (act) => {
      requests.length = 0;
      await act();
      const counts = Map.groupBy(requests, (method) => method);
      return Object.fromEntries([...counts].map(([method, all]) => [method, all.length]));
    },
    close: async () => {
      client.destroy();
      proxy.closeAllConnections();
      proxy.close();
      await store.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
};
