import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BucketConfig, CorsRule } from './contracts.ts';
import { sendEmpty } from './respond.ts';
import { S3Error } from './s3-error.ts';

const matches = (pattern: string, value: string): boolean => {
  const [head = '', tail] = pattern.split('*', 2);
  if (tail === undefined) return pattern === value;
  return value.length >= head.length + tail.length && value.startsWith(head) && value.endsWith(tail);
};

const findRule = (
  bucket: BucketConfig,
  origin: string,
  method: string,
  headers: readonly string[],
): CorsRule | undefined =>
  bucket.corsRules?.find(
    (rule) =>
      rule.allowedOrigins.some((pattern) => matches(pattern, origin)) &&
      rule.allowedMethods.includes(method) &&
      headers.every((name) => rule.allowedHeaders?.some((pattern) => matches(pattern.toLowerCase(), name))),
  );

const setHeaders = (response: ServerResponse, rule: CorsRule, origin: string): void => {
  const open = rule.allowedOrigins.includes('*');
  response.setHeader('access-control-allow-origin', open ? '*' : origin);
  response.setHeader('access-control-allow-methods', rule.allowedMethods.join(', '));
  if (!open) response.setHeader('access-control-allow-credentials', 'true');
  const exposed = rule.exposedHeaders ?? [];
  if (exposed.length > 0) response.setHeader('access-control-expose-headers', exposed.join(', '));
  response.setHeader('vary', 'Origin, Access-Control-Request-Headers, Access-Control-Request-Method');
};

/** Adds the headers that let a page of an allowed origin read any response. */
export const allowOrigin = (message: IncomingMessage, response: ServerResponse, bucket: BucketConfig): void => {
  const { origin } = message.headers;
  if (origin === undefined) return;
  const rule = findRule(bucket, origin, message.method ?? '', []);
  if (rule !== undefined) setHeaders(response, rule, origin);
};

/** Responds to a CORS preflight request. Throws `AccessForbidden`, `InvalidRequest`. */
export const answerPreflight = (
  message: IncomingMessage,
  response: ServerResponse,
  bucket: BucketConfig | undefined,
): void => {
  const { origin } = message.headers;
  const method = message.headers['access-control-request-method'];
  if (origin === undefined || method === undefined) {
    throw new S3Error('InvalidRequest', { message: 'Insufficient information. Origin request header needed.' });
  }
  const names = (message.headers['access-control-request-headers'] ?? '').toLowerCase().split(',');
  const headers = names.map((name) => name.trim()).filter((name) => name !== '');
  const rule = bucket === undefined ? undefined : findRule(bucket, origin, method, headers);
  if (rule === undefined) throw new S3Error('AccessForbidden');
  setHeaders(response, rule, origin);
  if (headers.length > 0) response.setHeader('access-control-allow-headers', headers.join(', '));
  if (rule.maxAgeSeconds !== undefined) response.setHeader('access-control-max-age', rule.maxAgeSeconds);
  sendEmpty(response, 200);
};
