import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as z from 'zod';

const resource = z.object({
  Type: z.string(),
  Condition: z.string().optional(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});

const parameter = z
  .object({
    Default: z.unknown(),
    AllowedValues: z.array(z.unknown()),
    AllowedPattern: z.string(),
    ConstraintDescription: z.string(),
  })
  .partial();

const rule = z.object({
  RuleCondition: z.unknown().default(true),
  Assertions: z.array(
    z.object({ Assert: z.unknown(), AssertDescription: z.string().default('a rule of a stack is broken') }),
  ),
});

const template = z.object({
  Parameters: z.record(z.string(), parameter).default({}),
  Rules: z.record(z.string(), rule).default({}),
  Conditions: z.record(z.string(), z.unknown()).default({}),
  Mappings: z.record(z.string(), z.record(z.string(), z.record(z.string(), z.unknown()))).default({}),
  Resources: z.record(z.string(), resource).default({}),
  Outputs: z
    .record(z.string(), z.object({ Value: z.unknown(), Export: z.object({ Name: z.unknown() }).optional() }))
    .default({}),
});

const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      environment: z.string().optional(),
      properties: z.object({ templateFile: z.string(), stackName: z.string(), file: z.string() }).partial().optional(),
    }),
  ),
});

const assetManifest = z.object({
  files: z
    .record(
      z.string(),
      z.object({
        source: z.object({ path: z.string(), packaging: z.string() }).partial(),
        destinations: z.record(z.string(), z.object({ objectKey: z.string() })),
      }),
    )
    .default({}),
});

export type Template = z.output<typeof template>;

/** One stack of the assembly with its template as synthesized. */
export interface AssemblyStack {
  readonly name: string;
  readonly region: string;
  readonly template: Template;
}

/** A cloud assembly as `cdk synth` leaves it. */
export interface Assembly {
  readonly stacks: readonly AssemblyStack[];
  /** Directory of each asset, by the object key that it would be deployed under. */
  readonly assetDirectories: ReadonlyMap<string, string>;
}

const readJson = <Schema extends z.ZodType>(file: string, schema: Schema): z.output<Schema> =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')));

const readStacks = (directory: string, { artifacts }: z.output<typeof manifest>): AssemblyStack[] =>
  Object.entries(artifacts).flatMap(([id, { type, environment, properties }]) => {
    if (type !== 'aws:cloudformation:stack' || properties?.templateFile === undefined) {
      return [];
    }
    const region = environment?.split('/').at(-1);
    if (region === undefined || region === 'unknown-region') {
      throw new Error(`stack ${id} names no region, so it can't be put on one machine beside the others`);
    }
    const name = properties.stackName ?? id;
    return [{ name, region, template: readJson(join(directory, properties.templateFile), template) }];
  });

const readAssets = (directory: string, { artifacts }: z.output<typeof manifest>): ReadonlyMap<string, string> => {
  const directories = new Map<string, string>();
  for (const { type, properties } of Object.values(artifacts)) {
    const { files } =
      type === 'cdk:asset-manifest' && properties?.file !== undefined
        ? readJson(join(directory, properties.file), assetManifest)
        : { files: {} };
    for (const { source, destinations } of Object.values(files)) {
      if (source.packaging === 'zip' && source.path !== undefined) {
        for (const { objectKey } of Object.values(destinations)) {
          directories.set(objectKey, resolve(directory, source.path));
        }
      }
    }
  }
  return directories;
};

/**
 * Reads a cloud assembly.
 * https://github.com/aws/aws-cdk-cli/tree/main/packages/%40aws-cdk/cloud-assembly-schema
 * @throws Error if a file is missing or has another shape.
 */
export const readAssembly = (directory: string): Assembly => {
  const parsed = readJson(join(directory, 'manifest.json'), manifest);
  return { stacks: readStacks(directory, parsed), assetDirectories: readAssets(directory, parsed) };
};
