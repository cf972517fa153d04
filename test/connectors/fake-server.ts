import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listening } from '../support/emulated-cloud.ts';

export interface FakeRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface FakeResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Server of a provider's protocol. `answer` returns responses; `trouble` injects failures before them. */
export class FakeServer {
  url = '';
  asked = 0;
  /** Answers in place of the real one, the next first. */
  readonly trouble: FakeResponse[] = [];
  /** Action that runs before the next response. */
  meanwhile: (() => Promise<unknown>) | null = null;
  private readonly server: Server;

  constructor(answer: (asked: FakeRequest) => FakeResponse) {
    const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      this.asked += 1;
      const { meanwhile } = this;
      this.meanwhile = null;
      await meanwhile?.();
      const url = new URL(request.url ?? '/', this.url);
      const body = Buffer.concat(chunks).toString();
      const asked = { method: request.method ?? 'GET', url, headers: request.headers, body };
      const { status, body: said, headers = {} } = this.trouble.shift() ?? answer(asked);
      const text = said instanceof Uint8Array ? said : JSON.stringify(said);
      response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(text);
    };
    this.server = createServer((request, response) => {
      respond(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  async start(): Promise<void> {
    this.url = await listening(this.server);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
