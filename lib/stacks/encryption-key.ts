import { CfnCondition, CfnParameter, Fn, type IResolvable, type Stack } from 'aws-cdk-lib';

/** Returns one of two values of a property: with a key of the operator, or without. */
type ByKey = (withKey: (arn: string) => unknown, without: unknown) => IResolvable;

/**
 * Adds a parameter for a key of the operator. The policy of the key lets the account use it through the service that
 * encrypts, so no role needs a permission on it.
 */
export const encryptionKeyParameter = (stack: Stack): ByKey => {
  const key = new CfnParameter(stack, 'KmsKeyArn', {
    default: '',
    allowedPattern: '^(arn:aws[a-z-]*:kms:[a-z0-9-]+:\\d{12}:key/[\\w-]+)?$',
    description: 'Key in KMS, in the region of this stack, that data is encrypted with; empty for keys that AWS owns',
  }).valueAsString;
  const hasKey = new CfnCondition(stack, 'HasKmsKey', { expression: Fn.conditionNot(Fn.conditionEquals(key, '')) });
  return (withKey, without) => Fn.conditionIf(hasKey.logicalId, withKey(key), without);
};
