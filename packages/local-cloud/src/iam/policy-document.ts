import * as z from 'zod';
import { compileCondition, Condition, type RequestContext } from './policy-condition.ts';
import { arnPattern, wildcardPattern } from './wildcard-pattern.ts';

/** Principal of a request: a role, as the session of a function, or a service of AWS. */
export interface Principal {
  /** `arn:aws:sts::…:assumed-role/ROLE/FUNCTION`, or the name of a service such as `s3.amazonaws.com`. */
  readonly name: string;
  /** ARN of the role or user; null for a service. */
  readonly arn: string | null;
  readonly accountId: string;
}

/** One statement, compiled. Actions are in lower case. */
export interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly matchesPrincipal: (principal: Principal) => boolean;
  readonly matchesAction: (action: string) => boolean;
  readonly matchesResource: (resource: string) => boolean;
  readonly holds: (context: RequestContext) => boolean;
}

/** Accepts a value or a list of values. */
const several = <Schema extends z.ZodType>(schema: Schema) => z.preprocess((value) => [value].flat(), z.array(schema));
const texts = several(z.string());
const principals = z.preprocess(
  (value) => (value === '*' ? { AWS: '*', Service: '*' } : value),
  z.strictObject({ AWS: texts.optional(), Service: texts.optional() }),
);

// Strict: an unsupported element, such as `NotPrincipal`, must not be ignored.
const statement = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(['Allow', 'Deny']),
  Principal: principals.optional(),
  Action: texts.optional(),
  NotAction: texts.optional(),
  Resource: texts.optional(),
  NotResource: texts.optional(),
  Condition: Condition.default({}),
});

const document = z.strictObject({
  Version: z.literal('2012-10-17'),
  Id: z.string().optional(),
  Statement: several(statement),
});

type RawStatement = z.output<typeof statement>;

/** Which elements a document must have: an identity policy names no principal, a trust policy no resource. */
export type PolicyKind = 'identity' | 'resource' | 'trust';

/** Returns whether any pattern of `list` matches, or none of `others`. @throws Error unless exactly one is there. */
const anyOrNone = (
  element: string,
  list: readonly string[] | undefined,
  others: readonly string[] | undefined,
  compile: (pattern: string) => (text: string) => boolean,
): ((text: string) => boolean) => {
  if ((list === undefined) === (others === undefined)) throw new Error(`needs either ${element} or Not${element}`);
  const patterns = (list ?? others ?? []).map((pattern) => {
    if (pattern.includes('${')) throw new Error(`the policy variable in ${pattern} cannot be evaluated`);
    return compile(pattern);
  });
  return (text) => patterns.some((matches) => matches(text)) === (list !== undefined);
};

const resourcePattern = (pattern: string): ((arn: string) => boolean) => {
  if (pattern === '*') return () => true;
  if (!pattern.startsWith('arn:')) throw new Error(`the resource ${pattern} is no ARN`);
  return arnPattern(pattern);
};

const accountRoot = /^arn:aws:iam::(\d{12}):root$/;

const compilePrincipals = ({ Principal: named }: RawStatement, kind: PolicyKind): Statement['matchesPrincipal'] => {
  if ((named === undefined) !== (kind === 'identity'))
    throw new Error(kind === 'identity' ? 'an identity policy has no Principal' : 'Principal is missing');
  if (named === undefined) return () => true;
  const users = new Set(named.AWS?.map((arn) => accountRoot.exec(arn)?.[1] ?? arn));
  const services = new Set(named.Service);
  return ({ name, arn, accountId }) =>
    arn === null
      ? services.has(name) || services.has('*')
      : ['*', name, arn, accountId].some((principal) => users.has(principal));
};

const compileResources = ({ Resource, NotResource }: RawStatement, kind: PolicyKind): Statement['matchesResource'] =>
  kind === 'trust' ? () => true : anyOrNone('Resource', Resource, NotResource, resourcePattern);

const compileStatement = (raw: RawStatement, kind: PolicyKind): Statement => ({
  effect: raw.Effect,
  matchesPrincipal: compilePrincipals(raw, kind),
  matchesAction: anyOrNone('Action', raw.Action, raw.NotAction, (pattern) =>
    wildcardPattern(pattern, { ignoreCase: true }),
  ),
  matchesResource: compileResources(raw, kind),
  holds: compileCondition(raw.Condition),
});

/**
 * Reads a policy document.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
 * @throws Error that names an unsupported element: ignoring it could allow a request that the policy denies.
 */
export const readPolicy = (policy: unknown, kind: PolicyKind): readonly Statement[] => {
  const parsed = document.safeParse(policy);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
    throw new Error(problems.join('; '));
  }
  return parsed.data.Statement.map((raw, at) => {
    try {
      return compileStatement(raw, kind);
    } catch (error) {
      throw new Error(`Statement.${at} ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  });
};
