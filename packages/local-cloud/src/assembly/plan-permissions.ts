import type { Permissions, Role } from '../iam/authorizer.ts';
import { managedPolicies } from '../iam/managed-policies.ts';
import { type PolicyKind, readPolicy, type Statement } from '../iam/policy-document.ts';
import { arnOf, pickResources, type Picked } from './pick-resources.ts';
import { describeResource, type Resource } from './resolve-assembly.ts';

/** Reads a policy of a resource. @throws Error that names the resource, the policy and what cannot be evaluated. */
const policyOf = (resource: Resource, path: string, document: unknown, kind: PolicyKind): readonly Statement[] => {
  try {
    return readPolicy(document, kind);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`${describeResource(resource)}: ${path}: ${problem}`, { cause: error });
  }
};

/** Policies that are resources of their own, by the name of the role that they are attached to, or by their own ARN. */
interface AttachedPolicies {
  readonly byRole: ReadonlyMap<string, readonly Statement[]>;
  readonly byArn: ReadonlyMap<string, readonly Statement[]>;
}

const attachedPolicies = (resources: readonly Resource[]): AttachedPolicies => {
  const managed = pickResources(resources, 'AWS::IAM::ManagedPolicy');
  const all = [...managed, ...pickResources(resources, 'AWS::IAM::Policy')].map((resource) => ({
    roles: resource.parsed.Roles,
    ref: resource.identity.ref,
    statements: policyOf(resource, 'PolicyDocument', resource.parsed.PolicyDocument, 'identity'),
  }));
  const named = all.flatMap(({ roles, statements }) => roles.map((role) => ({ role, statements })));
  return {
    byRole: collect(named.map(({ role, statements }) => [role, statements])),
    byArn: new Map(all.slice(0, managed.length).map(({ ref, statements }) => [ref, statements])),
  };
};

const collect = (entries: readonly (readonly [string, readonly Statement[]])[]): Map<string, readonly Statement[]> => {
  const collected = new Map<string, readonly Statement[]>();
  for (const [key, statements] of entries) collected.set(key, [...(collected.get(key) ?? []), ...statements]);
  return collected;
};

const roleOf = (resource: Picked<'AWS::IAM::Role'>, attached: AttachedPolicies): Role => {
  const { AssumeRolePolicyDocument, Policies, ManagedPolicyArns } = resource.parsed;
  const managed = ManagedPolicyArns.flatMap((arn) => {
    const known = attached.byArn.get(arn);
    if (known !== undefined) return known;
    const path = `ManagedPolicyArns ${arn}`;
    if (managedPolicies[arn] === undefined)
      throw new Error(`${describeResource(resource)}: ${path} is not known on one machine`);
    return policyOf(resource, path, managedPolicies[arn], 'identity');
  });
  return {
    arn: arnOf(resource),
    trust: policyOf(resource, 'AssumeRolePolicyDocument', AssumeRolePolicyDocument, 'trust'),
    statements: [
      ...Policies.flatMap(({ PolicyName, PolicyDocument }) =>
        policyOf(resource, PolicyName, PolicyDocument, 'identity'),
      ),
      ...managed,
      ...(attached.byRole.get(resource.identity.ref) ?? []),
    ],
  };
};

/** The statement that a permission adds to the policy of a function. */
const permissionDocument = (
  { Action, Principal, SourceArn, SourceAccount }: Picked<'AWS::Lambda::Permission'>['parsed'],
  functionArn: string,
): object => ({
  Version: '2012-10-17',
  Statement: {
    Effect: 'Allow',
    Principal: Principal.endsWith('.amazonaws.com') ? { Service: Principal } : { AWS: Principal },
    Action,
    Resource: functionArn,
    Condition: {
      ...(SourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    },
  },
});

/** Returns the ARN of the resource that a policy refers to. */
const referred = (policy: Resource, candidates: readonly Resource[], reference: string): string => {
  const found = candidates.find(
    (candidate) =>
      candidate.region === policy.region &&
      [candidate.identity.ref, candidate.identity.attributes['Arn']].includes(reference),
  );
  if (found === undefined) throw new Error(`${describeResource(policy)}: the templates have no ${reference}`);
  return arnOf(found);
};

const resourcePolicies = (resources: readonly Resource[]): Permissions['resourcePolicies'] => {
  const ofType = (type: string) => resources.filter((resource) => resource.type === type);
  const [queues, buckets, functions] = ['AWS::SQS::Queue', 'AWS::S3::Bucket', 'AWS::Lambda::Function'].map(ofType);
  return collect([
    ...pickResources(resources, 'AWS::SQS::QueuePolicy').flatMap((policy) => {
      const statements = policyOf(policy, 'PolicyDocument', policy.parsed.PolicyDocument, 'resource');
      return policy.parsed.Queues.map((url) => [referred(policy, queues ?? [], url), statements] as const);
    }),
    ...pickResources(resources, 'AWS::S3::BucketPolicy').map((policy) => {
      const statements = policyOf(policy, 'PolicyDocument', policy.parsed.PolicyDocument, 'resource');
      return [referred(policy, buckets ?? [], policy.parsed.Bucket), statements] as const;
    }),
    ...pickResources(resources, 'AWS::Lambda::Permission').map((permission) => {
      const functionArn = referred(permission, functions ?? [], permission.parsed.FunctionName);
      const document = permissionDocument(permission.parsed, functionArn);
      return [functionArn, policyOf(permission, 'policy', document, 'resource')] as const;
    }),
  ]);
};

/**
 * The roles of all functions, and the policies of queues, buckets and functions.
 * @throws Error that names what cannot be evaluated.
 */
export const planPermissions = (resources: readonly Resource[]): Permissions => {
  const attached = attachedPolicies(resources);
  const roles = new Map(
    pickResources(resources, 'AWS::IAM::Role').map((resource) => [arnOf(resource), roleOf(resource, attached)]),
  );
  const ofFunctions = pickResources(resources, 'AWS::Lambda::Function').map((resource) => {
    const role = roles.get(resource.parsed.Role);
    if (role === undefined)
      throw new Error(`${describeResource(resource)}: the templates have no role ${resource.parsed.Role}`);
    return [arnOf(resource), role] as const;
  });
  return { roles: new Map(ofFunctions), resourcePolicies: resourcePolicies(resources) };
};
