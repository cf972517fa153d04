import type { AccessKey } from '../iam/access-keys.ts';
import { signatureOf } from '../iam/signature.ts';

/** One operation of DynamoDB's JSON protocol. Rejects with an error whose name is the protocol's. */
export type CallTables = (region: string, operation: string, request: object) => Promise<unknown>;

/** Calls the local tables over the endpoint that functions use, which reads key and region from the signature's scope. */
export const callTables =
  (endpointUrl: string, { accessKeyId, secretAccessKey }: AccessKey): CallTables =>
  async (region, operation, request) => {
    const body = JSON.stringify(request);
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
      'x-amz-date': '20000101T000000Z',
    };
    const scope = { region, service: 'dynamodb' };
    const signed = { method: 'POST', url: '/', headers: { ...headers, host: new URL(endpointUrl).host }, body };
    const signedHeaders = 'host;x-amz-date;x-amz-target';
    const signature = signatureOf(signed, secretAccessKey, scope, signedHeaders);
    const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20000101/${region}/dynamodb/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`;
    const response = await fetch(endpointUrl, { method: 'POST', headers: { ...headers, authorization }, body });
    // The endpoint returns only JSON objects; errors have a type and a message.
    const answer = (await response.json()) as { readonly __type?: string; readonly message?: string };
    if (!response.ok) {
      throw Object.assign(new Error(answer.message ?? `${operation} failed`), { name: answer.__type ?? 'Error' });
    }
    return answer;
  };
