import { docstring, isClass, isNode, type Node, nodeAt, pythonName, pythonType, textAt } from './python-types.ts';

/** First line of each generated file. */
export const pythonHeading = '# Generated from docs/openapi.json by `npm run client`: do not edit.';

/** Pydantic evaluates the aliases of responses, so they are no texts. They come after the classes that they name. */
const alias = (name: string, schema: Node, list: string): readonly string[] => {
  const type = pythonType(schema, list);
  return [
    `${name}: TypeAlias = ${list === 'list' ? type : `"${type.replaceAll('"', "'")}"`}`,
    ...docstring(textAt(schema, 'description'), ''),
    '',
  ];
};

const writeModel = (name: string, schema: Node): readonly string[] => {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  return [
    '',
    `class ${name}(Model):`,
    ...docstring(textAt(schema, 'description'), '    '),
    '',
    ...Object.entries(nodeAt(schema, 'properties')).flatMap(([key, field]) => {
      const fieldSchema = isNode(field) ? field : {};
      const type = pythonType(fieldSchema, 'list');
      const attribute = pythonName(key);
      const named = attribute === key ? '' : `alias=${JSON.stringify(key)}`;
      const isOptional = !required.has(key);
      const optional = type.endsWith('None') || type === 'Any' ? type : `${type} | None`;
      const value = [isOptional ? 'default=None' : '', named].filter((part) => part !== '');
      const field_ = named === '' ? (isOptional ? ' = None' : '') : ` = Field(${value.join(', ')})`;
      const description = textAt(fieldSchema, 'description');
      return [
        `    ${attribute}: ${isOptional ? optional : type}${field_}`,
        ...(description === '' ? [] : docstring(description, '    ')),
      ];
    }),
    '',
  ];
};

/** Text of the module with the models of responses. */
export const writeModels = (names: readonly string[], schemas: Node): string => {
  const lines = names.flatMap((name) => {
    const schema = nodeAt(schemas, name);
    return isClass(schema) ? writeModel(name, schema) : alias(name, schema, 'list');
  });
  const text = lines.join('\n');
  return [
    pythonHeading,
    '"""Responses of the API."""',
    '',
    'from __future__ import annotations',
    '',
    'from typing import Any, Literal, TypeAlias',
    '',
    ...(text.includes('Field(') ? ['from pydantic import Field', ''] : []),
    'from ._model import Model',
    '',
    text.trimEnd(),
    '',
  ].join('\n');
};

/** A typed dictionary whose keys are no Python names needs the functional form. */
const writeParam = (name: string, schema: Node): readonly string[] => {
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : []);
  const fields = Object.entries(nodeAt(schema, 'properties')).map(([key, field]) => {
    const fieldSchema = isNode(field) ? field : {};
    const type = pythonType(fieldSchema, 'Sequence');
    return {
      key,
      type: required.has(key) ? type : `NotRequired[${type}]`,
      description: textAt(fieldSchema, 'description'),
    };
  });
  if (fields.some(({ key }) => pythonName(key) !== key)) {
    const entries = fields.map(({ key, type }) => `    ${JSON.stringify(key)}: "${type.replaceAll('"', "'")}",`);
    return ['', `${name} = TypedDict("${name}", {`, ...entries, '})', ...docstring(textAt(schema, 'description'), '')];
  }
  return [
    '',
    `class ${name}(TypedDict):`,
    ...docstring(textAt(schema, 'description'), '    '),
    '',
    ...fields.flatMap(({ key, type, description }) => [
      `    ${key}: ${type}`,
      ...(description === '' ? [] : docstring(description, '    ')),
    ]),
    '',
  ];
};

/** Text of the module with the typed dictionaries of requests. */
export const writeParams = (names: readonly string[], schemas: Node): string => {
  const classes = names.filter((name) => isClass(nodeAt(schemas, name)));
  const aliases = names.filter((name) => !classes.includes(name));
  const lines = [
    ...aliases.flatMap((name) => alias(name, nodeAt(schemas, name), 'Sequence')),
    ...classes.flatMap((name) => writeParam(name, nodeAt(schemas, name))),
  ];
  const text = lines.join('\n');
  return [
    pythonHeading,
    '"""Bodies of requests, as typed dictionaries."""',
    '',
    'from __future__ import annotations',
    '',
    'from collections.abc import Sequence',
    'from typing import Any, Literal, TypeAlias',
    '',
    'import numpy as np',
    'from numpy.typing import NDArray',
    'from typing_extensions import NotRequired, TypedDict',
    '',
    'VectorInput: TypeAlias = "Sequence[float] | str | NDArray[np.floating[Any]]"',
    '"""Numbers, base64 of little-endian 32-bit floats, or a numpy array, which is sent as base64."""',
    '',
    text.trimEnd(),
    '',
  ].join('\n');
};
