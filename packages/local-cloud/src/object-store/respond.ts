import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Error } from './s3-error.ts';
import { toXml, type XmlValue } from './xml.ts';

const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/';

type Headers = Readonly<Record<string, string | number>>;

/** Responds with an XML document in S3's namespace. */
export const sendXml = (
  response: ServerResponse,
  root: string,
  children: { readonly [name: string]: XmlValue },
): void => {
  const body = Buffer.from(toXml(root, children, namespace));
  response.writeHead(200, { 'content-type': 'application/xml', 'content-length': body.length }).end(body);
};

/** Responds without a body. */
export const sendEmpty = (response: ServerResponse, status: number, headers: Headers = {}): void => {
  // 204 and 304 have no body by definition and must not announce a length.
  response.writeHead(status, status === 200 ? { 'content-length': 0, ...headers } : headers).end();
};

/** Responds with a stream. A client that disconnects early is no error. */
export const sendStream = async (
  response: ServerResponse,
  status: number,
  headers: Headers,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> => {
  response.writeHead(status, headers);
  // Without a stream of its own, a pipeline into a response that was just destroyed never ends.
  await pipeline(Readable.from(chunks, { objectMode: false }), response);
};

/** Responds with S3's error document, or closes the connection if the response has begun. */
export const sendError = (
  message: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  error: S3Error,
): void => {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const resource = (message.url ?? '').split('?', 1)[0] ?? '';
  const { code, fields } = error;
  const xml = toXml('Error', {
    Code: code,
    Message: error.message,
    Resource: resource,
    ...fields,
    RequestId: requestId,
  });
  const body = Buffer.from(xml);
  response.writeHead(error.status, {
    'content-type': 'application/xml',
    'content-length': body.length,
    ...error.headers,
  });
  response.end(message.method === 'HEAD' ? undefined : body);
};
