import * as z from 'zod';
import { credentialsRead, SessionResponse } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursorHeader, pageQueryOf, toPageRequest } from '../../shared/http/pagination.ts';

export const listSessions = endpoint({
  id: 'list-sessions',
  method: 'GET',
  path: '/v1/auth/sessions',
  tag: 'Authentication',
  summary: 'List sessions',
  description:
    'Lists the open sessions of the user, newest first. The response never contains their tokens. A session with an `application` ends with all access of that application when it is ended.',
  auth: { needs: 'session' },
  uses: { credentials: credentialsRead },
  query: pageQueryOf('sess'),
  status: 200,
  response: z.array(SessionResponse),
  handle: async ({ caller, deps, query }) => {
    const { sessions, next } = await deps.credentials.listSessions(caller.subjectId, toPageRequest(query));
    const body = sessions.map((session) => ({
      id: session.id,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      current: session.hash === caller.credentialHash,
      user_agent: session.userAgent,
      application: session.application,
    }));
    return { body, headers: nextCursorHeader(next) };
  },
});
