/** One operation of DynamoDB's JSON protocol. Rejects with an error whose name is the protocol's. */
export type CallTables = (region: string, operation: string, request: object) => Promise<unknown>;

/** Calls the local tables over the endpoint that functions use, which reads the region from the signature's scope. */
export const callTables =
  (endpointUrl: string): CallTables =>
  async (region, operation, request) => {
    const response = await fetch(endpointUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${operation}`,
        'x-amz-date': '20000101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=local/20000101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(request),
    });
    // The endpoint answers JSON objects alone; errors carry their type and message.
    const answer = (await response.json()) as { readonly __type?: string; readonly message?: string };
    if (!response.ok) {
      throw Object.assign(new Error(answer.message ?? `${operation} failed`), { name: answer.__type ?? 'Error' });
    }
    return answer;
  };
