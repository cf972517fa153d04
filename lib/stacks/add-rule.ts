import { CfnRule, type ICfnRuleConditionExpression, type Stack } from 'aws-cdk-lib';

interface Rule {
  /** Condition under which the rule applies; default: always. */
  readonly when?: ICfnRuleConditionExpression;
  readonly assert: ICfnRuleConditionExpression;
  /** Message if the parameters break the rule. */
  readonly otherwise: string;
}

/** Adds a rule on the values of parameters, which CloudFormation checks before it deploys anything. */
export const addRule = (stack: Stack, id: string, { when, assert, otherwise }: Rule): void => {
  new CfnRule(stack, id, {
    ...(when !== undefined && { ruleCondition: when }),
    assertions: [{ assert, assertDescription: otherwise }],
  });
};
