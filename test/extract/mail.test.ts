import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeNarrowMsg } from './make-msg.ts';
import { fileOf, readWhole } from './read.ts';

const letter = (kind: string, parts: readonly (readonly [string, string])[], subject = 'Your order'): string =>
  `From: shop@example.com\r\nSubject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: multipart/${kind}; boundary=b\r\n\r\n${parts
    .map(([type, body]) => `--b\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`)
    .join('')}--b--\r\n`;

const bodyOf = async (text: string, html: string): Promise<string> => {
  const mail = letter('alternative', [
    ['text/plain', text],
    ['text/html', html],
  ]);
  const { sections } = await readWhole(fileOf('a.eml', mail));
  return sections.map((section) => section.text).join('\n\n');
};

test('the plain text of a mail is read, unless its HTML has several times as many words', async () => {
  const order = `<html><head><style>p { color: red; margin: 0 }</style></head><body><p>Order 4711: twelve lamps of brass with glass chimneys, packed in straw.</p><p>They leave for Husum on Monday and cost 230 euros in all, payable on arrival.</p></body></html>`;
  const excuse = await bodyOf('This mail needs HTML: https://example.com/view/your/order/in/a/browser', order);
  assert.match(excuse, /Order 4711/);
  assert.doesNotMatch(excuse, /needs HTML/);
  assert.match(await bodyOf('', order), /Order 4711/);
  assert.ok((await bodyOf('', '<p>4711</p>')).endsWith('4711'));
  const same = 'Order 4711: twelve lamps of brass with glass chimneys. They cost 230 euros in all.';
  assert.ok((await bodyOf(same, order)).endsWith(same));
  assert.ok(
    (await bodyOf('Thanks.', `<style>${'p { color: red } '.repeat(50)}</style><p>Thanks.</p>`)).endsWith('Thanks.'),
  );
});

test('the message of a mail is read despite a long disclaimer and quoted history', async () => {
  const message = 'Hi Erna, the meeting moved to 5 pm in room 12.';
  const legal = 'This message is meant for those whom it names, and for nobody else, whoever may come to read it. ';
  const html = `<table><tr><td>${message}</td></tr></table><div id="disclaimer">${`<p>${legal.repeat(3)}</p>`.repeat(3)}</div>`;
  for (const text of [message, '']) {
    const body = await bodyOf(text, html);
    assert.ok(body.includes(message), body);
    assert.match(body, /nobody else/);
  }
});

test('an attached mail without a name is named by its subject', async () => {
  const inner = (subject: string): string =>
    letter('mixed', [['text/plain', 'The lamp was lit.']], subject)
      .replaceAll('=b', '=c')
      .replaceAll('--b', '--c');
  const mail = letter('mixed', [
    ['message/rfc822', inner('=?utf-8?Q?Fog_=C3=BCber_Husum?=')],
    ['message/rfc822', inner('')],
  ]);
  const { sections } = await readWhole(fileOf('a.eml', mail));
  const places = new Set(sections.map(({ place }) => place['attachment']));
  assert.deepEqual([...places], [undefined, 'Fog über Husum.eml', 'attachment 2']);
});

test('a mail without a declared charset, or with one declared in its HTML, is decoded correctly', async () => {
  const german = 'Die Kündigung für die Straße am Hafen ist überfällig.';
  const read = async (mail: string, encoding: BufferEncoding = 'latin1'): Promise<string> => {
    const { sections } = await readWhole(fileOf('a.eml', Buffer.from(mail, encoding)));
    return sections.map((section) => [...section.headingPath, section.text].join('\n')).join('\n');
  };
  const head = 'From: Jörg Müller <j@example.com>\r\nSubject: Kündigung\r\nMIME-Version: 1.0\r\n';
  const quoted = german.replace(/[^ -~]/g, (letter) => `=${letter.charCodeAt(0).toString(16).toUpperCase()}`);
  for (const body of [
    `\r\n${german}`,
    `Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${quoted}`,
    `Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(german, 'latin1').toString('base64')}`,
    `Content-Type: text/plain; charset=iso-8859-1\r\n\r\n${german}`,
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>${german}</p>\r\n--b--`,
  ]) {
    const text = await read(`${head}${body}\r\n`);
    assert.ok(text.includes(german) && text.includes('Jörg Müller') && text.includes('Kündigung\n'), text);
  }
  assert.ok((await read(`${head}\r\n${german}`, 'utf8')).includes(german));
  const russian = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]).toString('latin1');
  const page = `<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>${russian}</p>`;
  const mail = `From: a@example.com\r\nSubject: Word\r\nContent-Type: text/html\r\n\r\n${page}`;
  assert.match(await read(mail), /Привет/);
});

test('an Outlook message without Unicode is decoded in its declared code page', async () => {
  const word = (...codes: readonly number[]): Buffer => Buffer.from(codes);
  const page = (bytes: Buffer): Buffer => Buffer.concat([Buffer.from('<p>'), bytes, Buffer.from('</p>')]);
  const read = async (codePage: number, subject: Buffer, body: Buffer): Promise<readonly unknown[]> => {
    const { sections } = await readWhole(fileOf('a.msg', makeNarrowMsg(codePage, subject, page(body))));
    return [sections[0]?.headingPath[0], sections[0]?.text.split('\n').at(-1)];
  };
  const chinese = word(0xae, 0xe6, 0xa6, 0xa1, 0xb4, 0xfa, 0xb8, 0xd5);
  assert.deepEqual(await read(950, chinese, chinese), ['格式測試', '格式測試']);
  const german = Buffer.from('Müller', 'latin1');
  assert.deepEqual(await read(1252, german, german), ['Müller', 'Müller']);
  const russian = word(0xf0, 0xd2, 0xc9, 0xd7, 0xc5, 0xd4);
  assert.deepEqual(await read(20866, russian, russian), ['Привет', 'Привет']);
  // The code page for the Internet may be that of the page only.
  assert.deepEqual(await read(65001, german, Buffer.from('Müller')), ['Müller', 'Müller']);
  assert.deepEqual(await read(50220, word(0x93, 0xfa, 0x96, 0x7b), Buffer.from('\u001B$BF|K\\\u001B(B', 'latin1')), [
    '日本',
    '日本',
  ]);
});

test('a line of a mailbox that begins with "From " separates messages only if it is an envelope before headers', async () => {
  const envelopes = [
    'From MAILER-DAEMON Mon Mar 10 10:00:00 2025',
    'From - Tue Mar 11 10:00:00 2025',
    'From erna@example.com Wed Mar 12 9:05 +0100 2025',
    'From "Erna of Husum"@example.com Thu Mar 13 10:00:00 2025 remote from husum',
  ];
  const lines = [
    'From Monday on the fare is twelve euro.',
    'From 10:00 on the quay is closed.',
    'From Erna Mon Mar 10 10:00:00 2025',
    '>From Kiel it takes two days.',
  ];
  const messageOf = (envelope: string, at: number): string =>
    `${envelope}\nFrom: erna@example.com\nSubject: Prices ${at}\n\n${lines.map((line) => `${line}\nLine ${at}.`).join('\n\n')}\n`;
  const text = envelopes.map(messageOf).join('\n');
  for (const lineEnd of ['\n', '\r\n']) {
    const { sections } = await readWhole(fileOf('a.mbox', text.replaceAll('\n', lineEnd)));
    assert.deepEqual([...new Set(sections.map(({ place }) => place['message']))], [1, 2, 3, 4]);
    for (const [at, section] of sections.entries()) {
      assert.equal(section.headingPath[0], `Prices ${at}`);
      for (const line of lines) assert.ok(section.text.includes(`${line.replace('>', '')}\nLine ${at}.`), section.text);
    }
  }
});

test('of two alternatives of a mail, the one that a mail program shows is read, once and without its preheader', async () => {
  const preheader = '<div style="display:none;font-size:1px;max-height:0">Planted words</div>';
  const german = '<p>Der Kai ist am Montag geschlossen, weil das Eis zu dick ist.</p>';
  const english = 'The quay is closed on Monday because the ice is too thick.';
  const read = await bodyOf(english, preheader + german);
  assert.ok(
    read.endsWith('Der Kai ist am Montag geschlossen, weil das Eis zu dick ist.') && !/quay|Planted/.test(read),
  );
  const table = '<table><tr><th>Fare<th>Euro</tr><tr><td>Child<td>6</tr></table>';
  const both = await bodyOf(`${english}\nFare Euro Child 6`, `${preheader}<p>${english}</p>${table}`);
  assert.ok(both.endsWith(`${english}\n\nFare | Euro\nChild | 6`), both);
});
