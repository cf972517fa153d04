import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { apiMessage, sendAnswer } from './serve-api.ts';

/** What API Gateway takes of a request line and headers together: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html */
const mostHeaderBytes = 10_240;

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** What answers: the API, and what the local run alone has below `/_local/`. */
export interface FrontHandlers {
  readonly api: Handle;
  readonly local: Handle;
}

/** The server that users talk to; it answers 503 until it is open. */
export interface FrontServer {
  readonly server: Server;
  readonly open: (handlers: FrontHandlers) => void;
}

/** Creates the server, not yet listening. `onError` gets what no answer should ever be made of. */
export const createFrontServer = (onError: (error: unknown) => void): FrontServer => {
  let handlers: FrontHandlers | null = null;
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    if (handlers === null) {
      sendAnswer(request, response, apiMessage(503, 'Service Unavailable'));
      return;
    }
    const handle = request.url?.startsWith('/_local/') === true ? handlers.local : handlers.api;
    handle(request, response).catch((error: unknown) => {
      // A caller that hangs up in the middle of its request is no error of ours.
      if (!request.destroyed || request.complete) {
        onError(error);
        sendAnswer(request, response, apiMessage(500, 'Internal Server Error'));
      }
    });
  };
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: mostHeaderBytes }, listener);
  return {
    server,
    open: (ready) => {
      handlers = ready;
    },
  };
};
