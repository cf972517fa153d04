/** Access key, service and region of a request's signature. */
export interface CredentialScope {
  readonly accessKeyId: string;
  readonly region: string;
  readonly service: string;
}

const scopePattern = /^([^/]+)\/\d{8}\/([^/]+)\/([^/]+)\/aws4_request$/;

/**
 * Reads the credential scope of Signature Version 4 from the `Authorization` header or from a presigned address. Returns
 * null for an unsigned request. The service verifies the signature itself.
 */
export const readCredentialScope = (authorization: string | undefined, url: string): CredentialScope | null => {
  const question = url.indexOf('?');
  const query = new URLSearchParams(question < 0 ? '' : url.slice(question + 1));
  const credential = /Credential=([^,\s]+)/.exec(authorization ?? '')?.[1] ?? query.get('X-Amz-Credential') ?? '';
  const [, accessKeyId, region, service] = scopePattern.exec(credential) ?? [];
  return accessKeyId === undefined || region === undefined || service === undefined
    ? null
    : { accessKeyId, region, service };
};
