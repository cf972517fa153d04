import * as z from 'zod';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, paginate, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';
import { InvitationResponse, invitationsRead, toInvitation } from '../../shared/organizations/index.ts';

export const listInvitations = endpoint({
  id: 'list-invitations',
  method: 'GET',
  path: '/v1/organization/invitations',
  tag: 'Organizations',
  summary: 'List invitations',
  description:
    'Lists the latest invitation of each e-mail address, newest first, without revoked ones. Accepted and expired invitations are listed until 30 days after their expiry. A credential that is restricted to indexes gets an empty list.',
  auth: { needs: 'read', refusesApplications: true },
  uses: { invitations: invitationsRead },
  query: pageQueryOf('inv', 'by time'),
  status: 200,
  response: z.array(InvitationResponse),
  handle: async ({ caller, deps, query }) => {
    const keyOf = ({ createdAt, id }: { readonly createdAt: string; readonly id: string }) => `${createdAt} ${id}`;
    const invitations = caller.indexIds === null ? await deps.invitations.list(caller.organizationId) : [];
    const newestFirst = invitations.toSorted((a, b) => keyOf(b).localeCompare(keyOf(a)));
    const { items, next } = paginate(newestFirst, keyOf, toPageRequest(query), 'descending');
    return { body: items.map(toInvitation), headers: nextCursorHeader(next) };
  },
});
