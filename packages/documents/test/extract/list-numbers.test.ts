import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, relations, zipOf } from './make-office.ts';
import { fileOf, outlineOf, readHere } from './read.ts';

const level = (at: number, format: string, text: string, extra = ''): string =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${extra}<w:lvlText w:val="${text}"/></w:lvl>`;

const docx = (body: string): Uint8Array =>
  office('wordprocessingml.document', 'word/document.xml', {
    'word/_rels/document.xml.rels': relations({ n: ['numbering', 'numbering.xml'], s: ['styles', 'styles.xml'] }),
    'word/styles.xml': `<w:styles>${[1, 2].map((at) => `<w:style w:type="paragraph" w:styleId="H${at}"><w:name w:val="heading ${at}"/><w:pPr><w:numPr><w:ilvl w:val="${at - 1}"/><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`).join('')}</w:styles>`,
    'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', '%1.', '<w:pStyle w:val="H1"/>')}${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/><w:isLgl/>')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'decimal', '%1)')}${level(1, 'lowerLetter', '(%2)')}${level(2, 'bullet', '•')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`,
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
  });

const paragraph = (text: string, properties = ''): string =>
  `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const heading = (text: string, at: number): string => paragraph(text, `<w:pStyle w:val="H${at}"/>`);
const item = (text: string, at: number, list = 2): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);

test('headings and list items of a DOCX have their automatic numbers', async () => {
  const body = [
    heading('Mooring', 1),
    heading('Lines', 2),
    paragraph('Two lines hold a boat.'),
    heading('Fees', 1),
    heading('Amount', 2),
    heading('Due date', 2),
    item('Report at the office', 0),
    item('with the papers', 1),
    item('with the crew list', 1),
    item('in ink', 2),
    paragraph('Between the lists.'),
    item('Pay the fee', 0),
    item('by card', 1),
    item('Leave the key', 0, 3),
    item('Cast off', 0, 3),
    paragraph('Not numbered', '<w:pStyle w:val="H2"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
  ].join('');
  assert.deepEqual(await outlineOf('a.docx', docx(body)), [
    [['I. Mooring', '1.1 Lines'], 'I. Mooring\n\n1.1 Lines\n\nTwo lines hold a boat.'],
    [['II. Fees', '2.1 Amount'], 'II. Fees\n\n2.1 Amount'],
    [
      ['II. Fees', '2.2 Due date'],
      '2.2 Due date\n\n1) Report at the office\n(a) with the papers\n(b) with the crew list\n- in ink\n\nBetween the lists.\n\n2) Pay the fee\n(a) by card\n7) Leave the key\n8) Cast off',
    ],
    [['II. Fees', 'Not numbered'], 'Not numbered'],
  ]);
});

test('headings and list items of an ODT have their automatic numbers, also in continued lists', async () => {
  const style =
    '<o:automatic-styles><t:list-style s:name="L1"><t:list-level-style-number t:level="1" s:num-format="1" s:num-suffix="."/><t:list-level-style-number t:level="2" s:num-format="a" s:num-prefix="(" s:num-suffix=")"/></t:list-style></o:automatic-styles>';
  const outline =
    '<o:document-styles><o:styles><t:outline-style><t:outline-level-style t:level="1" s:num-format="1"/><t:outline-level-style t:level="2" s:num-format="1" t:display-levels="2"/></t:outline-style></o:styles></o:document-styles>';
  const list = (attributes: string, items: string): string =>
    `<t:list t:style-name="L1"${attributes}>${items}</t:list>`;
  const entry = (text: string, inner = ''): string => `<t:list-item><t:p>${text}</t:p>${inner}</t:list-item>`;
  const body = [
    '<t:h t:outline-level="1">Berths</t:h>',
    '<t:h t:outline-level="2">Guests</t:h>',
    '<t:h t:outline-level="2">Owners</t:h>',
    list('', entry('Register', `<t:list>${entry('at the office')}${entry('by mail')}</t:list>`) + entry('Pay')),
    '<t:p>Then:</t:p>',
    list(' t:continue-numbering="true"', entry('Leave')),
    '<t:p>Or:</t:p>',
    list('', entry('Stay')),
  ].join('');
  const odt = zipOf({
    mimetype: 'application/vnd.oasis.opendocument.text',
    'styles.xml': outline,
    'content.xml': `<o:document-content>${style}<o:body><o:text>${body}</o:text></o:body></o:document-content>`,
  });
  assert.deepEqual(await outlineOf('a.odt', odt), [
    [['1 Berths', '1.1 Guests'], '1 Berths\n\n1.1 Guests'],
    [
      ['1 Berths', '1.2 Owners'],
      '1.2 Owners\n\n1. Register\n  (a) at the office\n  (b) by mail\n2. Pay\n\nThen:\n\n3. Leave\n\nOr:\n\n1. Stay',
    ],
  ]);
});

test('list items of an RTF have the numbers that its writer left for programs without lists', async () => {
  const rtf = String.raw`{\rtf1\ansi {\pntext\f0 1.\tab}{\*\pn\pnlvlbody\pndec{\pntxta .}}Hoist the flag\par{\listtext\tab 2.\tab}Lower the boat\par}`;
  const text = (await readHere(fileOf('a.rtf', rtf)))
    .map((section) => section.text)
    .join('\n')
    .replaceAll(/[^\S\n]+/g, ' ');
  assert.match(text, /1\. Hoist the flag/);
  assert.match(text, /2\. Lower the boat/);
});
