import { createClient } from '../../create-client.ts';
import type { Command } from '../command.ts';
import { clientId, readCredentials, removeCredentials } from '../credentials.ts';

export const logout: Command = {
  usage: 'logout',
  summary: 'removes the stored credential, and revokes the access of a login by browser',
  options: {},
  run: async ({ print }) => {
    const stored = await readCredentials();
    await removeCredentials();
    if (stored === null) {
      print({ revoked: false }, 'There is no stored credential.');
      return;
    }
    const { url, renewal } = stored;
    if (renewal === undefined) {
      print({ url, revoked: false }, `The credential is removed here. It is still valid at ${url}.`);
      return;
    }
    await createClient({ baseUrl: url, token: null }).post('/v1/oauth/revoke', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: { token: renewal.refreshToken, client_id: clientId },
    });
    print({ url, revoked: true }, `The access to ${url} is revoked.`);
  },
};
