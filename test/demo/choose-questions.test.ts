import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { chooseQuestions } from '../../scripts/demo/choose-questions.ts';

const row = (at: number, text: string) => ({
  id: `row-${at}`,
  text,
  metadata: {},
  file: { filename: 'book.pdf', page_start: at, page_end: at },
});

describe('the questions of the demo', () => {
  const rows = Array.from({ length: 60 }, (_, at) =>
    row(at + 1, `Page\nheader ${at + 1}\nThe lighthouse of island number ${at + 1} was built from grey stone. Next`),
  );

  it('are sentences of the file itself, spread over it, with the page that they come from', () => {
    const questions = chooseQuestions({ own: [], isHandbook: false, rows });
    assert.equal(questions.length, 3);
    for (const { text, origin, rowId } of questions) {
      const source = rows.find(({ id }) => id === rowId);
      assert.ok(source !== undefined && source.text.replace(/\s+/g, ' ').includes(text));
      assert.equal(origin, `taken from page ${source.file.page_start}`);
    }
    assert.deepEqual(
      questions.map(({ rowId }) => rowId),
      ['row-11', 'row-31', 'row-51'],
    );
  });

  it('are those of the user if there are any', () => {
    const [question] = chooseQuestions({ own: ['Who lives there?'], isHandbook: true, rows });
    assert.deepEqual(question, { text: 'Who lives there?', origin: '', rowId: null });
  });

  it('are empty for a file without text', () => {
    assert.deepEqual(chooseQuestions({ own: [], isHandbook: false, rows: [row(1, ' ')] }), []);
  });
});
