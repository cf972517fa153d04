import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOf, type Parts } from './make-office.ts';
import { outlineOf } from './read.ts';

const odt = (body: string): Uint8Array =>
  zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<o:document-content><o:body><o:text>${body}</o:text></o:body></o:document-content>`,
  });

test('numbered headings of an ODT are headings, and boxes and notes of headings follow their paragraph', async () => {
  const note = (text: string): string =>
    `<t:note><t:note-citation>1</t:note-citation><t:note-body><t:p>${text}</t:p><t:p>and more</t:p></t:note-body></t:note>`;
  const box =
    '<d:frame><d:text-box><t:p>Box line one</t:p><t:list><t:list-item><t:p>in a list</t:p></t:list-item></t:list></d:text-box></d:frame>';
  const body = [
    `<t:list><t:list-item><t:h t:outline-level="1">Harbours${note('A note')}</t:h><t:list><t:list-item><t:h t:outline-level="2">Husum</t:h></t:list-item></t:list></t:list-item></t:list>`,
    `<t:p>Before ${box}and after${note('Of both')}.</t:p>`,
    '<t:list><t:list-item><t:p>one</t:p></t:list-item><t:list-item><t:p>two</t:p></t:list-item></t:list>',
  ];
  assert.deepEqual(await outlineOf('a.odt', odt(body.join(''))), [
    [['Harbours'], 'Harbours\n\nA note\n\nand more'],
    [
      ['Harbours', 'Husum'],
      'Husum\n\nBefore and after (Of both and more).\n\nBox line one\n\n- in a list\n\n- one\n- two',
    ],
  ]);
});

const epub = (pages: readonly string[], contents: Parts = {}, items = '', spine = ''): Uint8Array =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': '<container><rootfiles><rootfile full-path="o/book.opf"/></rootfiles></container>',
    'o/book.opf': `<package><metadata><dc:title>The book</dc:title></metadata><manifest>${items}${pages
      .map((_, at) => `<item id="i${at}" href="p%20${at}.html" media-type="application/xhtml+xml"/>`)
      .join(
        '',
      )}</manifest><spine${spine}>${pages.map((_, at) => `<itemref idref="i${at}"/>`).join('')}</spine></package>`,
    ...Object.fromEntries(pages.map((page, at) => [`o/p ${at}.html`, page])),
    ...contents,
  });

test('an EPUB chapter without a heading has its title from the table of contents or none', async () => {
  const pages = [
    '<h1>One</h1><p>first</p>',
    '<p>went on</p>',
    '<p>second</p>',
    '<p>Three</p><p>third</p>',
    '<p>motto</p><h1>Four</h1>',
  ];
  const told = [0, 2, 3, 4].map((at) => [`p%20${at}.html#top`, ['One', 'x', 'Two', 'Three', 'Four'][at]] as const);
  const outline = [
    [['The book', 'One'], 'The book\n\nOne\n\nfirst\n\nwent on'],
    [['The book', 'Two'], 'Two\n\nsecond'],
    [['The book', 'Three'], 'Three\n\nthird'],
    [['The book'], 'motto'],
    [['The book', 'Four'], 'Four'],
  ];
  const nav = `<html><nav epub:type="landmarks"><a href="p%201.html">Start</a></nav><nav epub:type="toc"><ol>${told.map(([href, title]) => `<li><a href="${href}">${title}</a></li>`).join('')}</ol></nav></html>`;
  const modern = epub(
    pages,
    { 'o/nav.html': nav },
    '<item id="n" href="nav.html" properties="nav" media-type="application/xhtml+xml"/>',
  );
  assert.deepEqual(await outlineOf('a.epub', modern), outline);
  const ncx = `<ncx><navMap>${told.map(([href, title]) => `<navPoint><navLabel><text>${title}</text></navLabel><content src="${href}"/>`).join('')}${'</navPoint>'.repeat(told.length)}</navMap></ncx>`;
  const old = epub(pages, { 'o/toc.ncx': ncx }, '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>');
  assert.deepEqual(await outlineOf('a.epub', old), outline);
  assert.deepEqual(await outlineOf('a.epub', epub(pages.slice(0, 3))), [
    [['The book', 'One'], 'The book\n\nOne\n\nfirst'],
    [['The book'], 'went on\n\nsecond'],
  ]);
});
