import { STSClient } from '@aws-sdk/client-sts';
import { SignatureV4 } from '@smithy/signature-v4';
import { Sha256 } from '../../shared/platform/aws/sha256.ts';

const timeoutMs = 10_000;

/** A request to AWS was refused, or got no answer. */
export class AwsRefusal extends Error {
  /** Code of the error, such as `AccessDeniedException`. */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(`${code}: ${message}`, options);
    this.name = 'AwsRefusal';
    this.code = code;
  }
}

/** Access of an operator's command to the APIs of AWS that the service itself does not use. */
export interface AwsAccess {
  /** Calls a JSON API, such as `AWSCognitoIdentityProviderService.AdminGetUser`. Throws AwsRefusal. */
  readonly callJson: (service: string, region: string, target: string, input: object) => Promise<unknown>;
  /** Calls a query API, and returns its XML. Throws AwsRefusal. */
  readonly callQuery: (service: string, region: string, input: Readonly<Record<string, string>>) => Promise<string>;
}

/** Names of services in settings of the SDK, if they differ from the host. */
const serviceIds: Readonly<Record<string, string>> = { 'cognito-idp': 'cognito-identity-provider' };

/** Reads the same settings as the SDK, by which a test or another partition is reached. */
const addressOf = (service: string, region: string): URL => {
  const variable = `AWS_ENDPOINT_URL_${(serviceIds[service] ?? service).toUpperCase().replaceAll('-', '_')}`;
  const own = process.env[variable] ?? process.env['AWS_ENDPOINT_URL'];
  return new URL(own ?? `https://${service}.${region}.amazonaws.com/`);
};

const refusalOf = (status: number, text: string): AwsRefusal => {
  const json = /"(?:__type|code)"\s*:\s*"(?:[^"]*#)?([^"]+)"/i.exec(text)?.[1];
  const code = json ?? /<Code>([^<]+)</.exec(text)?.[1] ?? String(status);
  const message = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/i.exec(text)?.[1] ?? /<Message>([^<]+)</.exec(text)?.[1];
  return new AwsRefusal(code, message ?? `HTTP status ${status}`);
};

const exchange = async (url: URL, headers: Readonly<Record<string, string>>, body: string): Promise<string> => {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(timeoutMs) });
    text = await answer.text();
  } catch (cause) {
    throw new AwsRefusal('NoAnswer', `${url.host} cannot be reached`, { cause });
  }
  if (!answer.ok) throw refusalOf(answer.status, text);
  return text;
};

const jsonHeaders = (target: string) => ({
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': target,
});

/** Calls an operation of a JSON API that takes no signature. Throws AwsRefusal. */
export const callUnsigned = async (service: string, region: string, target: string, input: object): Promise<unknown> =>
  JSON.parse(await exchange(addressOf(service, region), jsonHeaders(target), JSON.stringify(input)));

/** The SDK's default chain: environment, profiles, SSO, container and instance roles. */
const defaultCredentials = async () => {
  try {
    return await new STSClient({ region: 'us-east-1' }).config.credentials();
  } catch (cause) {
    throw new AwsRefusal(
      'NoCredentials',
      'there are no AWS credentials. Run aws sso login or aws configure, and give --profile if it is not the default one.',
      { cause },
    );
  }
};

/** Puts the credentials of the default chain into the environment, for clients that read nothing else. */
export const adoptCredentials = async (): Promise<void> => {
  const { accessKeyId, secretAccessKey, sessionToken } = await defaultCredentials();
  delete process.env['AWS_SESSION_TOKEN'];
  Object.assign(process.env, {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken === undefined ? {} : { AWS_SESSION_TOKEN: sessionToken }),
  });
};

export const openAwsAccess = (): AwsAccess => {
  const send = async (
    service: string,
    region: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<string> => {
    const signer = new SignatureV4({ service, region, credentials: defaultCredentials, sha256: Sha256 });
    const url = addressOf(service, region);
    const signed = await signer.sign({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: url.pathname,
      headers: { ...headers, host: url.host },
      body,
    });
    const { host: _host, ...rest } = signed.headers;
    return exchange(url, rest, body);
  };
  return {
    callJson: async (service, region, target, input) =>
      JSON.parse((await send(service, region, jsonHeaders(target), JSON.stringify(input))) || '{}') as unknown,
    callQuery: (service, region, input) =>
      send(
        service,
        region,
        { 'content-type': 'application/x-www-form-urlencoded' },
        new URLSearchParams(input).toString(),
      ),
  };
};
