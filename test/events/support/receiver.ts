import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { publicPost, type PublicPost } from '../../../shared/platform/delivery/public-fetch.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Behaviour = (response: ServerResponse, nth: number) => void;

/** Receivers of this process by URL. */
const receivers = new Map<string, Receiver>();

/**
 * Webhook receiver on loopback that records requests and responds as configured. Its path is its own: a request that
 * another process sends to an earlier owner of the port gets a 404.
 */
export class Receiver {
  readonly received: Received[] = [];
  answer: Behaviour;
  private readonly isSilent: (nth: number) => boolean;
  private readonly server: Server;
  private readonly path = `/hooks/${randomUUID()}`;

  /** @param isSilent Whether the n-th request gets no complete response. Default: each gets one. */
  constructor(
    answer: Behaviour = (response) => response.writeHead(204).end(),
    isSilent: (nth: number) => boolean = () => false,
  ) {
    this.answer = answer;
    this.isSilent = isSilent;
    this.server = createServer((request, response) => {
      if (request.url !== this.path) {
        response.writeHead(404).end();
        return;
      }
      const chunks: Buffer[] = [];
      response.on('error', () => undefined);
      request.on('error', () => undefined);
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        this.answer(response, this.received.length);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${this.path}`;
    receivers.set(url, this);
    return url;
  }

  /** Whether the next request gets a complete response. */
  willAnswer(): boolean {
    return !this.isSilent(this.received.length + 1);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

/** Timeout that exceeds any pause of a busy machine, so that a receiver that responds never counts as hanging. */
const patient = publicPost({ allowLocal: true, timeoutMs: 60_000 });
const impatient = publicPost({ allowLocal: true, timeoutMs: 1_000 });

/** Posts like the service, but with a timeout of one second if the receiver will not respond. */
export const postToReceiver: PublicPost = (post) =>
  (receivers.get(post.url)?.willAnswer() === false ? impatient : patient)(post);

/** Verifies a request as it came, with the standard verifier of Standard Webhooks. Throws if it fails. */
export const verifyWithStock = (secret: string, { headers, body }: Received): unknown =>
  new Webhook(secret).verify(
    body,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
  );
