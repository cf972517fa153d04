import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as registry from '../../functions/registry.ts';
import { createApp } from '../../lib/app.ts';
import { layerAssets } from '../../lib/assets.ts';
import { apiStackOf } from '../../lib/api-stacks.ts';
import { functionEntries, placeOf, type FunctionEntry, type Registry } from '../../lib/functions.ts';

/** Home and one more. */
export const regions = ['us-east-1', 'eu-central-1'] as const;
export const home = regions[0];
export const deployment = 'acme';
export const accountId = '111122223333';
export const entries = functionEntries(registry);

/** Replaces the bundler, because the templates only refer to its output. */
const writeBundles = (written: readonly FunctionEntry[]): string => {
  const directory = mkdtempSync(join(tmpdir(), 'strata-bundles-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const write = (path: string, file: string, text: string): void => {
    mkdirSync(join(directory, path), { recursive: true });
    writeFileSync(join(directory, path, file), text);
  };
  for (const { id, source } of written) write(join('functions', id), 'index.cjs', source);
  for (const asset of layerAssets) write(join('layers', asset), 'layer.txt', asset);
  return directory;
};

/** What is deployed by another name, or to other regions. */
interface Extent {
  readonly deployment?: string;
  readonly regions?: readonly string[];
  readonly s3VectorsRegions?: readonly string[];
  readonly registry?: Registry;
}

/** Arguments of `createApp` for an assembly of its own in a fresh directory. */
export const appOptions = (validate: boolean, extent: Extent = {}) => {
  const codeDirectory = writeBundles(extent.registry === undefined ? entries : functionEntries(extent.registry));
  return { registry, deployment, regions, validate, codeDirectory, outdir: join(codeDirectory, 'assembly'), ...extent };
};

/** The member at a path of keys and positions; undefined where the path ends early. */
export const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined),
    value,
  );
/** The text at a path; empty where there is none. */
export const textAt = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
};
/** The list at a path; empty where there is none, and a single value is a list of one. */
export const listAt = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as readonly unknown[]) : found === undefined ? [] : [found];
};

const pseudo: Readonly<Record<string, string>> = { 'AWS::AccountId': accountId, 'AWS::Partition': 'aws' };

const intrinsics: Readonly<Record<string, (argument: unknown) => unknown>> = {
  Ref: (name) => pseudo[String(name)] ?? `{${String(name)}}`,
  'Fn::GetAtt': (path) => `{${listAt(path).join('.')}}`,
  'Fn::Join': (argument) => listAt(argument, 1).map(plain).join(''),
  'Fn::ImportValue': (name) => `{import ${String(plain(name))}}`,
  'Fn::If': (branches) => plain(at(branches, 1)),
  'Fn::Sub': (text) => text,
};

/** A value with its intrinsic functions as text: `{LogicalId.Attribute}` for what only a deployment knows. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value) as [string, unknown][];
  const intrinsic = others.length === 0 ? intrinsics[name] : undefined;
  if (intrinsic !== undefined) return intrinsic(argument);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
};

/** One resource of a stack, its properties as `plain` leaves them. */
export interface Resource {
  readonly stack: string;
  readonly id: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly unknown[];
  readonly deletionPolicy: string;
}

export interface StackTemplate {
  readonly id: string;
  readonly region: string;
  /** As synthesized. */
  readonly text: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly resources: readonly Resource[];
  /** Directory of an asset by its object key. */
  readonly codeOf: (key: string) => string;
}

const readJson = (file: string): object => JSON.parse(readFileSync(file, 'utf8')) as object;

const readStack = (
  directory: string,
  file: string,
  stack: { readonly id: string; readonly region: string },
): StackTemplate => {
  const text = readFileSync(join(directory, file), 'utf8');
  const template = JSON.parse(text) as object;
  const assets = readJson(join(directory, `${stack.id}.assets.json`));
  const resources = Object.entries(at(template, 'Resources') as object).map(([id, resource]: [string, unknown]) => ({
    stack: stack.id,
    id,
    type: textAt(resource, 'Type'),
    properties: plain(at(resource, 'Properties')) as Readonly<Record<string, unknown>>,
    dependsOn: listAt(resource, 'DependsOn'),
    deletionPolicy: textAt(resource, 'DeletionPolicy'),
  }));
  const codeOf = (key: string): string => textAt(assets, 'files', key.replace(/\.zip$/, ''), 'source', 'path');
  const outputs = (at(template, 'Outputs') ?? {}) as Readonly<Record<string, unknown>>;
  return { ...stack, text, outputs, resources, codeOf };
};

/** All stacks of a quick synthesis, and where their code is. */
export const openAssembly = async (extent: Extent = {}) => {
  const options = appOptions(false, extent);
  const { stacks } = (await createApp(options)).synth();
  const templates = stacks.map(({ id, environment, templateFile }) =>
    readStack(options.outdir, templateFile, { id, region: environment.region }),
  );
  const names = new Set(stacks.map(({ id }) => id));
  const dependencies = Object.fromEntries(
    stacks.map((stack) => [
      stack.id,
      // Each stack also waits for its own assets.
      stack.dependencies
        .map(({ id }) => id)
        .filter((id) => names.has(id))
        .toSorted(),
    ]),
  );
  return {
    codeDirectory: options.codeDirectory,
    assemblyDirectory: options.outdir,
    dependencies,
    templates,
    resources: templates.flatMap(({ resources }) => resources),
  };
};

export type Assembly = Awaited<ReturnType<typeof openAssembly>>;

/** The stacks that an entry belongs to. */
export const stacksOf = (entry: FunctionEntry): readonly string[] => {
  const place = placeOf(entry);
  if (place === 'region') return regions.map((region) => `Region-${region}`);
  return [place === 'events' ? 'Events' : `Api-${apiStackOf(entry.entity)}`];
};

/** The resource of the same stack that a reference such as `{Id.Arn}` names. */
export const referred = ({ resources }: StackTemplate, reference: unknown): Resource | undefined => {
  const [, id] = /\{(\w+)/.exec(String(reference)) ?? [];
  return resources.find((resource) => resource.id === id);
};

/** Rights of the role of a function, one `action resource` each, with the partition keys that it is bound to, sorted. */
export const rightsOf = (template: StackTemplate, lambda: Resource): readonly string[] =>
  listAt(referred(template, lambda.properties['Role']), 'properties', 'Policies')
    .flatMap((policy) => listAt(policy, 'PolicyDocument', 'Statement'))
    .flatMap((statement) =>
      listAt(statement, 'Action').flatMap((action) =>
        listAt(statement, 'Resource').map((resource) => {
          const keys = listAt(statement, 'Condition', 'ForAllValues:StringLike', 'dynamodb:LeadingKeys');
          const right = [action, resource, ...keys].map(String).join(' ');
          return at(statement, 'Effect') === 'Deny' ? `not ${right}` : right;
        }),
      ),
    )
    .toSorted();
