import type * as z from 'zod';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import type { IdempotencyContext } from '../http/idempotency.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireIndex } from '../indexes/index.ts';
import { laterBy } from '../kernel/clock.ts';
import { capability, type Deps } from '../kernel/capability.ts';
import { AppError, notFound, unavailable } from '../kernel/errors.ts';
import { organizationsRead } from '../organizations/index.ts';
import { SourceFault } from '../platform/connectors/port.ts';
import { connectorConsent } from '../platform/connectors/consent.ts';
import { oauthFamily } from '../platform/connectors/oauth.ts';
import {
  givenConsents,
  type OauthProvider,
  type PendingConsent,
  pendingConsents,
  type Stored,
} from './consent-store.ts';
import { addConnection } from './create.ts';
import { syncSend } from './messages.ts';
import { reconnect, requireConnection } from './reconnect.ts';
import type { ConnectionRecord } from './record.ts';
import { connectorsRead } from './repository.ts';
import { credentialStore } from './credential-store.ts';
import { type ConnectorConsentCreate, connectorProviders } from './schemas.ts';
import { noScope } from './no-scope.ts';

/*
 * A consent takes three steps. The caller gets a URL of the provider with a state. The provider redirects a browser
 * with the
 * state and a code; the service exchanges the code and shows a confirmation code. The caller sends the confirmation
 * code.
 * Any person's browser may return, so the connection is created in the last step only.
 */

/** Seconds in which a person must consent. */
export const consentSeconds = 900;

/** Callback URL of the deployment; `''` if it is not configured. */
const callbackUrl = capability<string>([], ({ config }) => config.connectorCallbackUrl ?? '');

/** Capabilities that starting a consent needs. */
export const startConsentUses = {
  indexes: indexesRead,
  connectors: connectorsRead,
  pending: pendingConsents,
  asks: connectorConsent,
  callbackUrl,
};

const derived = (secret: Buffer, name: string): string => createHmac('sha256', secret).update(name).digest('base64url');

const requireCallback = (url: string): string => {
  if (url === '')
    throw new AppError('conflict', 'This deployment has no callback URL: connect with credentials instead');
  return url;
};

export interface StartedConsent {
  readonly authorizeUrl: string;
  readonly connectionId: string;
}

/**
 * Starts a consent and returns the provider's URL. The connection changes once the caller has confirmed it. Throws 404
 * and 409.
 */
export const startConsent = async (
  start: {
    readonly deps: Deps<typeof startConsentUses>;
    readonly caller: Principal;
    readonly idempotency: IdempotencyContext;
  },
  indexId: string,
  provider: string,
  { name, connection_id: known }: z.output<typeof ConnectorConsentCreate>,
): Promise<StartedConsent> => {
  const { deps, caller, idempotency } = start;
  if (oauthFamily(provider) === null) throw notFound('Provider');
  const oauth = provider as OauthProvider;
  const { organizationId } = caller;
  await requireIndex(deps.indexes, organizationId, indexId);
  if (known !== null) await requireConnection(deps.connectors, { organizationId, indexId, connectionId: known }, oauth);
  const redirectUri = requireCallback(deps.callbackUrl);
  const secret = idempotency.secret();
  const [state, verifier] = [derived(secret, 'state'), derived(secret, 'verifier')];
  const connectionId = known ?? idempotency.id('conn');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const authorizeUrl = await deps.asks.url(oauth, { redirectUri, state, challenge });
  const pending = {
    initiator: caller.subjectId,
    organizationId,
    indexId,
    connectionId,
    provider: oauth,
    name: name ?? connectorProviders[oauth],
    reopens: known !== null,
    verifier,
  };
  await deps.pending.add(state, pending, laterBy(idempotency.at, consentSeconds * 1000));
  return { authorizeUrl, connectionId };
};

/** Capabilities of the return from a provider. */
export const receiveConsentUses = {
  indexes: indexesRead,
  organizations: organizationsRead,
  pending: pendingConsents,
  given: givenConsents,
  asks: connectorConsent,
  callbackUrl,
};

type ReceiveDeps = Deps<typeof receiveConsentUses>;

const exchange = async (deps: ReceiveDeps, pending: PendingConsent, code: string) => {
  try {
    const redirectUri = requireCallback(deps.callbackUrl);
    return await deps.asks.exchange(pending.provider, { redirectUri, code, verifier: pending.verifier });
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    if (error.kind === 'busy') throw unavailable(error, error.message, error.retryAfterSeconds ?? undefined);
    throw new AppError('bad_request', error.message, { cause: error });
  }
};

/** Whether an exchange that failed may succeed if it is retried. */
const isRetryable = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'unavailable';

/** Exchanges the code of a consent. If that fails for now, the consent is stored again. */
const redeem = async (
  deps: ReceiveDeps,
  { content: pending, expiresAt }: Stored<PendingConsent>,
  { state, code }: { readonly state: string; readonly code: string },
) => {
  try {
    const { name } = await requireIndex(deps.indexes, pending.organizationId, pending.indexId);
    const organization = await deps.organizations.get(pending.organizationId);
    if (organization === null) throw notFound('Organization');
    const granted = await exchange(deps, pending, code);
    return { ...granted, indexName: name, organizationName: organization.name };
  } catch (error) {
    if (isRetryable(error)) await deps.pending.add(state, pending, expiresAt);
    throw error;
  }
};

/** A given consent for the confirmation page. */
export interface ReceivedConsent {
  readonly provider: OauthProvider;
  /** Account at the provider; null if the provider does not name it. */
  readonly account: string | null;
  readonly organizationName: string;
  readonly indexName: string;
  readonly connectorName: string;
  /** Code that confirms the consent once, if the credential that started it sends it. */
  readonly confirmationCode: string;
}

const unknownConsent = (): AppError =>
  new AppError('bad_request', 'The consent is unknown, already used or expired: start again');

/**
 * Exchanges the code of a provider; creates no connection. Throws 400 for an unknown, used or expired state.
 * Throws 503 if the provider is busy; the state then stays valid.
 */
export const receiveConsent = async (
  deps: ReceiveDeps,
  { state, code }: { readonly state: string; readonly code: string | null },
  at: Date,
): Promise<ReceivedConsent> => {
  const taken = await deps.pending.take(state);
  if (taken === null) throw unknownConsent();
  if (code === null) throw new AppError('bad_request', 'The consent was declined');
  const { credentials, account, indexName, organizationName } = await redeem(deps, taken, { state, code });
  const confirmationCode = randomBytes(18).toString('base64url');
  await deps.given.add(confirmationCode, { ...taken.content, credentials }, laterBy(at, consentSeconds * 1000));
  const { provider, name: connectorName } = taken.content;
  return { provider, account, organizationName, indexName, connectorName, confirmationCode };
};

/** Capabilities that confirming a consent needs. */
export const confirmConsentUses = {
  indexes: indexesRead,
  given: givenConsents,
  connectors: credentialStore,
  syncs: syncSend,
};

/**
 * Creates the connection of a consent, or replaces its credentials. Safe to repeat until it has succeeded.
 * Throws 400 for an unknown, used or expired code, and for a consent of another caller, index or provider.
 */
export const confirmConsent = async (
  deps: Deps<typeof confirmConsentUses>,
  caller: Pick<Principal, 'organizationId' | 'subjectId'>,
  { indexId, provider, code }: { readonly indexId: string; readonly provider: string; readonly code: string },
  at: Date,
): Promise<ConnectionRecord> => {
  const { organizationId, subjectId } = caller;
  await requireIndex(deps.indexes, organizationId, indexId);
  const given = (await deps.given.find(code))?.content;
  const isOwn =
    given?.initiator === subjectId &&
    given.organizationId === organizationId &&
    given.indexId === indexId &&
    given.provider === provider;
  if (!isOwn) throw unknownConsent();
  const { connectionId, name, credentials, reopens = false } = given;
  const idempotency = { at, isRepeat: false, id: () => connectionId, secret: () => randomBytes(32) };
  const status = 'pending_scope';
  const named = {
    provider: given.provider,
    name,
    status,
    syncIntervalMinutes: null,
    metadata: {},
    scope: noScope,
    storedCredentials: null,
  } as const;
  const connection = reopens
    ? await reconnect(deps, { organizationId, indexId, connectionId }, given.provider, { credentials })
    : await addConnection({ deps, caller, idempotency }, indexId, named, { credentials });
  await deps.given.remove(code);
  return connection;
};
