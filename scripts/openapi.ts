import { endpoints } from '../functions/registry.ts';
import { openApiDocument } from '../shared/http/openapi.ts';
import { webhookMessages } from '../shared/webhooks/index.ts';
import { keepMade } from './support/made-file.ts';

const text = `${JSON.stringify(openApiDocument(Object.values(endpoints), webhookMessages), null, 2)}\n`;
await keepMade('docs/openapi.json', text, 'openapi');
