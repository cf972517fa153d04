import { isObject, type Json } from '../../../../shared/kernel/json.ts';
import serviceModel from './service-model.json' with { type: 'json' };
import { VectorError } from './vector-error.ts';

/** Part of the service model that describes a value. */
interface Shape {
  readonly type: string;
  readonly required?: readonly string[];
  readonly members?: Readonly<Record<string, { readonly shape: string }>>;
  readonly member?: { readonly shape: string };
  readonly key?: { readonly shape: string };
  readonly value?: { readonly shape: string };
  readonly min?: number;
  readonly max?: number;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly document?: boolean;
  readonly union?: boolean;
}

// The model of botocore 1.44.8 (s3vectors/2025-07-15, Apache-2.0, Amazon.com, Inc.), without its documentation.
const shapes = serviceModel.shapes as unknown as Readonly<Record<string, Shape>>;
const operations = serviceModel.operations as Readonly<Record<string, { readonly input: { readonly shape: string } }>>;

type Report = (path: string, message: string) => void;

const typeNames: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value),
  float: (value) => typeof value === 'number',
  list: Array.isArray,
  map: isObject,
  structure: isObject,
};

const checkSize = ({ min = 0, max = Infinity }: Shape, size: number, path: string, report: Report): void => {
  if (size < min || size > max) report(path, `must have a size or value from ${min} to ${max}, but has ${size}`);
};

const checkText = (shape: Shape, text: string, path: string, report: Report): void => {
  if (shape.enum !== undefined && !shape.enum.includes(text)) report(path, `must be one of ${shape.enum.join(', ')}`);
  if (shape.pattern !== undefined && !new RegExp(`^(?:${shape.pattern})$`, 'u').test(text))
    report(path, `must match ${shape.pattern}`);
  checkSize(shape, Array.from(text).length, path, report);
};

const checkStructure = (shape: Shape, value: object, path: string, report: Report): void => {
  const present = Object.entries(value).filter(([, part]) => part !== null && part !== undefined);
  const names = new Set(present.map(([name]) => name));
  for (const name of shape.required ?? []) if (!names.has(name)) report(`${path}/${name}`, 'must not be null');
  if (shape.union === true && present.length !== 1) report(path, 'must have exactly one member');
  for (const [name, part] of present) {
    const member = shape.members?.[name];
    if (member !== undefined) check(member.shape, part, `${path}/${name}`, report);
  }
};

const check = (shapeName: string, value: unknown, path: string, report: Report): void => {
  const shape = shapes[shapeName];
  if (shape === undefined) throw new Error(`the service model has no shape ${shapeName}`);
  if (shape.document === true) return;
  if (typeNames[shape.type]?.(value) === false)
    throw new VectorError('SerializationException', `${path} must be a ${shape.type}`);
  if (typeof value === 'string') checkText(shape, value, path, report);
  else if (Array.isArray(value)) {
    checkSize(shape, value.length, path, report);
    for (const [at, item] of value.entries()) check(shape.member?.shape ?? '', item, `${path}/${at}`, report);
  } else if (typeof value === 'number' && shape.type === 'integer') checkSize(shape, value, path, report);
  else if (shape.type === 'map')
    for (const [key, part] of Object.entries(value as object)) {
      check(shape.key?.shape ?? '', key, `${path}/${key}`, report);
      check(shape.value?.shape ?? '', part, `${path}/${key}`, report);
    }
  else if (shape.type === 'structure') checkStructure(shape, value as object, path, report);
};

/** Whether the service model has an operation of this name. */
export const isOperation = (name: string): boolean => Object.hasOwn(operations, name);

/**
 * Checks an input by the service model.
 * @throws VectorError that lists every invalid field.
 */
export const validateInput = (operation: string, input: Json): void => {
  const fields: { readonly path: string; readonly message: string }[] = [];
  check(operations[operation]?.input.shape ?? '', input, '', (path, message) => fields.push({ path, message }));
  if (fields.length === 0) return;
  const all = fields.map(({ path, message }) => `Value at '${path}' failed to satisfy constraint: ${message}`);
  throw new VectorError(
    'ValidationException',
    `${fields.length} validation error(s) detected. ${all.slice(0, 5).join('; ')}`,
    fields,
  );
};
