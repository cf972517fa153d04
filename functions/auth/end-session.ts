import { credentialsWrite } from '../../shared/credentials/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

export const endSession = endpoint({
  id: 'end-session',
  method: 'DELETE',
  path: '/v1/auth/session',
  tag: 'Authentication',
  summary: 'End the current session',
  description:
    'Ends the session of the request. Every following request with its token returns 401. Other sessions of the user, and keys that they created, stay valid.',
  auth: { needs: 'session' },
  audit: { action: 'session.ended' },
  uses: { credentials: credentialsWrite },
  status: 204,
  handle: async ({ caller, deps, clock }) => {
    await deps.credentials.endSession(caller.subjectId, caller.credentialHash, clock.now().toISOString());
    return undefined;
  },
});
