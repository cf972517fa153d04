import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { capability, type Deps, type Runtime } from '../kernel/capability.ts';
import { AppError, notFound, unavailable, ValidationFailure, valueProblem } from '../kernel/errors.ts';
import type { JsonObject } from '../kernel/json.ts';
import { invoke } from '../platform/aws/invoke.ts';
import { connectorBrowserFunction } from '../platform/connectors/names.ts';
import { type Choices, choiceFields, type ChoicesInput, SourceFault } from '../platform/connectors/port.ts';
import { connectorSources } from '../platform/connectors/sources.ts';
import type { ConnectionAddress } from './record.ts';
import { connectorsSync } from './sync-repository.ts';
import {
  type CredentialContext,
  needsRefresh,
  openCredentials,
  refreshCredentials,
  validCredentials,
} from './token-refresh.ts';

/*
 * No function of the API reads credentials. A service function lists the choices, which returns no credential. It has
 * the lease of the connection while it refreshes a token, since a provider accepts each refresh token once.
 */

/** Seconds in which a token is refreshed. */
const leaseSeconds = 60;
/** Delay of a caller while a sync has the lease. */
const busySeconds = 10;

/** API representation of a choice. */
export const ChoiceResponse = z
  .object({
    name: z.string().describe('Name at the source.'),
    field: z.enum(choiceFields).nullable().describe('List of the scope; null: it only leads to others.'),
    id: z.string().nullable().describe('Entry for that list; null without `field`.'),
    parent: z.string().nullable().describe('`parent` of the request that lists what is below; null: nothing.'),
    accessible: z
      .boolean()
      .describe('Whether the connector may read it. The app of Slack is invited to a channel first.'),
  })
  .meta({
    id: 'ConnectorChoice',
    description: 'Something that the scope of a connector can contain.',
    examples: [{ name: '#general', field: 'slack_channels', id: 'C0123456789', parent: null, accessible: true }],
  });

/** Request to the function that lists choices. */
export const ChoicesRequest = z.object({
  organization_id: z.string(),
  index_id: z.string(),
  connection_id: z.string(),
  parent: z.string().nullable(),
  cursor: z.string().nullable(),
  search: z.string(),
});
export type ChoicesRequest = z.infer<typeof ChoicesRequest>;

/** Response of the function that lists choices. `kind`: of a fault, or `none` for a source without choices. */
type ChoicesResponse =
  | { readonly found: Choices }
  | {
      readonly kind: SourceFault['kind'] | 'none' | 'missing';
      readonly message: string;
      readonly seconds: number | null;
    };

/** Capabilities of the function that lists choices. */
export const browserUses = { connectors: connectorsSync, sources: connectorSources };

type BrowserContext = CredentialContext & { readonly deps: Deps<typeof browserUses> };

/** Refreshes a token under the lease of the connection. `isForced`: the source has rejected the current one. */
const refreshed = async (
  context: BrowserContext,
  address: ConnectionAddress,
  isForced: boolean,
): Promise<JsonObject> => {
  const lease = await context.deps.connectors.lease(address, randomUUID(), leaseSeconds);
  if (lease === null)
    throw new SourceFault('busy', 'The connector is at work: try again', { retryAfterSeconds: busySeconds });
  try {
    if (!isForced) return await validCredentials(context, lease);
    const credentials = await openCredentials(context, lease);
    return (await refreshCredentials(context, lease, credentials)) ?? credentials;
  } finally {
    await context.deps.connectors.abandon(lease);
  }
};

const find = async (
  context: BrowserContext,
  address: ConnectionAddress,
  input: Omit<ChoicesInput, 'credentials' | 'scope'>,
) => {
  const { deps } = context;
  const claim = await deps.connectors.find(address);
  if (claim === null) return { kind: 'missing', message: '', seconds: null } as const;
  const source = deps.sources.of(claim.record.provider, address.organizationId);
  if (source?.choices === undefined) return { kind: 'none', message: '', seconds: null } as const;
  const { scope } = claim.record;
  const known = await openCredentials(context, claim);
  const credentials = needsRefresh(known, input.now) ? await refreshed(context, address, false) : known;
  try {
    return { found: await source.choices({ ...input, scope, credentials }) };
  } catch (error) {
    if (!(error instanceof SourceFault) || error.kind !== 'token_expired') throw error;
    return { found: await source.choices({ ...input, scope, credentials: await refreshed(context, address, true) }) };
  }
};

/** Lists choices with the credentials of a connection. Faults of the source are part of the response. */
export const findChoices = async (
  context: BrowserContext,
  { organization_id: organizationId, index_id: indexId, connection_id: connectionId, ...asked }: ChoicesRequest,
): Promise<ChoicesResponse> => {
  try {
    const now = context.run.clock.now();
    return await find(context, { organizationId, indexId, connectionId }, { ...asked, now });
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    return { kind: error.kind, message: error.message, seconds: error.retryAfterSeconds };
  }
};

/** Invokes the function that lists choices. */
export type ConnectorBrowser = (request: ChoicesRequest) => Promise<ChoicesResponse>;

export const browserInvoke = capability<ConnectorBrowser>(['browser.invoke'], (runtime: Runtime) => async (request) => {
  // Cast: the function returns this type.
  return (await invoke(runtime, runtime.config.homeRegion, connectorBrowserFunction, request)) as ChoicesResponse;
});

/**
 * Lists what the scope of a connection can contain. Throws 404, 409 if the source has no choices or gives none, 422 for
 * an unknown `parent`, and 503 if the source is busy.
 */
export const listChoices = async (
  browse: ConnectorBrowser,
  request: ChoicesRequest,
): Promise<{ readonly choices: readonly z.input<typeof ChoiceResponse>[]; readonly next: string | null }> => {
  const response = await browse(request);
  if ('found' in response) {
    const choices = response.found.choices.map(({ name, scope, parent, isAccessible: accessible }) => {
      return { name, field: scope?.field ?? null, id: scope?.id ?? null, parent, accessible };
    });
    return { choices, next: response.found.next };
  }
  const { kind, message, seconds } = response;
  if (kind === 'missing') throw notFound('Connector');
  if (kind === 'none')
    throw new AppError('conflict', 'This connector has no list of choices: docs/connectors.md describes its scope');
  if (kind === 'busy') throw unavailable(message, message, seconds ?? undefined);
  if (kind === 'unreadable') throw new ValidationFailure([valueProblem(['query', 'parent'], message)]);
  throw new AppError('conflict', message);
};
