import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWritten, transcriptOf, usersOf } from '../../shared/platform/connectors/slack/transcript.ts';

const at = { type: 'message', ts: '1700000000.000100', username: 'monitor' };
const names = new Map([['U0AAA', 'Ada']]);

const readingOf = (message: object): string => {
  const whole = { ...at, ...message };
  assert.ok(isWritten(whole));
  return transcriptOf([whole], names).replace('monitor (2023-11-14 22:13): ', '');
};

test('Slack blocks and attachments of programs are read once with their message', () => {
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
  assert.equal(transcriptOf([{ ...at, ...person }], names).replace(/^.*: /, ''), 'hello *you*');
});

const rich = (...elements: readonly object[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements }],
});
const said = (text: string) => ({ type: 'text', text });
const plain = (text: string) => ({ type: 'plain_text', text });

test('rich text of a Slack program is read if the text of its message does not contain it', () => {
  const bot = { subtype: 'bot_message' };
  const styled = rich(said('Incident '), { ...said('42'), style: { bold: true } }, said(': a < b'));
  assert.equal(readingOf({ ...bot, text: '', blocks: [styled] }), 'Incident 42: a < b');
  assert.equal(readingOf({ ...bot, text: 'New incident', blocks: [styled] }), 'New incident\nIncident 42: a < b');
  assert.equal(readingOf({ bot_id: 'B1', text: 'Incident *42*: a &lt; b', blocks: [styled] }), 'Incident *42*: a < b');
  assert.equal(readingOf({ text: '', blocks: [styled] }), 'Incident 42: a < b');
  const list = {
    type: 'rich_text_list',
    style: 'ordered',
    elements: [
      { type: 'rich_text_section', elements: [{ type: 'user', user_id: 'U0AAA' }, said(' calls')] },
      {
        type: 'rich_text_section',
        elements: [
          { type: 'link', url: 'https://example.com/?a=1&b=2', text: 'the page' },
          { type: 'emoji', name: 'tada' },
        ],
      },
    ],
  };
  const blocks = [{ type: 'rich_text', elements: [list] }];
  assert.equal(readingOf({ ...bot, blocks }), '1. @Ada calls\n2. the page (https://example.com/?a=1&b=2):tada:');
  const mailed = { fallback: '[no preview available]', blocks: [rich(said('From a mail'))] };
  assert.equal(readingOf({ ...bot, attachments: [mailed] }), 'From a mail');
});

test('all kinds of Slack blocks are read with their contents, except interactive elements', () => {
  const button = { type: 'button', text: plain('Press'), action_id: 'a' };
  const raw = (text: string) => ({ type: 'raw_text', text });
  const rows = [
    [raw('Region'), raw('Revenue')],
    [raw('Nordics'), rich(said('412 k'))],
    [raw('Alps'), { type: 'raw_number', value: 0, text: '0' }],
  ];
  const task = { type: 'task_card', task_id: '1', title: 'Checked', output: rich(said('three are late')) };
  for (const [block, text] of [
    [{ type: 'table', rows }, 'Region | Revenue\nNordics | 412 k\nAlps | 0'],
    [{ type: 'data_table', caption: 'Sales', rows: [rows[0]] }, 'Sales\nRegion | Revenue'],
    [
      { ...task, sources: [{ type: 'url', url: 'https://x', text: 'the books' }] },
      'Checked\nthree are late\nthe books',
    ],
    [{ type: 'plan', title: 'Find the fault', tasks: [task] }, 'Find the fault\nChecked\nthree are late'],
    [
      {
        type: 'video',
        title: plain('Expenses'),
        description: plain('In minutes'),
        alt_text: 'x',
        video_url: 'https://x',
      },
      'Expenses\nIn minutes',
    ],
    [
      { type: 'container', title: plain('Box'), child_blocks: [{ type: 'header', text: plain('inside') }] },
      'Box\ninside',
    ],
    [
      {
        type: 'carousel',
        elements: [{ type: 'card', title: plain('Card'), body: plain('of words'), actions: [button] }],
      },
      'Card\nof words',
    ],
    [{ type: 'markdown', text: '**Done**' }, '**Done**'],
    [{ type: 'alert', text: plain('Beware') }, 'Beware'],
    [{ type: 'section', text: plain('Choose'), accessory: button }, 'Choose'],
    [{ type: 'image', title: plain('Chart'), alt_text: 'x', image_url: 'https://x' }, 'Chart'],
  ] as const)
    assert.equal(readingOf({ blocks: [block, { type: 'actions', elements: [button] }] }), text);
});

test('a Slack message without text is ignored', () => {
  const empty = [
    {},
    { text: '' },
    { attachments: [{ fallback: '[no preview available]' }] },
    { blocks: [null, 'x', {}] },
  ];
  for (const message of empty) assert.ok(!isWritten({ ...at, ...message }), JSON.stringify(message));
});

test('incomplete Slack markup of any length stays unchanged', () => {
  const text = `<!u${'^'.repeat(30_000)} and on`;
  assert.equal(readingOf({ text }), text);
});
