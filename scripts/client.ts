import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
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

const types = await openapiTS(presented, {
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  silent: true,
});
await keepMade(path, formatText(path, `${heading}\n${astToString(types)}`), 'client');

for (const [name, text] of Object.entries(makePythonClient(presentDocument(document))))
  await keepMade(`packages/python/src/strata_client/${name}`, text, 'client');
