import { readFile, writeFile } from 'node:fs/promises';
import { endpoints } from '../functions/registry.ts';
import { openApiDocument } from '../shared/http/openapi.ts';

const file = new URL('../docs/openapi.json', import.meta.url);
const text = `${JSON.stringify(openApiDocument(Object.values(endpoints)), null, 2)}\n`;

if (process.argv.includes('--check')) {
  if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write('docs/openapi.json is not what the endpoints say: run npm run openapi\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
