import { CfnRule, type ICfnRuleConditionExpression, type Stack } from 'aws-cdk-lib';

interface Rule {
  /** Where it holds; absent: everywhere. */
  readonly when?: ICfnRuleConditionExpression;
  readonly assert: ICfnRuleConditionExpression;
  /** What whoever breaks it is told. */
  readonly otherwise: string;
}

/** Refuses values of parameters that do not go together, before anything is deployed. */
export const addRule = (stack: Stack, id: string, { when, assert, otherwise }: Rule): void => {
  new CfnRule(stack, id, {
    ...(when !== undefined && { ruleCondition: when }),
    assertions: [{ assert, assertDescription: otherwise }],
  });
};
