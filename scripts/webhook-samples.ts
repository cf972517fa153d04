import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { truncateEnvelope, type Envelope, eventData, type EventType, eventTypes } from '../shared/events/index.ts';
import { exampleId, exampleTime } from '../shared/http/examples.ts';
import { formatText } from './support/format-text.ts';
import { keepMade } from './support/made-file.ts';
import { projectDirectory } from './support/project-directory.ts';

const path = 'docs/webhooks.md';
const [begin, end] = ['<!-- made from the schemas by npm run webhook-samples -->', '<!-- end of what is made -->'];

/** Returns the message of an event type with the example of its schema, which the schema must accept unchanged. */
const envelopeOf = (type: EventType): Envelope => {
  const schema = eventData[type];
  const { examples } = schema.meta() as { readonly examples: readonly unknown[] };
  const [example] = examples;
  const data = schema.parse(example);
  if (JSON.stringify(data) !== JSON.stringify(example)) throw new Error(`the example of ${type} has other fields`);
  return truncateEnvelope({ type, created_at: exampleTime, organization_id: exampleId('org'), data });
};

const sectionOf = (type: EventType): string =>
  [
    `### \`${type}\``,
    eventData[type].meta()?.description ?? '',
    `\`\`\`json\n${JSON.stringify(envelopeOf(type), null, 2)}\n\`\`\``,
  ].join('\n\n');

const page = await readFile(join(projectDirectory, path), 'utf8');
const [from, to] = [page.indexOf(begin), page.indexOf(end)];
if (from < 0 || to < from) throw new Error(`${path} has no place between ${begin} and ${end}`);
const made = eventTypes.map(sectionOf).join('\n\n');
const text = formatText(path, `${page.slice(0, from)}${begin}\n\n${made}\n\n${page.slice(to)}`);
await keepMade(path, text, 'webhook-samples');
