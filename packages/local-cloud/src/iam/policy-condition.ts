import * as z from 'zod';
import { arnPattern, wildcardPattern } from './wildcard-pattern.ts';

/** Condition keys that are supported; a condition on any other key is an error. */
export const contextKeys = [
  'aws:PrincipalAccount',
  'aws:PrincipalArn',
  'aws:SecureTransport',
  'aws:SourceAccount',
  'aws:SourceArn',
  'dynamodb:LeadingKeys',
  's3:prefix',
] as const;

export type ContextKey = (typeof contextKeys)[number];

/** Values of one request, by condition key. */
export type RequestContext = Readonly<Partial<Record<ContextKey, string>>>;

type Match = (expected: string) => (actual: string) => boolean;

const equals: Match = (expected) => (actual) => actual === expected;
const equalsIgnoringCase: Match = (expected) => (actual) => actual.toLowerCase() === expected.toLowerCase();

/** Operators by name, with whether they hold if no value matches. */
const operators: Readonly<Record<string, readonly [match: Match, negated: boolean]>> = {
  ArnEquals: [arnPattern, false],
  ArnLike: [arnPattern, false],
  ArnNotEquals: [arnPattern, true],
  ArnNotLike: [arnPattern, true],
  Bool: [equalsIgnoringCase, false],
  StringEquals: [equals, false],
  StringEqualsIgnoreCase: [equalsIgnoringCase, false],
  StringLike: [wildcardPattern, false],
  StringNotEquals: [equals, true],
  StringNotEqualsIgnoreCase: [equalsIgnoringCase, true],
  StringNotLike: [wildcardPattern, true],
};

type Test = (context: RequestContext) => boolean;

const keyOf = (name: string): ContextKey => {
  const key = contextKeys.find((known) => known.toLowerCase() === name.toLowerCase());
  if (key === undefined) throw new Error(`the condition key ${name} cannot be evaluated`);
  return key;
};

/**
 * Compiles one key under one operator. The test holds if any of the values matches. A missing key matches nothing, unless
 * the operator ends in `IfExists` or begins with `ForAllValues:`. Keys with several values are not supported.
 */
const compileTest = (name: string, key: ContextKey, values: readonly string[]): Test => {
  if (name === 'Null') {
    const missing = values.some((value) => value === 'true');
    return (context) => (context[key] === undefined) === missing;
  }
  const [, forAll = '', operator = '', suffix = ''] = /^(ForAllValues:)?(\w+?)(IfExists)?$/.exec(name) ?? [];
  const ifExists = suffix !== '' || forAll !== '';
  const [match, negated] = operators[operator] ?? [];
  if (match === undefined) throw new Error(`the condition operator ${name} cannot be evaluated`);
  const matches = values.map(match);
  return (context) => {
    const actual = context[key];
    if (actual === undefined) return ifExists || negated === true;
    return matches.some((matchesValue) => matchesValue(actual)) !== negated;
  };
};

const value = z.union([z.string(), z.boolean().transform(String), z.number().transform(String)]);

/** The `Condition` element of a statement: values by condition key, by operator. */
export const Condition = z.record(
  z.string(),
  z.record(
    z.string(),
    z.union([value, z.array(value)]).transform((values) => [values].flat()),
  ),
);

/**
 * Returns whether all conditions of a statement hold.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-logic-multiple-context-keys-or-values.html
 * @throws Error that names an operator or a key that cannot be evaluated.
 */
export const compileCondition = (condition: z.output<typeof Condition>): Test => {
  const tests = Object.entries(condition).flatMap(([operator, keys]) =>
    Object.entries(keys).map(([key, values]) => compileTest(operator, keyOf(key), values)),
  );
  return (context) => tests.every((holds) => holds(context));
};
