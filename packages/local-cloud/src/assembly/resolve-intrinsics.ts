/** Resolves the references of intrinsic functions in one template. */
export interface Surroundings {
  /** Value of `Ref`: of a parameter, pseudo parameter or resource. */
  readonly ref: (name: string) => unknown;
  readonly attribute: (logicalId: string, attribute: string) => unknown;
  readonly condition: (name: string) => boolean;
  readonly imported: (exportName: string) => unknown;
  readonly mapped: (map: string, first: string, second: string) => unknown;
}

/** Value of `Ref: AWS::NoValue`. The property or list member that has it is left out. */
export const noValue = Symbol('AWS::NoValue');

type Resolve = (value: unknown) => unknown;
type Intrinsic = (argument: unknown, resolve: Resolve, surroundings: Surroundings) => unknown;

const fail = (name: string, argument: unknown): never => {
  throw new Error(`${name} can't be resolved: ${JSON.stringify(argument)}`);
};

const list = (name: string, argument: unknown): readonly unknown[] =>
  Array.isArray(argument) ? (argument as readonly unknown[]) : fail(name, argument);

const text = (name: string, value: unknown): string => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return String(value);
  }
  return fail(name, value);
};

const getAttribute: Intrinsic = (argument, resolve, { attribute }) => {
  const [logicalId, name] = typeof argument === 'string' ? argument.split(/\.(.*)/s) : list('Fn::GetAtt', argument);
  return attribute(text('Fn::GetAtt', logicalId), text('Fn::GetAtt', resolve(name)));
};

const substitute: Intrinsic = (argument, resolve, { ref, attribute }) => {
  const [pattern, own] = typeof argument === 'string' ? [argument, {}] : list('Fn::Sub', argument);
  const variables = own as Readonly<Record<string, unknown>>;
  return text('Fn::Sub', pattern).replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal !== '') return `\${${name}}`;
    if (Object.hasOwn(variables, name)) return text('Fn::Sub', resolve(variables[name]));
    const [logicalId = '', attributeName] = name.split(/\.(.*)/s);
    return text('Fn::Sub', attributeName === undefined ? ref(name) : attribute(logicalId, attributeName));
  });
};

const join: Intrinsic = (argument, resolve) => {
  const [delimiter, parts] = list('Fn::Join', argument);
  return list('Fn::Join', resolve(parts))
    .map((part) => text('Fn::Join', part))
    .join(text('Fn::Join', delimiter));
};

const select: Intrinsic = (argument, resolve) => {
  const [index, parts] = list('Fn::Select', argument);
  const chosen = list('Fn::Select', resolve(parts))[Number(resolve(index))];
  return chosen ?? fail('Fn::Select', argument);
};

const split: Intrinsic = (argument, resolve) => {
  const [delimiter, source] = list('Fn::Split', argument);
  return text('Fn::Split', resolve(source)).split(text('Fn::Split', delimiter));
};

const choose: Intrinsic = (argument, resolve, { condition }) => {
  const [name, whenTrue, whenFalse] = list('Fn::If', argument);
  return resolve(condition(text('Fn::If', name)) ? whenTrue : whenFalse);
};

const truths = (name: string, argument: unknown, resolve: Resolve): readonly boolean[] =>
  list(name, argument).map((part) => resolve(part) === true);

const intrinsics: Readonly<Record<string, Intrinsic>> = {
  Ref: (argument, _, { ref }) => ref(text('Ref', argument)),
  'Fn::GetAtt': getAttribute,
  'Fn::Sub': substitute,
  'Fn::Join': join,
  'Fn::Select': select,
  'Fn::Split': split,
  'Fn::If': choose,
  'Fn::ImportValue': (argument, resolve, { imported }) => imported(text('Fn::ImportValue', resolve(argument))),
  'Fn::FindInMap': (argument, resolve, { mapped }) => {
    const [map, first, second] = list('Fn::FindInMap', argument).map((part) => text('Fn::FindInMap', resolve(part)));
    return mapped(map ?? '', first ?? '', second ?? '');
  },
  'Fn::Base64': (argument, resolve) => Buffer.from(text('Fn::Base64', resolve(argument))).toString('base64'),
  'Fn::Equals': (argument, resolve) => {
    const [one, other] = list('Fn::Equals', argument).map(resolve);
    return String(one) === String(other);
  },
  'Fn::Contains': (argument, resolve) => {
    const [values, value] = list('Fn::Contains', argument).map(resolve);
    return list('Fn::Contains', values).map(String).includes(String(value));
  },
  'Fn::And': (argument, resolve) => truths('Fn::And', argument, resolve).every(Boolean),
  'Fn::Or': (argument, resolve) => truths('Fn::Or', argument, resolve).some(Boolean),
  'Fn::Not': (argument, resolve) => !truths('Fn::Not', argument, resolve)[0],
};

const intrinsicOf = (value: object): readonly [string, unknown] | null => {
  const [entry, ...others] = Object.entries(value);
  const isIntrinsic = entry !== undefined && others.length === 0 && (entry[0] === 'Ref' || entry[0].startsWith('Fn::'));
  return isIntrinsic ? entry : null;
};

/**
 * Replaces every intrinsic function in a value of a template by its result.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/intrinsic-function-reference.html
 * @throws Error for an unknown function or an invalid argument.
 */
export const resolveIntrinsics = (value: unknown, surroundings: Surroundings): unknown => {
  const resolve: Resolve = (inner) => resolveIntrinsics(inner, surroundings);
  if (Array.isArray(value)) {
    return value.map(resolve).filter((member) => member !== noValue);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const [name, argument] = intrinsicOf(value) ?? [];
  if (name !== undefined) {
    return (intrinsics[name] ?? fail(name, argument))(argument, resolve, surroundings);
  }
  const entries = Object.entries(value).map(([key, inner]) => [key, resolve(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== noValue));
};

/** Evaluates a condition expression. `Condition` in it names another condition. */
export const resolveCondition = (expression: unknown, surroundings: Surroundings): boolean => {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    const [first] = entries;
    if (first !== undefined && entries.length === 1 && first[0] === 'Condition') {
      return surroundings.condition(String(first[1]));
    }
    return Object.fromEntries(entries.map(([key, part]) => [key, inner(part)]));
  };
  return resolveIntrinsics(inner(expression), surroundings) === true;
};
