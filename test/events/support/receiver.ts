import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Behaviour = (response: ServerResponse, nth: number) => void;

/** A receiver on loopback that keeps what it got and answers as told. */
export class Receiver {
  readonly received: Received[] = [];
  answer: Behaviour;
  private readonly server: Server;

  constructor(answer: Behaviour = (response) => response.writeHead(204).end()) {
    this.answer = answer;
    this.server = createServer((request, response) => {
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
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hooks`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

/** Checks a request with the stock Standard Webhooks verifier, after giving the headers the names that it knows; throws. */
export const verifyWithStock = (secret: string, { headers, body }: Received): unknown =>
  new Webhook(secret).verify(body, {
    'webhook-id': String(headers['hook-id']),
    'webhook-timestamp': String(headers['hook-timestamp']),
    'webhook-signature': String(headers['hook-signature']),
  });
