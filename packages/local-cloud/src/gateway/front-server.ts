import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { gatewayRefusal, sendAnswer } from './serve-api.ts';

/** Limit of API Gateway for request line and headers together: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const maxHeaderBytes = 10_240;

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Handlers of the API, and of the local endpoints below `/_local/`. */
export interface FrontHandlers {
  readonly api: Handle;
  readonly local: Handle;
}

/** HTTP server of the API. It responds with 503 until it is open. */
export interface FrontServer {
  readonly server: Server;
  readonly open: (handlers: FrontHandlers) => void;
}

/** Writes a refusal to the raw connection after an HTTP parse error, since there is no request to respond to. */
const refuseConnection = (error: Error & { readonly code?: string }, connection: Duplex): void => {
  if (!connection.writable || error.code === 'ECONNRESET') {
    connection.destroy();
    return;
  }
  const { status, headers, body } =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? gatewayRefusal('headers_too_large', `The request line and headers may have at most ${maxHeaderBytes} bytes`)
      : gatewayRefusal('bad_request', 'The request is no HTTP');
  const fields = { ...headers, 'content-length': String(body.length), connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body.toString()}`);
};

/** Creates the server, not yet listening. `onError` gets internal errors, whose details no response contains. */
export const createFrontServer = (onError: (error: unknown) => void): FrontServer => {
  let handlers: FrontHandlers | null = null;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (handlers === null) {
      sendAnswer(request, response, gatewayRefusal('unavailable', 'The service is starting'));
      return;
    }
    const handle = request.url?.startsWith('/_local/') === true ? handlers.local : handlers.api;
    handle(request, response).catch((error: unknown) => {
      // A caller that disconnects during its request is no error of the service.
      if (!request.destroyed || request.complete) {
        onError(error);
        sendAnswer(request, response, gatewayRefusal('internal', 'Internal error'));
      }
    });
  };
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: maxHeaderBytes }, listener);
  server.on('clientError', refuseConnection);
  return {
    server,
    open: (ready) => {
      handlers = ready;
    },
  };
};
