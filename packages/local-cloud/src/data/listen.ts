import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const loopback = '127.0.0.1';

/** Listens on the loopback address and resolves to the port; 0 takes a free one. Rejects if the port is in use. */
export const listen = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, loopback, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // A server that listens on TCP has an address of this form.
  return (server.address() as AddressInfo).port;
};

/** Whether listening failed because another process has the port. */
export const isPortInUse = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';

/** Listens on `port` if it is free, else on any other port. */
export const listenPreferably = async (server: Server, port: number | null): Promise<number> => {
  try {
    return await listen(server, port ?? 0);
  } catch (error) {
    if (!isPortInUse(error)) {
      throw error;
    }
    return await listen(server, 0);
  }
};

/** Closes a server: refuses new connections, closes idle ones at once, and the others after their response. */
export const closeServer = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  await closed;
};
