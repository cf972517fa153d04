import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { listening } from '../support/emulated-cloud.ts';

/** A stack of the account, as a template would leave it. */
interface StubStack {
  readonly status: string;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** An AWS account over the protocols of its services. Tests change it between commands. */
export interface StubAccount {
  readonly url: string;
  readonly stacks: Map<string, StubStack>;
  /** Users by address. */
  readonly users: Map<string, { status: string; password: string | null; verified: boolean }>;
  /** Version of the CDK's bootstrap stack; null: there is none. */
  bootstrapVersion: number | null;
  concurrency: number;
  hasModelAccess: boolean;
  /** Fails the next call of an operation of the user pool. */
  failingOperation: string | null;
}

const members = (tag: string, key: string, value: string, values: Readonly<Record<string, string>> = {}): string =>
  `<${tag}>${Object.entries(values)
    .map(([name, given]) => `<member><${key}>${name}</${key}><${value}>${given}</${value}></member>`)
    .join('')}</${tag}>`;

interface Reply {
  readonly status?: number;
  readonly body: string | object;
}

const failure = (code: string, message = code): Reply => ({ status: 400, body: { __type: code, message } });

const xmlFailure = (code: string, message: string): Reply => ({
  status: 400,
  body: `<ErrorResponse><Error><Code>${code}</Code><Message>${message}</Message></Error></ErrorResponse>`,
});

const describeStacks = ({ stacks }: StubAccount, name: string): Reply => {
  const stack = stacks.get(name);
  if (stack === undefined) return xmlFailure('ValidationError', `Stack with id ${name} does not exist`);
  const { status, outputs, parameters } = stack;
  return {
    body: `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><StackName>${name}</StackName>
      <StackStatus>${status}</StackStatus>${members('Outputs', 'OutputKey', 'OutputValue', outputs)}
      ${members('Parameters', 'ParameterKey', 'ParameterValue', parameters)}
      </member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  };
};

const identity: Reply = {
  body: `<GetCallerIdentityResponse><GetCallerIdentityResult><Arn>arn:aws:iam::111122223333:user/operator</Arn>
    <Account>111122223333</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`,
};

const callUserPool = (account: StubAccount, operation: string, input: Record<string, unknown>): Reply => {
  const email = String(input['Username']);
  const user = account.users.get(email);
  if (account.failingOperation === operation) {
    account.failingOperation = null;
    return failure('InternalErrorException');
  }
  switch (operation) {
    case 'AdminGetUser':
      return user === undefined
        ? failure('UserNotFoundException', 'User does not exist.')
        : { body: { Username: email, UserStatus: user.status } };
    case 'AdminCreateUser': {
      if (user !== undefined) return failure('UsernameExistsException');
      const attributes = input['UserAttributes'] as readonly { readonly Name: string; readonly Value: string }[];
      const verified = attributes.some(({ Name, Value }) => Name === 'email_verified' && Value === 'true');
      account.users.set(email, { status: 'FORCE_CHANGE_PASSWORD', password: null, verified });
      return { body: { User: { Username: email } } };
    }
    case 'AdminSetUserPassword':
      if (user === undefined) return failure('UserNotFoundException');
      Object.assign(user, {
        password: input['Password'],
        status: input['Permanent'] === true ? 'CONFIRMED' : user.status,
      });
      return { body: {} };
    default:
      return failure('UnknownOperationException');
  }
};

const getBootstrapVersion = ({ bootstrapVersion }: StubAccount): Reply =>
  bootstrapVersion === null
    ? failure('ParameterNotFound')
    : { body: { Parameter: { Value: String(bootstrapVersion) } } };

const replyTo = (account: StubAccount, { url = '', headers }: IncomingMessage, body: string): Reply => {
  if (!(headers.authorization ?? '').startsWith('AWS4-HMAC-SHA256 Credential='))
    return failure('MissingAuthenticationToken');
  if (url.includes('/account-settings')) {
    const { concurrency } = account;
    return {
      body: { AccountLimit: { ConcurrentExecutions: concurrency, UnreservedConcurrentExecutions: concurrency } },
    };
  }
  if (url.startsWith('/model/'))
    return account.hasModelAccess
      ? { body: { embedding: [1], inputTextTokenCount: 1 } }
      : { status: 403, body: { __type: 'AccessDeniedException', message: 'not allowed' } };
  const [target, operation = ''] = String(headers['x-amz-target'] ?? '').split('.');
  if (target === 'AmazonSSM') return getBootstrapVersion(account);
  if (target === 'AWSCognitoIdentityProviderService')
    return callUserPool(account, operation, JSON.parse(body) as Record<string, unknown>);
  const form = new URLSearchParams(body);
  if (form.get('Action') === 'GetCallerIdentity') return identity;
  if (form.get('Action') === 'DescribeStacks') return describeStacks(account, form.get('StackName') ?? '');
  return failure('UnknownOperationException');
};

const answer = async (account: StubAccount, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { status = 200, body } = replyTo(account, request, await text(request));
  const isXml = typeof body === 'string';
  const type =
    !isXml && typeof body === 'object' && '__type' in body ? { 'x-amzn-errortype': String(body.__type) } : {};
  response.writeHead(status, { 'content-type': isXml ? 'text/xml' : 'application/json', ...type });
  response.end(isXml ? body : JSON.stringify(body));
};

/** Opens an account without a deployment; it is closed after the tests of the file. */
export const openStubAccount = async (): Promise<StubAccount> => {
  const account = {
    url: '',
    stacks: new Map<string, StubStack>(),
    users: new Map(),
    bootstrapVersion: 25,
    concurrency: 1_000,
    hasModelAccess: true,
    failingOperation: null,
  };
  const server = createServer((request, response) => {
    answer(account, request, response).catch(() => response.destroy());
  });
  account.url = await listening(server);
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return account;
};
