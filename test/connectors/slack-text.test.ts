import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWritten, transcriptOf, usersOf } from '../../shared/platform/connectors/slack/text.ts';

const at = { type: 'message', ts: '1700000000.000100', username: 'monitor' };
const names = new Map([['U0AAA', 'Ada']]);

const readingOf = (message: object): string => {
  const whole = { ...at, ...message };
  assert.ok(isWritten(whole));
  return transcriptOf([whole], names).replace('monitor (2023-11-14 22:13): ', '');
};

test('what programs write into blocks and attachments of a message is read with it, each thing once', () => {
  const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
  const fields = [{ title: 'Host', value: 'db-1' }];
  assert.equal(readingOf({ text: '', attachments: [{ fallback: 'ALERT: disk full' }] }), 'ALERT: disk full');
  const alert = { pretext: 'ALERT', title: 'Disk', text: 'It is full', fallback: 'Disk: It is full', fields };
  assert.equal(readingOf({ attachments: [alert] }), 'ALERT\nDisk\nIt is full\nHost: db-1');
  const blocks = [
    { type: 'header', text: { type: 'plain_text', text: 'Deployed' } },
    { ...section('to &lt;prod&gt; by <@U0AAA>'), fields: [{ type: 'mrkdwn', text: 'v7' }] },
    {
      type: 'context',
      elements: [
        { type: 'mrkdwn', text: 'in a minute' },
        { type: 'image', alt_text: 'x' },
      ],
    },
    { type: 'divider' },
  ];
  const deployed = { text: 'Deployed', blocks };
  assert.equal(readingOf(deployed), 'Deployed\nto <prod> by @Ada\nv7\nin a minute');
  assert.deepEqual(usersOf({ ...at, ...deployed }), ['U0AAA']);
  const nested = { text: 'New', attachments: [{ fallback: '[no preview available]', blocks: [section('inside')] }] };
  assert.equal(readingOf(nested), 'New\ninside');
  const person = {
    text: 'hello *you*',
    blocks: [{ type: 'rich_text', elements: [{ type: 'text', text: 'hello you' }] }],
  };
  assert.equal(readingOf(person), 'hello *you*');
});

test('a message without anything to read is none', () => {
  const empty = [
    {},
    { text: '' },
    { attachments: [{ fallback: '[no preview available]' }] },
    { blocks: [null, 'x', {}] },
  ];
  for (const message of empty) assert.ok(!isWritten({ ...at, ...message }), JSON.stringify(message));
});

test('what looks like markup to its end and is none stays as it is, however long', () => {
  const text = `<!u${'^'.repeat(30_000)} and on`;
  assert.equal(readingOf({ text }), text);
});
