import * as z from 'zod';
import { credentialsRead, SessionResponse } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { nextCursor, pagesOf, toPage } from '../../shared/http/page.ts';

export const listSessions = endpoint({
  id: 'list-sessions',
  method: 'GET',
  path: '/v1/auth/sessions',
  tag: 'Authentication',
  summary: 'List the sessions of the user',
  description: 'The open sessions of the user of the session, newest first. Never their tokens.',
  auth: { needs: 'session' },
  uses: { credentials: credentialsRead },
  query: pagesOf('sess'),
  status: 200,
  response: z.array(SessionResponse),
  handle: async ({ caller, deps, query }) => {
    const { sessions, next } = await deps.credentials.listSessions(caller.subjectId, toPage(query));
    const body = sessions.map((session) => ({
      id: session.id,
      created_at: session.createdAt,
      expires_at: session.expiresAt,
      current: session.hash === caller.credentialHash,
      user_agent: session.userAgent,
    }));
    return { body, headers: nextCursor(next) };
  },
});
