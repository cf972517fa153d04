import type { AwsAnswer } from '../endpoint/aws-request.ts';
import type { AccessRequest, Decision } from './evaluate.ts';

/** Error of a request that the policies of its principal do not allow. The message is that of AWS. */
export class AccessDenied extends Error {
  constructor({ principal, action, resource }: AccessRequest, decision: Exclude<Decision, 'allow'>) {
    const reason =
      decision === 'explicit deny'
        ? 'with an explicit deny in a policy'
        : `because no identity-based policy allows the ${action} action`;
    super(`User: ${principal.name} is not authorized to perform: ${action} on resource: ${resource} ${reason}`);
    this.name = 'AccessDenied';
  }
}

const jsonAnswer = (status: number, code: string, body: object, extra: AwsAnswer['headers'] = {}): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amzn-errortype': code, ...extra },
  body: JSON.stringify(body),
});

/** Returns the response of a service to a denied request. S3 has a protocol of its own. */
export const accessDeniedAnswer = (service: string, { message: Message }: AccessDenied): AwsAnswer => {
  const code = 'AccessDeniedException';
  const body = { __type: `com.amazon.coral.service#${code}`, Message, message: Message };
  if (service === 'lambda') return jsonAnswer(403, code, { Message });
  if (service === 's3vectors') return jsonAnswer(403, code, { message: Message });
  return service === 'sqs'
    ? jsonAnswer(403, code, body, { 'x-amzn-query-error': 'AccessDenied;Sender' })
    : jsonAnswer(400, code, body);
};

const refusal = (service: string, code: string, message: string): AwsAnswer =>
  jsonAnswer(service === 'dynamodb' || service === 'ssm' ? 400 : 403, code, {
    __type: `com.amazon.coral.service#${code}`,
    message,
  });

/** Returns the response to a request whose access key or session token was never issued. */
export const unknownKeyAnswer = (service: string): AwsAnswer =>
  refusal(service, 'UnrecognizedClientException', 'The security token included in the request is invalid.');

/** Returns the response to a request that was not signed with the secret of its access key. */
export const invalidSignatureAnswer = (service: string): AwsAnswer =>
  refusal(
    service,
    'InvalidSignatureException',
    'The request signature we calculated does not match the signature you provided.',
  );
