import type { AssemblyStack } from './read-assembly.ts';
import { identifyResource, nameProperty, type CloudIdentity, type ResourceIdentity } from './identify-resource.ts';
import { noValue, resolveCondition, resolveIntrinsics, type Surroundings } from './resolve-intrinsics.ts';

/** A resource with nothing left to resolve. */
export interface Resource {
  readonly stack: string;
  readonly region: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly identity: ResourceIdentity;
}

/** Names a resource in an error message. */
export const describeResource = ({ stack, logicalId, type }: Pick<Resource, 'stack' | 'logicalId' | 'type'>): string =>
  `${type} ${stack}/${logicalId}`;

interface ResolveOptions {
  readonly stacks: readonly AssemblyStack[];
  readonly identity: CloudIdentity;
  /** Values of parameters by name, in every stack that has a parameter of that name. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Types whose properties matter; resources of other types are left out. */
  readonly types: ReadonlySet<string>;
}

const pseudoParameters = (
  { name, region }: AssemblyStack,
  { accountId }: CloudIdentity,
): Readonly<Record<string, unknown>> => ({
  'AWS::AccountId': accountId,
  'AWS::NoValue': noValue,
  'AWS::NotificationARNs': [],
  'AWS::Partition': 'aws',
  'AWS::Region': region,
  'AWS::StackId': `arn:aws:cloudformation:${region}:${accountId}:stack/${name}/local`,
  'AWS::StackName': name,
  'AWS::URLSuffix': 'amazonaws.com',
});

const findOrThrow = <Value>(value: Value | undefined, what: string): Value => {
  if (value === undefined) {
    throw new Error(`the templates have no ${what}`);
  }
  return value;
};

/** Calls `make` once per key. Throws if a value depends on itself. */
const once = <Value>(make: (key: string) => Value): ((key: string) => Value) => {
  const known = new Map<string, Value>();
  const making = new Set<string>();
  return (key) => {
    if (!known.has(key)) {
      if (making.has(key)) {
        throw new Error(`${key} refers to itself`);
      }
      making.add(key);
      known.set(key, make(key));
    }
    return known.get(key) as Value;
  };
};

interface OpenStack {
  readonly stack: AssemblyStack;
  readonly surroundings: Surroundings;
  readonly identityOf: (logicalId: string) => ResourceIdentity;
}

const openStack = (
  stack: AssemblyStack,
  { identity, parameters }: ResolveOptions,
  imported: (exportName: string) => unknown,
): OpenStack => {
  const { template, name, region } = stack;
  const pseudo = pseudoParameters(stack, identity);
  const condition = once((id) =>
    resolveCondition(findOrThrow(template.Conditions[id], `condition ${name}/${id}`), surroundings),
  );
  const identityOf = once((logicalId) => {
    const { Type: type, Properties } = findOrThrow(template.Resources[logicalId], `resource ${name}/${logicalId}`);
    const property = nameProperty(type);
    const given = property === null ? undefined : resolveIntrinsics(Properties[property], surroundings);
    return identifyResource(
      { type, stack: name, region, logicalId, name: typeof given === 'string' ? given : null },
      identity,
    );
  });
  const surroundings: Surroundings = {
    condition,
    imported,
    ref: (id) => {
      if (Object.hasOwn(pseudo, id)) return pseudo[id];
      const parameter = template.Parameters[id];
      return parameter === undefined ? identityOf(id).ref : (parameters[id] ?? parameter.Default ?? '');
    },
    attribute: (logicalId, attribute) =>
      findOrThrow(identityOf(logicalId).attributes[attribute], `attribute ${name}/${logicalId}.${attribute}`),
    mapped: (map, first, second) =>
      findOrThrow(template.Mappings[map]?.[first]?.[second], `mapping ${name}/${map}.${first}.${second}`),
  };
  return { stack, surroundings, identityOf };
};

/** Checks the rules of a stack, as a deployment does. Throws if the parameters break one. */
const checkRules = ({ stack, surroundings }: OpenStack): void => {
  for (const { RuleCondition: condition, Assertions } of Object.values(stack.template.Rules)) {
    if (!resolveCondition(condition, surroundings)) continue;
    const broken = Assertions.find(({ Assert }) => !resolveCondition(Assert, surroundings));
    if (broken !== undefined) throw new Error(broken.AssertDescription);
  }
};

const resourcesOf = (
  { stack, surroundings, identityOf }: OpenStack,
  { types }: Pick<ResolveOptions, 'types'>,
): Resource[] =>
  Object.entries(stack.template.Resources)
    .filter(([, { Type }]) => types.has(Type))
    .filter(([, { Condition }]) => Condition === undefined || surroundings.condition(Condition))
    .map(([logicalId, { Type, Properties }]) => ({
      stack: stack.name,
      region: stack.region,
      logicalId,
      type: Type,
      // An object resolves to an object.
      properties: resolveIntrinsics(Properties, surroundings) as Readonly<Record<string, unknown>>,
      identity: identityOf(logicalId),
    }));

/**
 * Resolves all stacks together, imports between stacks of one region included.
 * @throws Error that names an unresolvable reference, or the rule of a stack that the parameters break.
 */
export const resolveAssembly = (options: ResolveOptions): readonly Resource[] => {
  const exported = (region: string) =>
    once((exportName) => {
      for (const { stack, surroundings } of open.filter((other) => other.stack.region === region)) {
        for (const { Value, Export } of Object.values(stack.template.Outputs)) {
          if (Export !== undefined && resolveIntrinsics(Export.Name, surroundings) === exportName) {
            return resolveIntrinsics(Value, surroundings);
          }
        }
      }
      throw new Error(`no stack in ${region} exports ${exportName}`);
    });
  const open: readonly OpenStack[] = options.stacks.map((stack) => openStack(stack, options, exported(stack.region)));
  for (const stack of open) checkRules(stack);
  return open.flatMap((stack) => resourcesOf(stack, options));
};
