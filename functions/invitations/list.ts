import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pageOf, pagesOf, toPage } from '../../shared/http/page.ts';
import { InvitationResponse, invitationsRead, toInvitation } from '../../shared/organizations/index.ts';

export const listInvitations = endpoint({
  id: 'list-invitations',
  method: 'GET',
  path: '/v1/organization/invitations',
  tag: 'Organizations',
  summary: 'List invitations',
  description:
    'Newest first: the latest invitation of each e-mail address, without those that were revoked. Accepted and expired ones are shown until 30 days after their expiry. A credential that is restricted to indexes finds none.',
  auth: { needs: 'read' },
  uses: { invitations: invitationsRead },
  query: pagesOf('inv', 'by time'),
  status: 200,
  response: z.array(InvitationResponse),
  handle: async ({ caller, deps, query }) => {
    const keyOf = ({ createdAt, id }: { readonly createdAt: string; readonly id: string }) => `${createdAt} ${id}`;
    const invitations = caller.indexIds === null ? await deps.invitations.list(caller.organizationId) : [];
    const newestFirst = invitations.toSorted((a, b) => keyOf(b).localeCompare(keyOf(a)));
    const { items, next } = pageOf(newestFirst, keyOf, toPage(query), 'descending');
    return { body: items.map(toInvitation), headers: nextCursor(next) };
  },
});
