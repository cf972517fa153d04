import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { presentDocument } from './client/present-document.ts';
import { formatText } from './format-text.ts';

const projectDirectory = join(import.meta.dirname, '..');
const file = join(projectDirectory, 'client', 'schema.d.ts');

const heading = `/* oxlint-disable */
// Generated from docs/openapi.json by \`npm run client\`: do not edit.
`;

const makeTypes = async (): Promise<string> => {
  const document = JSON.parse(await readFile(join(projectDirectory, 'docs', 'openapi.json'), 'utf8')) as OpenAPI3;
  const types = await openapiTS(presentDocument(document), {
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return formatText(file, `${heading}\n${astToString(types)}`);
};

const text = await makeTypes();
if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('client/schema.d.ts is not what docs/openapi.json says: run npm run client\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
