import type { CloudPlan } from '../assembly/plan-cloud.ts';
import type { Permissions, Role } from './authorizer.ts';
import { evaluate } from './evaluate.ts';
import type { RequestContext } from './policy-condition.ts';
import type { Statement } from './policy-document.ts';

/** Actions of an event source mapping with the role of its function. Source: Lambda, "Using Lambda with Amazon SQS". */
const mappingActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** A request by a service of AWS itself. */
interface ServiceRequest {
  readonly service: string;
  readonly action: string;
  readonly resource: string;
  readonly context?: RequestContext;
}

const allowsService = (
  statements: readonly Statement[],
  accountId: string,
  { service, action, resource, context = {} }: ServiceRequest,
): boolean => {
  const principal = { name: service, arn: null, accountId };
  const all: RequestContext = { 'aws:SecureTransport': 'true', 'aws:SourceAccount': accountId, ...context };
  return evaluate(statements, { principal, action, resource, context: all }) === 'allow';
};

const checkRole = (functionArn: string, { arn, trust }: Role, accountId: string): string[] =>
  allowsService(trust, accountId, { service: 'lambda.amazonaws.com', action: 'sts:AssumeRole', resource: arn })
    ? []
    : [`the role ${arn} of ${functionArn} does not let Lambda assume it`];

const checkMapping = (
  { queueArn, functionArn }: CloudPlan['mappings'][number],
  { roles, resourcePolicies }: Permissions,
  accountId: string,
): string[] => {
  const role = roles.get(functionArn);
  const statements = [...(role?.statements ?? []), ...(resourcePolicies.get(queueArn) ?? [])];
  const principal = { name: role?.arn ?? functionArn, arn: role?.arn ?? functionArn, accountId };
  const context = { 'aws:SecureTransport': 'true' };
  return mappingActions
    .filter((action) => evaluate(statements, { principal, action, resource: queueArn, context }) !== 'allow')
    .map((action) => `the role of ${functionArn} may not ${action} on ${queueArn}, from which it gets its messages`);
};

/** Returns the requests that services of AWS send: they invoke functions and send to queues. */
const serviceRequests = (
  plan: Omit<CloudPlan, 'permissions'>,
  homeRegion: string,
  accountId: string,
): ServiceRequest[] => {
  const action = 'lambda:InvokeFunction';
  return [
    ...plan.notifications.map(({ bucket, queueArn }) => ({
      service: 's3.amazonaws.com',
      action: 'sqs:SendMessage',
      resource: queueArn,
      context: { 'aws:SourceArn': `arn:aws:s3:::${bucket}` },
    })),
    ...plan.schedules.map(({ arn, functionArn }) => ({
      service: 'events.amazonaws.com',
      action,
      resource: functionArn,
      context: { 'aws:SourceArn': arn },
    })),
    ...plan.api.routes.map(({ key, functionArn }) => {
      const [method, path = '/$default'] = key.split(' ');
      const source = `arn:aws:execute-api:${homeRegion}:${accountId}:${plan.api.id}/$default/${method}${path}`;
      return {
        service: 'apigateway.amazonaws.com',
        action,
        resource: functionArn,
        context: { 'aws:SourceArn': source },
      };
    }),
  ];
};

/**
 * Checks the permissions of services of AWS, as a deployment does. Lambda assumes roles and polls queues, S3 sends to
 * queues, and rules and the API invoke functions.
 * @throws Error that names each missing permission.
 */
export const checkServiceAccess = (plan: CloudPlan, accountId: string): void => {
  const { roles, resourcePolicies } = plan.permissions;
  const [home = ''] = plan.api.routes.map(({ functionArn }) => functionArn.split(':')[3] ?? '');
  const problems = [
    ...[...roles].flatMap(([functionArn, role]) => checkRole(functionArn, role, accountId)),
    ...plan.mappings.flatMap((mapping) => checkMapping(mapping, plan.permissions, accountId)),
    ...serviceRequests(plan, home, accountId)
      .filter((request) => !allowsService(resourcePolicies.get(request.resource) ?? [], accountId, request))
      .map(({ service, action, resource }) => `${service} may not ${action} on ${resource}`),
  ];
  if (problems.length > 0) throw new Error(`the templates lack permissions: ${problems.join('; ')}`);
};
