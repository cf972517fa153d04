import type * as z from 'zod';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { absent, present } from '../db/condition.ts';
import { epochSecondsAfter } from '../db/due.ts';
import { openTable } from '../db/table.ts';
import type { Creation } from '../http/creation.ts';
import type { Principal } from '../http/principal.ts';
import { indexesRead, requireIndex } from '../indexes/index.ts';
import { laterBy } from '../kernel/clock.ts';
import { capability, type Deps, type Runtime } from '../kernel/capability.ts';
import { AppError, notFound, unavailable } from '../kernel/errors.ts';
import { seal, unseal } from '../kernel/seal.ts';
import { SourceFault } from '../platform/connectors/port.ts';
import { connectorConsent } from '../platform/connectors/consent.ts';
import { addConnection } from './create.ts';
import { syncSend } from './messages.ts';
import { reconnect, requireConnection } from './reconnect.ts';
import type { ConnectionRecord } from './record.ts';
import { connectorsRead } from './repository.ts';
import { connectorsKeep } from './keeper.ts';
import { type ConnectorConsentCreate, type ConnectorProvider, connectorProviders } from './schemas.ts';

/** How long a person may take to consent. */
export const consentSeconds = 900;

/** A consent that was asked for and not given yet. */
interface PendingConsent {
  readonly organizationId: string;
  readonly indexId: string;
  readonly connectionId: string;
  readonly provider: OauthProvider;
  readonly name: string;
  /** Whether the connection is there already, to be opened anew; absent: it is not. */
  readonly reopens?: boolean;
  /** Proves to the provider that whoever redeems the code is who asked for it (PKCE). */
  readonly verifier: string;
}

export type OauthProvider = Exclude<ConnectorProvider, 'custom_api'>;

interface TakenConsent {
  readonly pending: PendingConsent;
  readonly expiresAt: Date;
}

interface ConsentStore {
  /** Without effect where it is there already. */
  add(state: string, pending: PendingConsent, expiresAt: Date): Promise<void>;
  /** Gives the consent that a state stands for, once; null where there is none, or not any more. */
  take(state: string): Promise<TakenConsent | null>;
}

const digest = (name: string, state: string): Buffer => createHash('sha256').update(`${name}:${state}`).digest();

// Who reads the table alone learns neither state nor verifier.
const keyOf = (state: string) => ({ pk: `CONSENT#${digest('id', state).toString('hex')}`, sk: 'consent' });

const openConsents = (runtime: Runtime): ConsentStore => {
  const table = openTable(runtime, 'connectors');
  return {
    add: async (state, pending, expiresAt) => {
      const { pk, sk } = keyOf(state);
      const sealed = seal(JSON.stringify(pending), digest('key', state), pk);
      const expires = { expires_at: expiresAt.toISOString(), expires_at_epoch: epochSecondsAfter(expiresAt) };
      await table.put({ pk, sk, sealed, ...expires }, absent);
    },
    take: async (state) => {
      const { pk, sk } = keyOf(state);
      const item = await table.get({ pk, sk });
      if (item === null || (item['expires_at'] as string) < runtime.clock.now().toISOString()) return null;
      if (!(await table.delete({ pk, sk }, present))) return null;
      const pending = JSON.parse(unseal(item['sealed'] as string, digest('key', state), pk)) as PendingConsent;
      return { pending, expiresAt: new Date(item['expires_at'] as string) };
    },
  };
};

/** Where providers send people back to; `''` where whoever runs the deployment has not said. */
const callbackUrl = capability<string>([], ({ config }) => config.connectorCallbackUrl ?? '');

const consentsWrite = capability<ConsentStore>(['connectors.read', 'connectors.write'], openConsents);

/** What asking for a consent may touch. */
export const startConsentUses = {
  indexes: indexesRead,
  connectors: connectorsRead,
  consents: consentsWrite,
  asks: connectorConsent,
  callbackUrl,
};

const derived = (secret: Buffer, name: string): string => createHmac('sha256', secret).update(name).digest('base64url');

const requireCallback = (url: string): string => {
  if (url === '')
    throw new AppError('conflict', 'This deployment has no callback address yet: connect with credentials instead');
  return url;
};

export interface StartedConsent {
  readonly authorizeUrl: string;
  readonly connectionId: string;
}

/** Asks a person to consent to a connection; it is made or opened anew once they have. Throws 404 and 409. */
export const startConsent = async (
  start: {
    readonly deps: Deps<typeof startConsentUses>;
    readonly caller: Principal;
    readonly creation: Creation;
  },
  indexId: string,
  provider: string,
  { name, connection_id: known }: z.output<typeof ConnectorConsentCreate>,
): Promise<StartedConsent> => {
  const { deps, caller, creation } = start;
  if (!Object.hasOwn(connectorProviders, provider) || provider === 'custom_api') throw notFound('Provider');
  const oauth = provider as OauthProvider;
  const { organizationId } = caller;
  await requireIndex(deps.indexes, organizationId, indexId);
  if (known !== null) await requireConnection(deps.connectors, { organizationId, indexId, connectionId: known }, oauth);
  const redirectUri = requireCallback(deps.callbackUrl);
  const secret = creation.secret();
  const [state, verifier] = [derived(secret, 'state'), derived(secret, 'verifier')];
  const connectionId = known ?? creation.id('conn');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const authorizeUrl = await deps.asks.url(oauth, { redirectUri, state, challenge });
  const pending = {
    organizationId,
    indexId,
    connectionId,
    provider: oauth,
    name: name ?? connectorProviders[oauth],
    reopens: known !== null,
    verifier,
  };
  await deps.consents.add(state, pending, laterBy(creation.at, consentSeconds * 1000));
  return { authorizeUrl, connectionId };
};

/** What ending a consent may touch. */
export const endConsentUses = {
  indexes: indexesRead,
  consents: consentsWrite,
  connectors: connectorsKeep,
  syncs: syncSend,
  asks: connectorConsent,
  callbackUrl,
};

const exchange = async (deps: Deps<typeof endConsentUses>, pending: PendingConsent, code: string) => {
  try {
    const redirectUri = requireCallback(deps.callbackUrl);
    return await deps.asks.exchange(pending.provider, { redirectUri, code, verifier: pending.verifier });
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    if (error.kind === 'busy') throw unavailable(error, error.message, error.retryAfterSeconds ?? undefined);
    throw new AppError('bad_request', error.message, { cause: error });
  }
};

/** Whether the same answer of a person may lead to something else a moment later. */
const mayPass = (error: unknown): boolean => !(error instanceof AppError) || error.code === 'unavailable';

/** Credentials for a consent that was taken; one that could not be redeemed for now can be taken again. */
const redeem = async (
  deps: Deps<typeof endConsentUses>,
  { pending, expiresAt }: TakenConsent,
  { state, code }: { readonly state: string; readonly code: string },
) => {
  try {
    await requireIndex(deps.indexes, pending.organizationId, pending.indexId);
    return await exchange(deps, pending, code);
  } catch (error) {
    if (mayPass(error)) await deps.consents.add(state, pending, expiresAt);
    throw error;
  }
};

/**
 * Makes the connection that a person has consented to, or opens it anew. Throws 400 for a state that is unknown, used or too old, and 503
 * where the provider is busy, after which the state is as good as before.
 */
export const endConsent = async (
  deps: Deps<typeof endConsentUses>,
  { state, code }: { readonly state: string; readonly code: string | null },
  at: Date,
): Promise<ConnectionRecord> => {
  const taken = await deps.consents.take(state);
  if (taken === null)
    throw new AppError('bad_request', 'The consent is unknown, was used before, or took too long: start again');
  if (code === null) throw new AppError('bad_request', 'The consent was not given');
  const credentials = await redeem(deps, taken, { state, code });
  const { organizationId, indexId, connectionId, provider, name, reopens = false } = taken.pending;
  if (reopens) return reconnect(deps, { organizationId, indexId, connectionId }, provider, { credentials });
  const creation = { at, isRepeat: false, id: () => connectionId, secret: () => randomBytes(32) };
  const named = { provider, name, status: 'pending_scope', syncIntervalMinutes: null } as const;
  return addConnection({ deps, caller: { organizationId }, creation }, indexId, named, { credentials });
};
