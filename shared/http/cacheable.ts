import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { HttpResult } from './answer.ts';

/** As long as callers may go by the answer of an earlier deployment. */
const keptSeconds = 3_600;

/** Whether a caller takes gzip: a weight of zero says that it does not. Source: RFC 9110, 12.5.3. */
const takesGzip = (accepted: string): boolean =>
  /(?:^|,)\s*gzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:$|,)))/i.test(accepted);

const compress = promisify(gzip);

/** Lets callers keep the one answer of an endpoint, which is compressed once for those who take that. */
export const cacheable = (): MiddlewareObj<APIGatewayProxyEventV2, HttpResult> => {
  let compressed: Promise<Buffer> | undefined;
  return {
    after: async (request) => {
      const { event, response: plain } = request;
      if (plain == null) return;
      const headers = { ...plain.headers, 'cache-control': `public, max-age=${keptSeconds}`, vary: 'accept-encoding' };
      request.response = { ...plain, headers };
      if (!takesGzip(event.headers['accept-encoding'] ?? '')) return;
      const bytes = await (compressed ??= compress(plain.body));
      request.response = {
        ...plain,
        headers: { ...headers, 'content-encoding': 'gzip' },
        body: bytes.toString('base64'),
        isBase64Encoded: true,
      };
    },
  };
};
