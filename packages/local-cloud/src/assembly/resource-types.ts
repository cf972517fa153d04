import type { AssemblyStack } from './read-assembly.ts';
import { resourceProperties } from './resource-properties.ts';

/** Types that the local cloud emulates. */
export const emulatedTypes: ReadonlySet<string> = new Set(Object.keys(resourceProperties));

/** Types without effect on clients of one machine, such as alarms, domain names and sign-in pages. They are ignored. */
const acceptedTypes = new Set([
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::DomainName',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::Cognito::ManagedLoginBranding',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::Cognito::UserPoolDomain',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::ResourcePolicy',
]);

/**
 * Checks that the local cloud emulates or ignores every resource type of the templates.
 * @throws Error that names every such type with one place of it.
 */
export const checkResourceTypes = (stacks: readonly AssemblyStack[]): void => {
  const unknown = new Map<string, string>();
  for (const { name, template } of stacks) {
    for (const [logicalId, { Type }] of Object.entries(template.Resources)) {
      if (!emulatedTypes.has(Type) && !acceptedTypes.has(Type)) {
        unknown.set(Type, `${name}/${logicalId}`);
      }
    }
  }
  if (unknown.size > 0) {
    const places = [...unknown].map(([type, place]) => `${type} (${place})`);
    throw new Error(`the local cloud has no ${places.join(', ')}`);
  }
};
