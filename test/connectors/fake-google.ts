import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { decodeJwt, jwtVerify } from 'jose';
import { type FakeResponse, type FakeRequest, FakeServer } from './fake-server.ts';

export const googleError = (
  status: number,
  reason: string,
  headers: Readonly<Record<string, string>> = {},
): FakeResponse => ({
  status,
  headers,
  body: { error: { code: status, message: `said of ${reason}`, errors: [{ domain: 'global', reason }] } },
});

export const ok = (body: unknown): FakeResponse => ({ status: 200, body });

/** A page of a list with the token of the next. */
export const pageOf = <Row>(rows: readonly Row[], cursor: string | null, size: number) => {
  const from = Number(cursor ?? 0);
  const more = from + size < rows.length;
  return { rows: rows.slice(from, from + size), next: more ? { nextPageToken: String(from + size) } : {} };
};

/** Common behavior of Google's APIs: expiring tokens and rate limits. */
export class FakeGoogle {
  readonly server: FakeServer;
  token = 'ya29.secret-token-1';
  refreshToken = '1//secret-refresh-1';
  /** Answers in place of the API's own, the next first; tokens are given all the same. */
  readonly limits: FakeResponse[] = [];
  /** Requests to the API, as `GET /drive/v3/files`. */
  readonly requests: string[] = [];
  readonly assertions: string[] = [];
  publicKey: JsonWebKey | null = null;

  constructor(answer: (asked: FakeRequest) => FakeResponse) {
    this.server = new FakeServer((asked) => {
      if (asked.url.pathname === '/token') return this.grant(new URLSearchParams(asked.body));
      if (asked.headers.authorization !== `Bearer ${this.token}`) return googleError(401, 'authError');
      this.requests.push(`${asked.method} ${asked.url.pathname}`);
      return this.limits.shift() ?? answer(asked);
    });
  }

  secrets(): readonly string[] {
    return [this.token, this.refreshToken, 'key-secret-5'];
  }

  private grant(form: URLSearchParams): FakeResponse {
    const refused = { status: 400, body: { error: 'invalid_grant', error_description: 'Token has been revoked.' } };
    const type = form.get('grant_type');
    if (type === 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
      this.assertions.push(form.get('assertion') ?? '');
      const claims = decodeJwt(form.get('assertion') ?? '');
      if (this.publicKey === null || claims.aud !== 'https://oauth2.googleapis.com/token') return refused;
    } else {
      const client = `${form.get('client_id')}:${form.get('client_secret')}`;
      if (!['client-9:client-secret-9', 'key-client-5:key-secret-5'].includes(client))
        return { status: 401, body: { error: 'invalid_client' } };
      const known =
        type === 'refresh_token'
          ? form.get('refresh_token') === this.refreshToken
          : form.get('code') === 'consent-code-7' && form.has('code_verifier');
      if (!known) return refused;
    }
    this.token = `${this.token}x`;
    const payload = Buffer.from(JSON.stringify({ email: 'person@example.com' })).toString('base64url');
    const idToken = `e30.${payload}.c2ln`;
    const refresh = type === 'authorization_code' ? { refresh_token: this.refreshToken, id_token: idToken } : {};
    return ok({ access_token: this.token, expires_in: 3599, token_type: 'Bearer', ...refresh });
  }

  /** The last assertion, if its signature is that of the service account. */
  async lastAssertion() {
    const { payload } = await jwtVerify(
      this.assertions.at(-1) ?? '',
      createPublicKey({ key: this.publicKey ?? {}, format: 'jwk' }),
      // Issued by the clock of the test.
      { currentDate: new Date(Number(decodeJwt(this.assertions.at(-1) ?? '').iat) * 1000) },
    );
    return payload;
  }

  expire(): void {
    this.token = `${this.token}-newer`;
  }

  revoke(): void {
    this.token = 'another';
    this.refreshToken = 'another';
    this.publicKey = null;
  }
}
