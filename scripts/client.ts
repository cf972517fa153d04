import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { presentDocument } from './client/present-document.ts';
import { makePythonClient } from './client/python-client.ts';
import { formatText } from './support/format-text.ts';
import { keepMade } from './support/made-file.ts';
import { projectDirectory } from './support/project-directory.ts';

const path = 'packages/typescript/src/schema.ts';

const heading = `/* oxlint-disable */
// Generated from docs/openapi.json by \`npm run client\`: do not edit.
`;

const document = JSON.parse(await readFile(join(projectDirectory, 'docs', 'openapi.json'), 'utf8')) as OpenAPI3;
const presented = presentDocument(document);

/** Type of any JSON value, which excludes undefined and functions. */
const jsonType = 'type Json = string | number | boolean | null | readonly Json[] | { [key: string]: Json };';
/** Schemas whose values are any JSON, and their types. */
const jsonTypes: Readonly<Record<string, string>> = {
  '#/components/schemas/JsonValue': 'Json',
  '#/components/schemas/MetadataFilter': '{ [key: string]: Json }',
};

const types = await openapiTS(presented, {
  inject: jsonType,
  transform: (_, { path: place = '' }) =>
    Object.hasOwn(jsonTypes, place) ? ts.factory.createTypeReferenceNode(jsonTypes[place] ?? '') : undefined,
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  silent: true,
});
await keepMade(path, formatText(path, `${heading}\n${astToString(types)}`), 'client');

for (const [name, text] of Object.entries(makePythonClient(presentDocument(document))))
  await keepMade(`packages/python/src/strata_client/${name}`, text, 'client');
