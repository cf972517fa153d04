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

const readMail = async (head: string, body: string, encoding: BufferEncoding = 'utf8'): Promise<string> => {
  const mail = `From: smith@example.com\r\nSubject: Quay\r\nMIME-Version: 1.0\r\n${head}\r\n\r\n${body}\r\n`;
  const { sections } = await readWhole(fileOf('a.eml', Buffer.from(mail, encoding)));
  return sections.map(({ text }) => text).join('\n\n');
};

const partOf = (boundary: string, type: string, body: string): string =>
  `--${boundary}\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;

test('the body of a mail is read whose boundary is missing, differs or is not used', async () => {
  const words = 'The quay is closed until Friday.';
  const parts = `${partOf('n1', 'text/plain', words)}${partOf('n1', 'text/csv; name=fares.csv', 'Fare,Euro\r\nChild,6')}--n1--`;
  const inner = `${partOf('o', 'multipart/alternative; boundary=lost', partOf('n2', 'text/plain', words))}--n2--\r\n`;
  for (const [head, body, expected] of [
    ['Content-Type: multipart/mixed; boundary=other', parts, words],
    ['Content-Type: multipart/mixed; boundary=other', parts, 'Fare: Child\nEuro: 6'],
    ['Content-Type: multipart/mixed', parts, words],
    ['Content-Type: multipart/mixed; boundary=', parts, words],
    ['Content-Type: multipart/mixed; boundary=unused', `${words}\r\n\r\nGreetings`, `${words}\n\nGreetings`],
    ['Content-Type: multipart/alternative; boundary=unused', `<html><p>${words}</p></html>`, `\n\n${words}`],
    ['Content-Type: multipart/mixed; boundary=o', `${inner}${partOf('o', 'text/plain', 'Second')}--o--`, words],
    ['Content-Type: multipart/mixed; boundary=o', `${inner}${partOf('o', 'text/plain', 'Second')}--o--`, 'Second'],
  ] as const) {
    const text = await readMail(head, body);
    assert.ok(text.includes(expected) && !/--n|Content-Type|<p>/.test(text), text);
  }
  const nested = Array.from({ length: 400 }, (_, at) => `--n${at}\r\nContent-Type: multipart/mixed\r\n\r\n`).join('');
  assert.match(await readMail('Content-Type: multipart/mixed', `${nested}${words}`), /closed until Friday/);
});

test('the charset of a mail is detected if its label is unknown, malformed or ASCII', async () => {
  const german = 'Die Fähre über die Förde fährt heute früh um fünf, schöne Grüße.';
  for (const label of [
    'utf8mb4',
    'ansi',
    "'utf-8'",
    '"utf-8; format=flowed',
    'us-ascii',
    'ASCII',
    'x-none',
    'iso-8859-1',
  ])
    for (const [type, body] of [
      ['text/plain', german],
      ['text/html', `<p>${german}</p>`],
    ] as const) {
      const text = await readMail(`Content-Type: ${type}; charset=${label}`, body);
      assert.ok(text.endsWith(german), `${label}: ${text}`);
    }
  for (const label of ['us-ascii', 'ansi', "'iso-8859-1'", '"windows-1252'])
    assert.ok((await readMail(`Content-Type: text/plain; charset=${label}`, german, 'latin1')).endsWith(german), label);
  const escaped = '\u001B$BEtBf<i\u001B(B';
  for (const label of ['us-ascii', '_iso-2022-jp$ESC', 'iso-2022-jp', 'iso-8859-1'])
    assert.ok((await readMail(`Content-Type: text/plain; charset=${label}`, escaped)).endsWith('灯台守'), label);
  const known = 'Content-Transfer-Encoding: quoted-printable\r\nContent-Type: text/plain; charset=';
  assert.ok((await readMail(`${known}cp932`, '=93=FA=96=7B')).endsWith('日本'));
  assert.ok((await readMail(`${known}iso-8859-2`, '=BF=F3=B3w')).endsWith('żółw'));
});

test('the plain text of a mail that is declared as base64 is read, and base64 is decoded', async () => {
  const words = 'The quay is closed until Friday.\r\n\r\nThe ferry is late';
  const head = 'Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64';
  assert.ok((await readMail(head, words)).endsWith(words.replaceAll('\r\n', '\n')));
  assert.ok((await readMail(head, Buffer.from(words).toString('base64'))).endsWith('The ferry is late'));
  const part = `--b\r\n${head}\r\n\r\n${words}\r\n--b--`;
  assert.match(await readMail('Content-Type: multipart/mixed; boundary=b', part), /closed until Friday\./);
});

test('ciphertext and signatures of a mail are named and not read as text', async () => {
  const armor = (kind: string): string =>
    `-----BEGIN PGP ${kind}-----\r\n\r\nhQEMA0x\r\n=ab\r\n-----END PGP ${kind}-----`;
  const read = async (head: string, body: string): Promise<readonly [string, readonly string[]]> => {
    const mail = `From: a@example.com\r\nSubject: Quay\r\n${head}\r\n\r\n${body}\r\n`;
    const { sections, inspection } = await readWhole(fileOf('a.eml', mail));
    return [sections.map(({ text }) => text).join('\n\n'), inspection.notes];
  };
  const [encrypted, note] = await read(
    'Content-Type: multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
    `${partOf('b', 'application/pgp-encrypted', 'Version: 1')}${partOf('b', 'application/octet-stream; name=encrypted.asc', armor('MESSAGE'))}--b--`,
  );
  assert.equal(encrypted, 'Quay\n\nFrom: a@example.com');
  assert.match(note.join(' '), /^1 attachment was skipped: encrypted\.asc \(Encrypted files, signatures and keys/);
  const [signed, about] = await read(
    'Content-Type: multipart/signed; boundary=b',
    `${partOf('b', 'text/plain', 'The quay is closed.')}${partOf('b', 'application/pgp-signature; name=signature.asc', armor('SIGNATURE'))}--b--`,
  );
  assert.equal(signed, 'Quay\n\nFrom: a@example.com\n\nThe quay is closed.');
  assert.match(about.join(' '), /signature\.asc/);
  const [inline, left] = await read('Content-Type: text/plain', `Before.\r\n${armor('MESSAGE')}\r\nAfter.`);
  assert.equal(inline, 'Quay\n\nFrom: a@example.com\n\nBefore.\nAfter.');
  assert.deepEqual(left, ['Encrypted text of a message was left out.']);
});

test('mail that was saved as UTF-16 is read, whatever charset it declares', async () => {
  const german = 'Die Fähre fährt früh.';
  for (const label of ['utf-16', 'iso-8859-1', 'utf-8']) {
    const mail = `From: smith@example.com\r\nSubject: Grüße\r\nContent-Type: text/plain; charset=${label}\r\n\r\n${german}\r\n`;
    const little = Buffer.from(mail, 'utf16le');
    const big = Buffer.from(little).swap16();
    const marks = [Buffer.from([0xff, 0xfe]), Buffer.from([0xfe, 0xff])] as const;
    const marked = [Buffer.concat([marks[0], little]), Buffer.concat([marks[1], big])];
    for (const bytes of [little, big, ...marked]) {
      const { sections } = await readWhole(fileOf('a.eml', bytes));
      assert.deepEqual(
        sections.map(({ headingPath, text }) => [headingPath, text]),
        [[['Grüße'], `Grüße\n\nFrom: smith@example.com\n\n${german}`]],
      );
    }
    const box = Buffer.from(`From a@example.com Sat Jan  3 01:05:34 2026\n${mail}`, 'utf16le').swap16();
    assert.ok((await readWhole(fileOf('a.mbox', box))).sections[0]?.text.endsWith(german));
  }
});
