import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compactEnvelope, type Envelope, eventData, type EventType, eventTypes } from '../shared/events/index.ts';
import { exampleId, exampleTime } from '../shared/http/examples.ts';
import { formatText } from './format-text.ts';

const projectDirectory = join(import.meta.dirname, '..');
const file = join(projectDirectory, 'docs', 'webhooks.md');
const [begin, end] = ['<!-- made from the schemas by npm run webhook-samples -->', '<!-- end of what is made -->'];

/** What a receiver gets for an event of a type: its schema's example, which the schema must accept as it is. */
const envelopeOf = (type: EventType): Envelope => {
  const schema = eventData[type];
  const { examples } = schema.meta() as { readonly examples: readonly unknown[] };
  const [example] = examples;
  const data = schema.parse(example);
  if (JSON.stringify(data) !== JSON.stringify(example)) throw new Error(`the example of ${type} has other fields`);
  return compactEnvelope({ type, created_at: exampleTime, organization_id: exampleId('org'), data });
};

const sectionOf = (type: EventType): string =>
  [
    `### \`${type}\``,
    eventData[type].meta()?.description ?? '',
    `\`\`\`json\n${JSON.stringify(envelopeOf(type), null, 2)}\n\`\`\``,
  ].join('\n\n');

const page = await readFile(file, 'utf8');
const [from, to] = [page.indexOf(begin), page.indexOf(end)];
if (from < 0 || to < from) throw new Error(`docs/webhooks.md has no place between ${begin} and ${end}`);
const made = eventTypes.map(sectionOf).join('\n\n');
const text = formatText(file, `${page.slice(0, from)}${begin}\n\n${made}\n\n${page.slice(to)}`);
if (process.argv.includes('--check')) {
  if (text !== page) {
    process.stderr.write('docs/webhooks.md does not show what the schemas say: run npm run webhook-samples\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
