import type { OpenAPI3 } from 'openapi-typescript';
import { pythonHeading, writeModels, writeParams } from './python-models.ts';
import {
  docLines,
  docstring,
  isClass,
  isNode,
  type Node,
  nodeAt,
  nodesAt,
  pythonName,
  pythonType,
  reachedSchemas,
  referenceOf,
  textAt,
} from './python-types.ts';

interface Parameter {
  readonly name: string;
  /** Name in the request. */
  readonly key: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** One operation, as both clients offer it. */
interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** Fields of the body as keyword arguments, or the whole body as one argument, or null if there is none. */
  readonly body: readonly Parameter[] | Parameter | null;
  readonly isForm: boolean;
  /** Type of the response. A paged operation returns an iterator over its items. */
  readonly result: string;
  readonly isPaged: boolean;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Media types of responses that the clients parse, or return as bytes. */
const isParsed = (content: Node): boolean => 'application/json' in content || 'image/png' in content;

/** Pages for browsers, and protocols with clients of their own. */
const isCallable = (path: string, operation: Node): boolean =>
  path.startsWith('/v1/') &&
  !path.endsWith('/mcp') &&
  !path.startsWith('/v1/openai/') &&
  Object.entries(nodeAt(operation, 'responses')).some(
    ([status, response]) => status === '204' || (isNode(response) && isParsed(nodeAt(response, 'content'))),
  );

/** Parameters of an operation at one place: `path` or `query`. */
const parametersAt = (place: string, operation: Node, components: Node): readonly Parameter[] =>
  nodesAt(operation, 'parameters')
    .map((node) => {
      const name = textAt(node, '$ref').split('/').at(-1) ?? '';
      return name === '' ? node : nodeAt(nodeAt(components, 'parameters'), name);
    })
    .filter((parameter) => textAt(parameter, 'in') === place)
    .map((parameter) => ({
      name: pythonName(textAt(parameter, 'name')),
      key: textAt(parameter, 'name'),
      type: pythonType(nodeAt(parameter, 'schema'), 'Sequence'),
      required: parameter['required'] === true,
      description: textAt(parameter, 'description'),
    }));

/** @param defaults Names of fields that null switches off, if they have a default. */
const fieldsOf = (schema: Node, isPatch: boolean, defaults: ReadonlySet<string>): readonly Parameter[] => {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  return Object.entries(nodeAt(schema, 'properties')).map(([key, field]) => {
    const fieldSchema = isNode(field) ? field : {};
    const type = pythonType(fieldSchema, 'Sequence');
    // A change distinguishes null from an absent field.
    const isOmittable = isPatch && !required.has(key);
    return {
      name: pythonName(key),
      key,
      type: isOmittable ? `${type} | Omit` : `${type}${defaults.has(key) ? ' | Off' : ''}`,
      required: required.has(key),
      description: textAt(fieldSchema, 'description'),
    };
  });
};

const bodyOf = (operation: Node, schemas: Node, isPatch: boolean): Pick<Operation, 'body' | 'isForm'> => {
  const [first] = Object.entries(nodeAt(nodeAt(operation, 'requestBody'), 'content'));
  if (first === undefined || !isNode(first[1])) return { body: null, isForm: false };
  const [type, media] = first;
  const name = referenceOf(nodeAt(media, 'schema')) ?? '';
  const isForm = type !== 'application/json';
  const named = nodeAt(schemas, name);
  const defaults = new Set(Object.keys(nodeAt(nodeAt(schemas, 'SearchDefaults'), 'properties')));
  if (isClass(named)) return { body: fieldsOf(named, isPatch, defaults), isForm };
  const description = textAt(named, 'description');
  return { body: { name: 'body', key: 'body', type: name, required: true, description }, isForm };
};

/** Type of the successful responses. That of the usual one, which has the highest status, comes first. */
const resultOf = (operation: Node): string => {
  const successes = Object.entries(nodeAt(operation, 'responses')).filter(([status]) => status.startsWith('2'));
  const types = successes.toReversed().map(([, response]) => {
    const content = nodeAt(isNode(response) ? response : {}, 'content');
    if ('image/png' in content) return 'bytes';
    const media = nodeAt(content, 'application/json');
    return 'schema' in media ? pythonType(nodeAt(media, 'schema'), 'list') : 'None';
  });
  return types.length === 0 ? 'None' : [...new Set(types)].join(' | ');
};

const readOperation = (path: string, method: string, operation: Node, components: Node): Operation => {
  const query = parametersAt('query', operation, components);
  const result = resultOf(operation);
  return {
    name: snakeCase(textAt(operation, 'operationId')),
    method: method.toUpperCase(),
    path,
    summary: textAt(operation, 'summary'),
    description: textAt(operation, 'description'),
    pathParameters: parametersAt('path', operation, components),
    query,
    ...bodyOf(operation, nodeAt(components, 'schemas'), method === 'patch'),
    result,
    isPaged: query.some(({ key }) => key === 'cursor') && result.startsWith('list['),
  };
};

const readOperations = (document: Node): readonly Operation[] =>
  Object.entries(nodeAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.entries(isNode(methods) ? methods : {}).flatMap(([method, operation]) =>
      isNode(operation) && isCallable(path, operation)
        ? [readOperation(path, method, operation, nodeAt(document, 'components'))]
        : [],
    ),
  );

const isWhole = (body: Operation['body']): body is Parameter => body !== null && !Array.isArray(body);

/** Declaration of an optional or required keyword parameter. */
const declare = ({ name, type, required }: Parameter): string => {
  if (required) return `${name}: ${type}`;
  if (type.endsWith('| Omit')) return `${name}: ${type} = OMIT`;
  return `${name}: ${type.split(' | ').includes('None') || type === 'Any' ? type : `${type} | None`} = None`;
};

const dictionary = (parameters: readonly Parameter[]): string =>
  `{${parameters.map(({ key, name }) => `${JSON.stringify(key)}: ${name}`).join(', ')}}`;

/** Returns the expression of the type that a response is parsed as. A union is an object of its own at run time. */
const modelOf = (result: string): string => {
  if (result === 'None') return 'NoneType';
  return result.includes(' | ') ? `cast("type[${result}]", ${result})` : result;
};

const writeMethod = (operation: Operation, isAsync: boolean): readonly string[] => {
  const { name, body, pathParameters, query, isPaged, result } = operation;
  const fields = body === null || isWhole(body) ? [] : body;
  const options = [...fields, ...query.toSorted((one, other) => Number(other.required) - Number(one.required))];
  const sorted = [...options.filter(({ required }) => required), ...options.filter(({ required }) => !required)];
  const positional = [...pathParameters, ...(isWhole(body) ? [body] : [])];
  const item = result.replace(/^list\[(.*)\]$/, '$1');
  const returned = isPaged ? `${isAsync ? 'AsyncPages' : 'Pages'}[${item}]` : result;
  const lines = [
    'self',
    ...positional.map(({ name: parameter, type }) => `${parameter}: ${type}`),
    ...(sorted.length > 0 ? ['*', ...sorted.map(declare)] : []),
  ];
  const described = [...positional, ...sorted].flatMap((parameter) =>
    docLines(`${parameter.name}: ${parameter.description.replaceAll(/\s*\n\s*/g, ' ')}`, '            '),
  );
  const text = [operation.summary.replace(/\.?$/, '.'), operation.description].filter((part) => part !== '');
  const doc = docstring(text.join('\n\n'), '        ');
  const documented =
    described.length === 0
      ? doc
      : [
          ...(doc.length === 1 ? [(doc[0] ?? '').replace(/"""$/, '')] : doc.slice(0, -1)),
          '',
          '        Args:',
          ...described,
          '        """',
        ];
  const call = [
    JSON.stringify(operation.method),
    JSON.stringify(operation.path),
    isPaged ? item : modelOf(result),
    `path=${dictionary(pathParameters)}`,
    ...(query.length > 0 ? [`query=${dictionary(query)}`] : []),
    ...(isWhole(body) ? ['body=body'] : []),
    ...(fields.length > 0 ? [`${operation.isForm ? 'form' : 'fields'}=${dictionary(fields)}`] : []),
  ];
  const awaited = isAsync && !isPaged;
  return [
    `    ${awaited ? 'async ' : ''}def ${name}(`,
    ...lines.map((line) => `        ${line},`),
    `    ) -> ${returned}:`,
    ...documented,
    `        return ${awaited ? 'await ' : ''}self.${isPaged ? '_pages' : '_call'}(`,
    ...call.map((argument) => `            ${argument},`),
    '        )',
    '',
  ];
};

const writeOperations = (operations: readonly Operation[], models: readonly string[], params: readonly string[]) => {
  const text = operations.map((operation) => writeMethod(operation, false).join('\n')).join('\n');
  const used = (names: readonly string[]): readonly string[] =>
    names.filter((name) => new RegExp(`\\b${name}\\b`).test(text.replaceAll(/"""[^]*?"""/g, ''))).toSorted();
  const results = used(models);
  const inputs = used(params.filter((name) => !results.includes(name)));
  const isNeeded = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);
  const typing = ['Any', 'Literal', 'cast'].filter((word) => new RegExp(`\\b${word}\\b`).test(text));
  return [
    pythonHeading,
    '"""Every operation of the API, for the synchronous and the asynchronous client."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Sequence',
    'from types import NoneType',
    ...(typing.length > 0 ? [`from typing import ${typing.join(', ')}`] : []),
    '',
    'from ._base import OMIT, AsyncCaller, AsyncPages, Caller, Off, Omit, Pages',
    'from .models import (',
    ...results.map((name) => `    ${name},`),
    ')',
    'from .params import (',
    ...[...inputs, 'VectorInput']
      .filter((name) => isNeeded(name))
      .toSorted()
      .map((name) => `    ${name},`),
    ')',
    '',
    '',
    'class Operations(Caller):',
    '    """Operations of the synchronous client."""',
    '',
    ...operations.flatMap((operation) => writeMethod(operation, false)),
    '',
    'class AsyncOperations(AsyncCaller):',
    '    """Operations of the asynchronous client."""',
    '',
    ...operations.flatMap((operation) => writeMethod(operation, true)).slice(0, -1),
    '',
  ].join('\n');
};

/**
 * Generates the typed half of the Python client: models of responses, typed dictionaries of requests, and one method for each
 * operation. Returns the text of each file by its name.
 */
export const makePythonClient = (presented: OpenAPI3): Readonly<Record<string, string>> => {
  const document = presented as unknown as Node;
  const schemas = nodeAt(nodeAt(document, 'components'), 'schemas');
  const operations = readOperations(document);
  const called = Object.entries(nodeAt(document, 'paths')).flatMap(([path, methods]) =>
    Object.values(isNode(methods) ? methods : {})
      .filter(isNode)
      .filter((operation) => isCallable(path, operation)),
  );
  const errors = ['ValidationError', 'VersionConflict', 'ErrorCode', 'OAuthErrorCode'].map((name) => ({
    $ref: `#/components/schemas/${name}`,
  }));
  const models = reachedSchemas([...called.map(({ responses }) => responses), ...errors], schemas);
  const params = reachedSchemas(
    called.map(({ requestBody }) => requestBody),
    schemas,
  );
  return {
    'models.py': writeModels(models, schemas),
    'params.py': writeParams(params, schemas),
    '_operations.py': writeOperations(operations, models, params),
  };
};
