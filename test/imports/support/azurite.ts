import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import {
  BlobSASPermissions,
  BlobServiceClient,
  ContainerSASPermissions,
  generateBlobSASQueryParameters,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';

const account = 'devstoreaccount1';
// The account and key that every Azurite has. Source: Azurite, "Default Storage Account".
const key = new StorageSharedKeyCredential(
  account,
  'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
);

export interface Azurite {
  /** Base address of the storage; the account is the first part of a path. */
  readonly endpoint: string;
  readonly account: string;
  readonly put: (container: string, name: string, bytes: Uint8Array, encoding?: string) => Promise<void>;
  readonly remove: (container: string, name: string) => Promise<void>;
  /** Query of a shared access signature that lists and reads a container. */
  readonly containerSas: (container: string) => string;
  /** Query of a shared access signature that reads one blob. */
  readonly sas: (container: string, name: string) => string;
  readonly stop: () => void;
}

/** Microsoft's own emulator of Azure Storage, in a process and memory of its own. */
export const startAzurite = async (): Promise<Azurite> => {
  const script = createRequire(import.meta.url).resolve('azurite/dist/src/blob/main.js');
  const args = ['--blobPort', '0', '--inMemoryPersistence', '--skipApiVersionCheck', '--disableTelemetry', '--silent'];
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let address: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    address = /listens on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (address !== undefined) break;
  }
  if (address === undefined) throw new Error('Azurite did not start');
  child.stdout.resume();
  const client = new BlobServiceClient(`${address}/${account}`, key);
  return {
    endpoint: address,
    account,
    put: async (containerName, name, bytes, encoding = '') => {
      const container = client.getContainerClient(containerName);
      await container.createIfNotExists(containerName === 'public' ? { access: 'blob' } : {});
      await container.getBlockBlobClient(name).uploadData(bytes, {
        maxSingleShotSize: 64 * 1024 * 1024,
        ...(encoding === '' ? {} : { blobHTTPHeaders: { blobContentEncoding: encoding } }),
      });
    },
    remove: async (containerName, name) => {
      await client.getContainerClient(containerName).deleteBlob(name);
    },
    containerSas: (containerName) =>
      generateBlobSASQueryParameters(
        {
          containerName,
          permissions: ContainerSASPermissions.parse('rl'),
          expiresOn: new Date(Date.now() + 3_600_000),
        },
        key,
      ).toString(),
    sas: (containerName, blobName) =>
      generateBlobSASQueryParameters(
        {
          containerName,
          blobName,
          permissions: BlobSASPermissions.parse('r'),
          expiresOn: new Date(Date.now() + 3_600_000),
        },
        key,
      ).toString(),
    stop: () => child.kill('SIGKILL'),
  };
};
