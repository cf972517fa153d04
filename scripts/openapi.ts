import { endpoints } from '../functions/registry.ts';
import { openApiDocument } from '../shared/http/openapi.ts';
import { webhookMessages } from '../shared/webhooks/index.ts';
import { keepMade } from './support/made-file.ts';

const maxLineCharacters = 120;

/** JSON with each object and list that fits in one line: it takes two thirds of the bytes of one property a line. */
const printJson = (value: unknown, indent = ''): string => {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= maxLineCharacters) return line;
  const inner = `${indent} `;
  const parts = Array.isArray(value)
    ? value.map((item) => printJson(item, inner))
    : Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${printJson(part, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
};

// Through JSON, which leaves out what is undefined.
const document: unknown = JSON.parse(JSON.stringify(openApiDocument(Object.values(endpoints), webhookMessages)));
await keepMade('docs/openapi.json', `${printJson(document)}\n`, 'openapi');
