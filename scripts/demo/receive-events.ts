import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { Envelope } from './schemas.ts';

/** An event whose signature was found right. */
export interface ReceivedEvent extends Envelope {
  readonly hookId: string;
}

/** A webhook receiver on this machine, as a user of the service would write one. */
export interface Receiver {
  readonly url: string;
  /** Sets the secret of the endpoint. Earlier deliveries get a 503 and are sent again. */
  readonly trust: (secret: string) => void;
  /** The first event of this type that `matches`. Rejects when none comes in time, or when a signature is wrong. */
  readonly wait: (type: string, matches: (event: Envelope) => boolean, timeoutMs: number) => Promise<ReceivedEvent>;
  readonly close: () => Promise<void>;
}

const header = (request: IncomingMessage, name: string): string => String(request.headers[name] ?? '');

/** Verifies with the stock library, which reads the headers of Standard Webhooks. */
const verify = (secret: string, request: IncomingMessage, body: string): ReceivedEvent => {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  new Webhook(secret).verify(body, Object.fromEntries(names.map((name) => [name, header(request, name)])));
  return { hookId: header(request, 'webhook-id'), ...Envelope.parse(JSON.parse(body)) };
};

/** Opens an inbox of received events. */
const openInbox = () => {
  const events: ReceivedEvent[] = [];
  const changed = new EventTarget();
  let fault: Error | null = null;
  const notify = (): void => {
    changed.dispatchEvent(new Event('change'));
  };
  return {
    take: (event: ReceivedEvent) => {
      if (!events.some(({ hookId }) => hookId === event.hookId)) events.push(event);
      notify();
    },
    spoil: (error: Error) => {
      fault = error;
      notify();
    },
    wait: async (type: string, matches: (event: Envelope) => boolean, timeoutMs: number): Promise<ReceivedEvent> => {
      const deadline = AbortSignal.timeout(timeoutMs);
      for (;;) {
        if (fault !== null) throw fault;
        const found = events.find((event) => event.type === type && matches(event));
        if (found !== undefined) return found;
        if (deadline.aborted) throw new Error(`the event ${type} did not come within ${timeoutMs / 1000} s`);
        await new Promise<void>((resolve) => {
          changed.addEventListener('change', () => resolve(), { once: true });
          deadline.addEventListener('abort', () => resolve(), { once: true });
        });
      }
    },
  };
};

/** Opens a receiver on a free port of the loopback address. */
export const openReceiver = async (): Promise<Receiver> => {
  const inbox = openInbox();
  let secret: string | null = null;
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await text(request);
    if (secret === null) return 503;
    try {
      inbox.take(verify(secret, request, body));
      return 204;
    } catch (error) {
      inbox.spoil(new Error('a delivery was not signed as it should be', { cause: error }));
      return 400;
    }
  };
  const server = createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  // A server that listens on TCP has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    trust: (value) => {
      secret = value;
    },
    wait: inbox.wait,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
