import { timingSafeEqual } from 'node:crypto';
import { AccessDenied } from './access-denied.ts';
import type { AccessKey } from './access-keys.ts';
import { evaluate, type AccessRequest } from './evaluate.ts';
import type { RequestContext } from './policy-condition.ts';
import { readPolicy, type Principal, type Statement } from './policy-document.ts';

/** Permissions of functions and operators, and resource policies. */
export interface Permissions {
  /** The role of each function, by the ARN of the function. */
  readonly roles: ReadonlyMap<string, Role>;
  /** Statements of the policies of queues, buckets and functions, by the ARN of the resource. */
  readonly resourcePolicies: ReadonlyMap<string, readonly Statement[]>;
}

/** The role of a function. */
export interface Role {
  readonly arn: string;
  /** Trust policy: the principals that may assume the role. */
  readonly trust: readonly Statement[];
  readonly statements: readonly Statement[];
}

/** A principal with its access key and its statements. */
export interface Caller {
  readonly principal: Principal;
  readonly key: AccessKey;
  /** Statements of its own policies that can match an action, in lower case. */
  readonly statementsFor: (action: string) => readonly Statement[];
  /** Requests that its policies and those of the resources allow, by action, resource and context. Policies never change. */
  readonly allowed: Set<string>;
}

/** A kind of request that was denied, and how often. */
export interface Denial {
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  readonly count: number;
}

/** Decides on every request to the local services of AWS by the policies of the templates. */
export interface Authorizer {
  /** Returns the caller of an access key; undefined for a key that was never issued. */
  readonly callerOf: (accessKeyId: string) => Caller | undefined;
  /** @throws AccessDenied, which is counted. */
  readonly authorize: (caller: Caller, action: string, resource: string, context?: RequestContext) => void;
  readonly denials: () => readonly Denial[];
}

/** Maximum of denials in the report: a function may be denied each of many objects. */
const maxDenialKinds = 1_000;

/** Maximum of allowed requests that are kept for a caller. */
const maxAllowedKept = 2_000;

const everything = readPolicy(
  { Version: '2012-10-17', Statement: { Effect: 'Allow', Action: '*', Resource: '*' } },
  'identity',
);

/** Caches for each action the statements that can match it: there are few actions and many resources. */
const byAction = (statements: readonly Statement[]): Caller['statementsFor'] => {
  const known = new Map<string, readonly Statement[]>();
  return (action) => {
    const found = known.get(action) ?? statements.filter(({ matchesAction }) => matchesAction(action));
    known.set(action, found);
    return found;
  };
};

const operatorCaller = (accountId: string, key: AccessKey): Caller => {
  const arn = `arn:aws:iam::${accountId}:user/operator`;
  return { principal: { name: arn, arn, accountId }, key, statementsFor: byAction(everything), allowed: new Set() };
};

/** Returns the caller of a function: a session of its role, with the name of the function. */
const functionCaller = (functionArn: string, { arn, statements }: Role, accountId: string, key: AccessKey): Caller => {
  const name = `${arn.replace(':iam:', ':sts:').replace(':role/', ':assumed-role/')}/${functionArn.split(':').at(-1)}`;
  return { principal: { name, arn, accountId }, key, statementsFor: byAction(statements), allowed: new Set() };
};

/** Returns the resource whose policy applies: for an object, its bucket. */
const policyHolder = (resource: string): string =>
  resource.startsWith('arn:aws:s3:::') ? (resource.split('/', 1)[0] ?? resource) : resource;

/** Whether a request carries the session token that belongs to its access key. */
export const hasSessionToken = ({ key: { sessionToken = '' } }: Caller, token: string | undefined): boolean => {
  const [expected, actual] = [Buffer.from(sessionToken), Buffer.from(token ?? '')];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
};

const accessRequest = (
  { principal }: Caller,
  action: string,
  resource: string,
  context: RequestContext,
): AccessRequest => ({
  principal,
  action,
  resource,
  // The local endpoint replaces that of AWS, which clients reach by TLS only.
  context: {
    'aws:SecureTransport': 'true',
    'aws:PrincipalArn': principal.arn ?? '',
    'aws:PrincipalAccount': principal.accountId,
    ...context,
  },
});

/**
 * Opens the authorizer of one cloud.
 * @param options `keyOf`: the access key of a function. `onDenied` gets each denial when it happens.
 */
export const openAuthorizer = (options: {
  readonly permissions: Permissions;
  readonly accountId: string;
  readonly operatorKey: AccessKey;
  readonly keyOf: (functionArn: string) => AccessKey;
  readonly onDenied: (denied: AccessDenied) => void;
}): Authorizer => {
  const { permissions, accountId, operatorKey } = options;
  const callers = [
    operatorCaller(accountId, operatorKey),
    ...[...permissions.roles].map(([functionArn, role]) =>
      functionCaller(functionArn, role, accountId, options.keyOf(functionArn)),
    ),
  ];
  const byKey = new Map(callers.map((caller) => [caller.key.accessKeyId, caller]));
  const denied = new Map<string, Denial>();
  return {
    callerOf: (accessKeyId) => byKey.get(accessKeyId),
    authorize: (caller, action, resource, context = {}) => {
      const asked = `${action} ${resource} ${JSON.stringify(context)}`;
      if (caller.allowed.has(asked)) return;
      const request = accessRequest(caller, action, resource, context);
      const ofResource = permissions.resourcePolicies.get(policyHolder(resource)) ?? [];
      const decision = evaluate([...caller.statementsFor(action.toLowerCase()), ...ofResource], request);
      if (decision === 'allow') {
        // Tables and queues are few, and objects many.
        if (caller.allowed.size >= maxAllowedKept) caller.allowed.clear();
        caller.allowed.add(asked);
        return;
      }
      const id = JSON.stringify([caller.principal.name, action, resource]);
      const count = (denied.get(id)?.count ?? 0) + 1;
      if (count > 1 || denied.size < maxDenialKinds)
        denied.set(id, { principal: caller.principal.name, action, resource, count });
      const error = new AccessDenied(request, decision);
      options.onDenied(error);
      throw error;
    },
    denials: () => [...denied.values()],
  };
};
