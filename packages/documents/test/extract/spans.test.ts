import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractor, fileOf } from './read.ts';

const rowLines = Array.from({ length: 500 }, (_, at) =>
  JSON.stringify({ id: `ö${at}`, vector: [at, 1], text: `Nº ${at}` }),
);
const [lead = '', ...others] = rowLines;

/** Files whose units can be read separately. */
const apart: Readonly<Record<string, string>> = {
  'lines that end as on Unix': `${rowLines.join('\n')}\n`,
  'lines that end as on Windows': rowLines.join('\r\n'),
  'blank lines before, between and behind the rows': `\n \n${lead}\n\n${others.join('\n')}\n\n \n`,
  'byte order marks, as of files that were joined': `\uFEFF${rowLines.slice(0, 130).join('\n')}\n\uFEFF${rowLines.slice(130).join('\n')}`,
};

for (const [name, content] of Object.entries(apart)) {
  test(`each unit of a vector file is read by its byte range: ${name}`, async () => {
    const file = fileOf('rows.jsonl', content);
    const { units, spans = [] } = await extractor.inspect(file);
    assert.deepEqual([spans.length, units], [5, 5]);
    let end = 0;
    for (const [at, { from, to, line }] of spans.entries()) {
      assert.equal(from, end);
      end = to;
      const parts = await extractor.extractSpan(file.bytes.subarray(from, to), { first: line, ignoresVectors: false });
      assert.deepEqual(parts, await extractor.extract(file, { start: at + 1, end: at + 1 }));
    }
    // Behind the last row there is nothing but blank lines.
    assert.equal(Buffer.from(file.bytes.subarray(end)).toString().trim(), '');
    const [first, last] = [spans[1], spans[3]];
    assert.ok(first !== undefined && last !== undefined);
    const middle = await extractor.extractSpan(file.bytes.subarray(first.from, last.to), {
      first: first.line,
      ignoresVectors: false,
    });
    assert.deepEqual(middle, await extractor.extract(file, { start: 2, end: 4 }));
  });
}

test('a file whose units cannot be read separately has no byte ranges', async () => {
  const wholes = [
    fileOf('rows.jsonl', rowLines.join('\r')),
    fileOf('rows.jsonl', Buffer.from(`\uFEFF${rowLines.join('\n')}`, 'utf16le')),
    fileOf('rows.jsonl', Buffer.from(rowLines.join('\n'), 'latin1')),
    fileOf('log.txt', rowLines.join('\n\n')),
  ];
  for (const file of wholes) {
    const { units, spans } = await extractor.inspect(file);
    assert.ok(units >= 1);
    assert.equal(spans, undefined);
  }
});
