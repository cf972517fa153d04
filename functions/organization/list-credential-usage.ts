import * as z from 'zod';
import {
  type CredentialReader,
  credentialsRead,
  type OAuthClientReader,
  oauthClientsRead,
} from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { cursorOf, nextCursorHeader, PageQuery, toPageRequest } from '../../shared/http/pagination.ts';
import type { Principal } from '../../shared/http/principal.ts';
import {
  CredentialUsage,
  subjectUsageRead,
  type SubjectUsageReader,
  toUsageBody,
  usageMonth,
  UsageQuery,
} from '../../shared/usage/index.ts';

/** Returns the page of a list that holds only the caller. */
const ownPage = async (usage: SubjectUsageReader, month: string, { organizationId, subjectId }: Principal) => ({
  entries: [{ name: subjectId, figures: await usage.used(organizationId, month, { credentialId: subjectId }) }],
  next: null,
});

/** Returns the name of an API key or OAuth client; null for others. */
const nameOf = async (
  { credentials, clients }: { readonly credentials: CredentialReader; readonly clients: OAuthClientReader },
  organizationId: string,
  id: string,
): Promise<string | null> => {
  if (id.startsWith('key_')) return (await credentials.getKey(organizationId, id))?.name ?? null;
  return id.startsWith('oc_') ? ((await clients.get(organizationId, id))?.name ?? null) : null;
};

export const listCredentialUsage = endpoint({
  id: 'list-credential-usage',
  method: 'GET',
  path: '/v1/organization/usage/credentials',
  tag: 'Organizations',
  summary: 'List the usage by credential',
  description:
    'Lists credentials that are restricted to indexes, bound to rows or limited, ordered by id, with their usage of a calendar month in UTC. A file counts for the credential whose request created its job, and a token of an end user for its key. Storage, and files of connectors and crawls, count for none. A credential that is restricted to indexes or bound to rows gets only itself.',
  auth: { needs: 'read', servesBound: true },
  uses: { subjectUsage: subjectUsageRead, credentials: credentialsRead, clients: oauthClientsRead },
  query: UsageQuery.extend({ ...PageQuery.shape, cursor: cursorOf(/^[a-z]{2,5}_[0-9a-z]{26}$/) }),
  status: 200,
  response: z.array(CredentialUsage),
  handle: async ({ caller, deps, query, clock }) => {
    const month = usageMonth(query, clock.now());
    const { organizationId } = caller;
    const { entries, next } =
      caller.indexIds === null && caller.bounds === null
        ? await deps.subjectUsage.list(organizationId, month, toPageRequest(query))
        : await ownPage(deps.subjectUsage, month, caller);
    // Concurrent reads share batches.
    const names = await Promise.all(entries.map(({ name: id }) => nameOf(deps, organizationId, id)));
    const body = entries.map(({ name: id, figures }, at) => ({
      credential_id: id,
      name: names[at] ?? null,
      ...toUsageBody(figures),
    }));
    return { body, headers: nextCursorHeader(next) };
  },
});
