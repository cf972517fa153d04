import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openHighlighter } from '../src/highlight.ts';
import type { TextLanguage } from '../src/text-language.ts';

const whole = { fragments: 10, maxChars: 2_000 };

/** Texts that a query marks in a text. */
const marked = (query: string, text: string, textLanguage: TextLanguage = 'english'): readonly string[] => {
  const points = Array.from(text);
  return openHighlighter({ textLanguage }, [query])(text, whole).flatMap(({ start, end, marks, text: part }) => {
    assert.equal(part, points.slice(start, end).join(''));
    return marks.map(([from, to]) => points.slice(from, to).join(''));
  });
};

test('words are marked as the text index matches them: by stem, inside words, in any spelling and script', () => {
  for (const [query, text, expected, language] of [
    ['ship', '😀 Ships, shipped (ship) and shop.', ['Ships', 'shipped', 'ship']],
    ['the harbour', 'The harbour of the town.', ['harbour']],
    ['it', 'They said it is late.', ['it']],
    ['retry', 'Set MAX_RETRY_COUNT to 3.', ['RETRY']],
    ['getUserById', 'The user is here.', ['user']],
    ['wellbeing', 'Their well-being.', ['well-being']],
    ['école', 'Devant l’école fermée.', ['l’école'], 'french'],
    ['zurich', 'In Zu\u0308rich.', ['Zu\u0308rich'], 'none'],
    ['东京', '我在东京。', ['东京'], 'none'],
    ['등대', '등대에서 보자.', ['등대'], 'korean'],
    ['m2', 'A room of 30 m².', ['m²']],
    ['nothing', 'A text without it.', []],
  ] as const)
    assert.deepEqual(marked(query, text, language), expected, query);
});

test('a phrase is marked as a whole, and its words alone are not', () => {
  assert.deepEqual(marked('"green tea" kettle', 'Green tea, a kettle, green leaves and tea.'), ['Green tea', 'kettle']);
  assert.deepEqual(marked('"state of the art"', 'The state in an art. The art of the state.'), ['state in an art']);
  assert.deepEqual(marked('"max retry"', 'MAX_RETRY_COUNT and retry.'), ['MAX_RETRY_COUNT']);
  assert.deepEqual(marked('tea -"iced tea"', 'Tea, iced.'), ['Tea']);
});

test('fragments are the parts with the most different words, in order, of a bounded length, and end between words', () => {
  const filler = (name: string): string => `${name} word `.repeat(30);
  const text = `${filler('one')}tea ${filler('two')}tea and kettle ${filler('three')}😀 kettle tea cup ${filler('four')}`;
  const found = openHighlighter({}, ['tea kettle cup'])(text, { fragments: 2, maxChars: 60 });
  assert.equal(found.length, 2);
  const points = Array.from(text);
  for (const { text: part, start, end, marks } of found) {
    assert.ok(end - start <= 60 && marks.length >= 2);
    assert.equal(part, points.slice(start, end).join(''));
    assert.match(part, /^(?:one|two|three|four|word|tea|and|kettle|cup|😀|\s)+$/u);
  }
  assert.ok(found[0]?.text.includes('tea and kettle') && found[1]?.text.includes('kettle tea cup'));
  const [long] = openHighlighter({}, ['"a1 b2 c3 d4 e5"'])('a1 b2 c3 d4 e5', { fragments: 1, maxChars: 8 });
  assert.deepEqual(long, { text: 'a1 b2 c3', start: 0, end: 8, marks: [[0, 8]] });
});
