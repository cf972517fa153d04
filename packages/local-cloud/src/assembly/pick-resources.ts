import { describeResource, type Resource } from './resolve-assembly.ts';
import { resourceProperties, type EmulatedType, type PropertiesOf } from './resource-properties.ts';

/** A resource of one type with its properties checked. */
export interface Picked<Type extends EmulatedType> extends Resource {
  readonly parsed: PropertiesOf<Type>;
}

/**
 * Returns the resources of one type.
 * @throws Error that names the resource and each property that is missing, malformed or not supported here.
 */
export const pickResources = <Type extends EmulatedType>(resources: readonly Resource[], type: Type): Picked<Type>[] =>
  resources
    .filter((resource) => resource.type === type)
    .map((resource) => {
      const parsed = resourceProperties[type].safeParse(resource.properties);
      if (!parsed.success) {
        const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
        throw new Error(`${describeResource(resource)}: ${problems.join('; ')}`);
      }
      // `safeParse` of the schema that the type names.
      return { ...resource, parsed: parsed.data as PropertiesOf<Type> };
    });

/** The physical name in a resource's properties, or the one that `Ref` gives. */
export const physicalName = (resource: Resource, property: string): string => {
  const name = resource.properties[property];
  return typeof name === 'string' ? name : `${resource.stack}-${resource.logicalId}`;
};

/** The ARN of a resource of a type that has one. */
export const arnOf = ({ identity, logicalId }: Resource): string => {
  const { Arn } = identity.attributes;
  if (Arn === undefined) {
    throw new Error(`${logicalId} has no ARN`);
  }
  return Arn;
};
