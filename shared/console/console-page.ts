import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { securityHeaders } from '../http/security-headers.ts';
import { publicFiles } from '../http/static-file.ts';
import { capability, type Runtime } from '../kernel/capability.ts';
import { unavailable } from '../kernel/errors.ts';
import { lazy } from '../kernel/memoize.ts';
import { contentOrigin } from '../platform/aws/objects.ts';

/** Addresses of the identity provider by which the console signs in. */
const OpenIdConfiguration = z.object({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  end_session_endpoint: z.url().optional(),
});

/** Settings of the console, which are part of its page. `console/src/settings.ts` reads them. */
export interface ConsoleSettings {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  /** Null if the provider has none: signing out then ends the session of the service alone. */
  readonly signOutEndpoint: string | null;
  readonly clientId: string;
  /** Query of an application that asks for access; absent in the console itself. */
  readonly authorization?: Readonly<Record<string, string | undefined>>;
}

export interface ConsoleSite {
  readonly settings: () => Promise<ConsoleSettings>;
  /** Origins that take uploads, besides that of the service. */
  readonly uploadOrigins: () => Promise<readonly string[]>;
}

const discover = async ({ config }: Runtime): Promise<ConsoleSettings> => {
  const address =
    config.identityConfiguration ?? `${config.identityIssuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
    const found = OpenIdConfiguration.parse(await response.json());
    return {
      authorizationEndpoint: found.authorization_endpoint,
      tokenEndpoint: found.token_endpoint,
      signOutEndpoint: found.end_session_endpoint ?? null,
      clientId: config.consoleClientId || (config.identityAudience[0] ?? ''),
    };
  } catch (cause) {
    throw unavailable(cause, 'The identity provider cannot be reached');
  }
};

/** Reads the configuration of the identity provider once per function. */
const consoleSite = capability<ConsoleSite>([], (runtime) => ({
  settings: lazy(() => discover(runtime)),
  uploadOrigins: lazy(() => Promise.all(runtime.config.regions.map((region) => contentOrigin(runtime, region)))),
}));

export const consolePageUses = { files: publicFiles, site: consoleSite };

/** Characters that could end the element that contains the settings. */
const escapedJson = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c');

/**
 * Returns the page with its settings, and a policy that allows scripts and styles of the service, and styles with the
 * nonce of this response. Requests may go to the service, the identity provider and the upload buckets.
 */
export const consolePage = (
  template: string,
  settings: ConsoleSettings,
  uploadOrigins: readonly string[],
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } => {
  const nonce = randomBytes(16).toString('base64');
  const origins = new Set([new URL(settings.tokenEndpoint).origin, ...uploadOrigins]);
  const policy = securityHeaders['content-security-policy']
    .replace("script-src 'self'", `script-src 'self' 'nonce-${nonce}'`)
    .replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)
    .replace("connect-src 'self'", `connect-src 'self' ${[...origins].join(' ')}`);
  return {
    body: template.replaceAll('NONCE', nonce).replace('SETTINGS', () => escapedJson(settings)),
    headers: { 'content-security-policy': policy },
  };
};
