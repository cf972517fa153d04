import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { originOf } from './own-origin.ts';

/** Returns the header of every response over HTTPS, by which browsers never use plain HTTP for the service again. */
export const transportHeaders = (
  event: Pick<APIGatewayProxyEventV2, 'requestContext'>,
): Readonly<Record<string, string>> =>
  originOf(event).startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000' } : {};

/** Headers of a response that contains a secret. Source: RFC 6749, 5.1. */
export const noStoreHeaders = { 'cache-control': 'no-store', pragma: 'no-cache' } as const;

/**
 * Security headers of every response to requests without credentials, which a browser can open. They allow scripts, styles
 * and requests of this service only. They forbid inline code, frames and referrers.
 */
export const securityHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const satisfies Readonly<Record<string, string>>;
