import * as z from 'zod';
import type { Clock } from '../../../shared/kernel/clock.ts';
import { localOwner } from './identity/identity-provider.ts';
import type { Welcome } from './data/settings.ts';
import type { OpenCloud } from './open-cloud.ts';

const renewBeforeMs = 60 * 60_000;

const session = z.object({
  session_token: z.string(),
  expires_at: z.string(),
  organizations: z.tuple([z.object({ organization_id: z.string() })]).rest(z.unknown()),
});

const apiKey = z.object({ token: z.string() });

const post = async <Schema extends z.ZodType>(
  url: string,
  bearer: string,
  body: object,
  schema: Schema,
): Promise<z.output<Schema>> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) {
    throw new Error(`the first organization could not be created: ${url} returned ${response.status} ${text}`);
  }
  return schema.parse(JSON.parse(text));
};

const isFresh = ({ sessionExpiresAt }: Welcome, clock: Clock): boolean =>
  Date.parse(sessionExpiresAt) - clock.now().getTime() > renewBeforeMs;

/** Credentials that a start prints. A field is null if only an ID token of another issuer can create it. */
export interface FirstCredentials {
  readonly organizationId: string | null;
  readonly apiKey: string | null;
  readonly sessionToken: string | null;
}

/**
 * Returns an organization with credentials. It is created through the public API and stored with the data; its session is
 * renewed before it expires. With ID tokens of another issuer, only existing credentials are returned.
 */
export const openFirstOrganization = async (cloud: OpenCloud, clock: Clock): Promise<FirstCredentials> => {
  const { baseUrl, identity, settings } = cloud;
  const { welcome: known } = settings.read();
  if (cloud.trustedIssuer !== identity.issuer) {
    const sessionToken = known !== null && isFresh(known, clock) ? known.sessionToken : null;
    return { organizationId: known?.organizationId ?? null, apiKey: known?.apiKey ?? null, sessionToken };
  }
  if (known !== null && isFresh(known, clock)) {
    return known;
  }
  const opened = await post(`${baseUrl}/v1/auth/bootstrap`, await identity.idToken(localOwner), {}, session);
  const organizationId = known?.organizationId ?? opened.organizations[0].organization_id;
  const key =
    known?.apiKey ?? (await post(`${baseUrl}/v1/api-keys`, opened.session_token, { name: 'local' }, apiKey)).token;
  const made = {
    organizationId,
    apiKey: key,
    sessionToken: opened.session_token,
    sessionExpiresAt: opened.expires_at,
  };
  settings.change({ welcome: made, identityIssuer: identity.issuer });
  return made;
};
