import { CfnParameter, type Stack } from 'aws-cdk-lib';

/** Value of the stack's parameter `AllowLocalWebhooks`: `true` or `false`. */
export const localWebhooksParameter = (stack: Stack): string =>
  new CfnParameter(stack, 'AllowLocalWebhooks', {
    default: 'false',
    allowedValues: ['true', 'false'],
    description: 'Whether webhook addresses may be http://localhost; true makes sense on one machine alone',
  }).valueAsString;
