import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redact } from '../../shared/platform/telemetry/redact.ts';

const token = `svc_live_${'a1B2'.repeat(12)}x`;

describe('a log line', () => {
  it('holds no secret: by the name of its field or by its own form, at any depth', () => {
    const line = JSON.stringify(
      {
        message: `bearer ${token} was refused`,
        headers: { authorization: `Bearer ${token}`, 'x-request-id': 'req_1' },
        credentials: { secret_access_key: 'abc', access_key_id: 'AKIA' },
        client_secret: 'svc_secret_abc',
        upload_url: 'https://bucket/key?X-Amz-Signature=abc',
        error: 'GET https://bucket/key?X-Amz-Credential=AKIA%2F1&X-Amz-Signature=0123abc&x=1 failed',
        blob: 'https://account.blob.core.windows.net/c/b?sv=1&sig=abc%3D',
        id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln',
        text: 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln and whsec_c2VjcmV0',
      },
      redact,
    );
    for (const secret of [token, 'AKIA', 'svc_secret_abc', '0123abc', 'sig=abc', 'eyJ', 'whsec_c2', 'abc"'])
      assert.ok(!line.includes(secret), `${secret} in ${line}`);
    assert.ok(line.includes('req_1') && line.includes('was refused') && line.includes('&x=1 failed'));
  });

  it('keeps what only looks like one', () => {
    const fields = { tokens: 12, embedding_tokens: 3, subject_id: 'key_01', organization_id: 'org_01', status: 401 };
    assert.deepEqual(JSON.parse(JSON.stringify(fields, redact)), fields);
  });
});
