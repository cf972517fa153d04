import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** An event that was received and whose signature a stock verifier has accepted. */
export interface VerifiedEvent {
  readonly id: string;
  readonly type: string;
}

export interface Receiver {
  readonly url: string;
  /** Whoever signs with another secret is refused from now on. */
  readonly trust: (secret: string) => void;
  /** Resolves when an event of this type has come. */
  readonly event: (type: string) => Promise<VerifiedEvent>;
  readonly close: () => void;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
};

/** Our headers carry another name in front of the same Standard Webhooks signature. */
const renamed = (headers: IncomingMessage['headers']): Record<string, string> =>
  Object.fromEntries(
    ['id', 'timestamp', 'signature'].map((name) => [`webhook-${name}`, String(headers[`hook-${name}`])]),
  );

/** A receiver on this machine that takes only what is signed. */
export const startReceiver = async (): Promise<Receiver> => {
  let verifier: Webhook | null = null;
  const waiting = new Map<string, PromiseWithResolvers<VerifiedEvent>>();
  const slot = (type: string): PromiseWithResolvers<VerifiedEvent> => {
    const known = waiting.get(type) ?? Promise.withResolvers<VerifiedEvent>();
    waiting.set(type, known);
    return known;
  };
  const accept = async (request: IncomingMessage): Promise<number> => {
    const body = await bodyOf(request);
    try {
      verifier?.verify(body, renamed(request.headers));
    } catch {
      return 401;
    }
    const { type } = JSON.parse(body) as { type: string };
    slot(type).resolve({ id: String(request.headers['hook-id']), type });
    return 204;
  };
  const server = createServer((request, response) => {
    accept(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/strata`,
    trust: (secret) => {
      verifier = new Webhook(secret);
    },
    event: (type) => slot(type).promise,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};
