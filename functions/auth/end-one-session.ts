import { credentialsWrite } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { notFound } from '../../shared/kernel/errors.ts';

export const endOneSession = endpoint({
  id: 'end-one-session',
  method: 'DELETE',
  path: '/v1/auth/sessions/{session_id}',
  tag: 'Authentication',
  summary: 'End a session',
  description:
    'Ends one session of the user, such as that of a lost device. Every following request with its token is refused. Idempotent.',
  auth: { needs: 'session' },
  audit: { action: 'session.ended', before: ({ path }) => ({ id: path.session_id }) },
  uses: { credentials: credentialsWrite },
  status: 204,
  handle: async ({ caller, deps, path, clock }) => {
    if (!(await deps.credentials.endListedSession(caller.subjectId, path.session_id, clock.now().toISOString())))
      throw notFound('Session');
    return undefined;
  },
});
