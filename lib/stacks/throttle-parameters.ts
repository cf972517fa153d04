import {
  Aws,
  CfnCondition,
  CfnParameter,
  Fn,
  type ICfnRuleConditionExpression,
  type IResolvable,
  type Stack,
} from 'aws-cdk-lib';
import { addRule } from './add-rule.ts';

const isNone = ({ value }: CfnParameter): ICfnRuleConditionExpression => Fn.conditionEquals(value, '0');

/** Requests a second that the API takes by default: far more than a deployment of default size serves. */
const defaultRate = 1_000;
/** Requests at once that the API takes by default: the concurrency of an account. */
const defaultBurst = 1_000;

/** Adds a parameter for a number; 0 means no limit. */
const optionalNumber = (stack: Stack, id: string, byDefault: number, description: string): CfnParameter =>
  new CfnParameter(stack, id, { type: 'Number', default: byDefault, minValue: 0, description });

/** Returns the number if it is given, else `AWS::NoValue`. */
const whereGiven = (stack: Stack, parameter: CfnParameter): IResolvable => {
  const isGiven = new CfnCondition(stack, `Has${parameter.node.id}`, {
    expression: Fn.conditionNot(isNone(parameter)),
  });
  return Fn.conditionIf(isGiven.logicalId, parameter.value, Aws.NO_VALUE);
};

/**
 * Limits of requests to the whole deployment. Beyond them API Gateway returns 429 without running a function, so requests
 * without credentials cannot use up the concurrency of the account. The quota of the account is an upper bound.
 */
export const throttleParameters = (stack: Stack) => {
  const rate = optionalNumber(
    stack,
    'RequestsPerSecond',
    defaultRate,
    'Requests a second that the API takes in all, above what the plans in use allow together; 0 for all that the account takes',
  );
  const burst = optionalNumber(
    stack,
    'RequestsAtOnce',
    defaultBurst,
    'Requests that the API takes at the same moment; 0 for all that the account takes',
  );
  const none = Fn.conditionAnd(isNone(rate), isNone(burst));
  const notBoth = Fn.conditionOr(isNone(rate), isNone(burst));
  addRule(stack, 'BothLimitsOrNone', {
    assert: Fn.conditionOr(none, Fn.conditionNot(notBoth)),
    otherwise: 'RequestsPerSecond and RequestsAtOnce are given together or not at all',
  });
  return { ThrottlingRateLimit: whereGiven(stack, rate), ThrottlingBurstLimit: whereGiven(stack, burst) };
};
