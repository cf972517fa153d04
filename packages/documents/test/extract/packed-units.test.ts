import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unpackUnits } from '../../src/extract/pack-parts.ts';
import { extractor, fileOf } from './read.ts';

const sentence = 'Über den Hafen von Kiel zog am Morgen dichter Nebel, und niemand sah die Erna. ';
const paragraphs = Array.from({ length: 60 }, (_, at) => `${at}. ${sentence.repeat(20)}`);
const rows = paragraphs.map((text, at) => `${at},"Erna, ${at}","${text}"`);
const letters = paragraphs.map(
  (text, at) =>
    `From erna@example.com Mon Jan  5 10:00:00 2026\nSubject: No. ${at}\nFrom: erna@example.com\n\n${text}\n`,
);

const files = {
  'plain text': fileOf('log.txt', paragraphs.join('\n\n')),
  'text of another charset': fileOf('log.txt', Buffer.from(paragraphs.join('\n\n'), 'latin1')),
  Markdown: fileOf('log.md', paragraphs.map((text, at) => `# Day ${at}\n\n${text}`).join('\n\n')),
  'a table': fileOf('log.csv', `id,ship,text\n${rows.join('\n')}\n`),
  'JSON Lines': fileOf('log.jsonl', paragraphs.map((text, at) => JSON.stringify({ at, text })).join('\n')),
  code: fileOf('log.ts', paragraphs.map((text, at) => `export const day${at} = '${text}';`).join('\n\n')),
  'a web page': fileOf('log.html', `<h1>Log</h1>${paragraphs.map((text) => `<p>${text}</p>`).join('')}`),
  'a mailbox': fileOf('log.mbox', letters.join('\n')),
};

for (const [name, file] of Object.entries(files)) {
  test(`the packed units of an inspection equal the extracted units: ${name}`, async () => {
    const { units, packed } = await extractor.inspect(file);
    assert.ok(units > 1 && packed !== undefined);
    assert.equal(packed.ends.length, units);
    assert.equal(packed.ends.at(-1), packed.bytes.length);
    for (const [at, end] of packed.ends.entries()) {
      const unit = unpackUnits(packed.bytes.subarray(packed.ends[at - 1] ?? 0, end));
      assert.deepEqual(unit, await extractor.extract(file, { start: at + 1, end: at + 1 }));
    }
    const all = await extractor.extract(file, { start: 1, end: units });
    assert.deepEqual(unpackUnits(packed.bytes), all);
  });
}
