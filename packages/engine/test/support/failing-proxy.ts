import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listening } from '../../../../test/support/emulated-cloud.ts';

/** Proxy whose requests fail from a chosen one on, as if the process had died there. */
export interface FailingProxy {
  readonly url: string;
  /**
   * Lets the `count`-th of the next requests fail, and all after it.
   * @param effect `refused`: it takes no effect. `lost`: the first that fails takes effect before.
   */
  readonly failFrom: (count: number, effect: 'refused' | 'lost') => void;
  /** Returns the paths of the requests since the last call, in order. */
  readonly takePaths: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** Opens a proxy of an HTTP service. */
export const openFailingProxy = async (target: string): Promise<FailingProxy> => {
  let left = Infinity;
  let paths: string[] = [];
  let effect: 'refused' | 'lost' = 'refused';
  const forward = async (method: string, path: string, headers: NodeJS.Dict<string | string[]>, body: Buffer) => {
    const sent = request(new URL(path, target), { method, headers, agent: false });
    sent.end(body);
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    sent.once('response', resolve).once('error', reject);
    const response = await promise;
    return { status: response.statusCode ?? 500, headers: response.headers, body: await buffer(response) };
  };
  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    paths.push(incoming.url ?? '');
    left -= 1;
    const fails = left <= 0;
    const isSent = !fails || (effect === 'lost' && left === 0);
    const answer = isSent ? await forward(incoming.method ?? '', incoming.url ?? '', incoming.headers, body) : null;
    if (fails || answer === null) {
      outgoing.writeHead(400, { 'x-amzn-errortype': 'ProcessDied' }).end('{}');
      return;
    }
    outgoing.writeHead(answer.status, answer.headers).end(answer.body);
  };
  const server = createServer((incoming, outgoing) => {
    // The service has closed the connection, so the proxy does too.
    serve(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const url = await listening(server);
  return {
    url,
    failFrom: (count, next) => {
      left = count;
      effect = next;
    },
    takePaths: () => {
      const taken = paths;
      paths = [];
      return taken;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
