import assert from 'node:assert/strict';
import { test } from 'node:test';
import { office, relations, type Parts } from './make-office.ts';
import { outlineOf } from './read.ts';

const p = (text: string, more = ''): string => `<w:p>${more}<w:r><w:t>${text}</w:t></w:r></w:p>`;
const heading = (text: string, more = ''): string =>
  `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r>${more}</w:p>`;
const cell = (text: string): string => `<w:tc>${p(text)}</w:tc>`;
const control = (content: string): string => `<w:sdt><w:sdtContent>${content}</w:sdtContent></w:sdt>`;

const docx = (body: string, targets: Parameters<typeof relations>[0] = {}, parts: Parts = {}): Uint8Array =>
  office('wordprocessingml.document', 'word/document.xml', {
    'word/_rels/document.xml.rels': relations(targets),
    'word/document.xml': `<w:document><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

test('rows and cells of a DOCX table are read inside content controls, and nested tables in their cell', async () => {
  const nested = `<w:tbl><w:tr>${cell('in')}${cell('side')}</w:tr></w:tbl>`;
  const rows = [
    `<w:tr>${cell('Ship')}${control(cell('Tons'))}</w:tr>`,
    control(`<w:tr>${cell('Erna')}<w:tc>${control(p('300'))}</w:tc></w:tr>`),
    `<w:customXml><w:tr>${cell('Frida')}<w:tc>${nested}${p('400')}</w:tc></w:tr></w:customXml>`,
  ];
  const bytes = docx(`<w:tbl>${rows.join('')}</w:tbl>`);
  assert.deepEqual(await outlineOf('a.docx', bytes), [[[], 'Ship | Tons\nErna | 300\nFrida | in, side 400']]);
});

test('notes and comments of a DOCX are read at their reference, and are not in heading paths', async () => {
  const reference = (kind: string, id: number): string => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
  const body = [
    heading('One', reference('comment', 0)),
    `<w:p><w:r><w:t>The lamp</w:t></w:r>${reference('footnote', 1)}<w:r><w:t> was lit.</w:t></w:r>${reference('endnote', 1)}</w:p>`,
    heading('Two'),
    p('Fog.'),
  ];
  const parts = {
    'word/f.xml': `<w:footnotes><w:footnote w:type="separator" w:id="0">${p('')}</w:footnote><w:footnote w:id="1">${p('Of oil')}${p('since 1911')}</w:footnote></w:footnotes>`,
    'word/e.xml': `<w:endnotes><w:endnote w:id="1">${p('By Erna')}</w:endnote></w:endnotes>`,
    'word/c.xml': `<w:comments><w:comment w:id="0">${p('Another title?')}</w:comment></w:comments>`,
  };
  const targets = { a: ['footnotes', 'f.xml'], b: ['endnotes', 'e.xml'], c: ['comments', 'c.xml'] } as const;
  assert.deepEqual(await outlineOf('a.docx', docx(body.join(''), targets, parts)), [
    [['One'], 'One\n\nAnother title?\n\nThe lamp (Of oil since 1911) was lit. (By Erna)'],
    [['Two'], 'Two\n\nFog.'],
  ]);
});

const cache = (points: readonly (number | string)[], kind = 'num', code = 'General'): string =>
  `<c:${kind}Ref><c:f>Sheet1!A1</c:f><c:${kind}Cache><c:formatCode>${code}</c:formatCode>${points.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${kind}Cache></c:${kind}Ref>`;
const titleOf = (text: string): string =>
  `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`;

const drawings = {
  'drawn/chart.xml': `<c:chartSpace><c:chart>${titleOf('Herring by harbour')}<c:plotArea><c:barChart>
    <c:ser><c:tx>${cache(['2023'], 'str')}</c:tx><c:cat>${cache(['Husum', 'Kiel'], 'str')}</c:cat><c:val>${cache([12, '0.30000000000000004'])}</c:val></c:ser>
    <c:ser><c:tx><c:v>2024</c:v></c:tx><c:cat>${cache([45_292, 45_293], 'num', 'yyyy-mm-dd')}</c:cat><c:val>${cache([15, 31])}</c:val></c:ser>
    </c:barChart><c:valAx>${titleOf('Tons')}</c:valAx></c:plotArea></c:chart></c:chartSpace>`,
  'drawn/late.xml': `<cx:chartSpace><cx:chartData><cx:data id="0"><cx:strDim><cx:lvl><cx:pt idx="0">Fees</cx:pt></cx:lvl></cx:strDim><cx:numDim><cx:lvl><cx:pt idx="0">700</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Balance</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>`,
  'drawn/diagram.xml': `<dgm:dataModel><dgm:ptLst>${['Sound', 'Steer'].map((text) => `<dgm:pt><dgm:t><a:p><a:r><a:t>${text}</a:t></a:r></a:p></dgm:t></dgm:pt>`).join('')}<dgm:pt type="pres"/></dgm:ptLst></dgm:dataModel>`,
};
const drawn = (folder: string) =>
  ({
    c: ['chart', `${folder}drawn/chart.xml`],
    l: ['chartEx', `${folder}drawn/late.xml`],
    d: ['diagramData', `${folder}drawn/diagram.xml`],
    m: ['chart', `${folder}drawn/missing.xml`],
  }) as const;
const references = ['<c:chart r:id="c"/>', '<cx:chart r:id="l"/>', '<dgm:relIds r:dm="d"/>', '<c:chart r:id="m"/>'];
const chart = 'Herring by harbour\nTons\n2023: Husum 12; Kiel 0.3\n2024: 2024-01-01 15; 2024-01-02 31';

test('charts and diagrams on a slide are read: titles, series with their values, and the text of each box', async () => {
  const frames = references.map(
    (reference) =>
      `<p:graphicFrame><a:graphic><a:graphicData>${reference}</a:graphicData></a:graphic></p:graphicFrame>`,
  );
  const bytes = office('presentationml.presentation', 'ppt/p.xml', {
    ...drawings,
    'ppt/_rels/p.xml.rels': relations({ a: ['slide', 'slides/1.xml'] }),
    'ppt/p.xml': '<p:presentation><p:sldIdLst><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
    'ppt/slides/1.xml': `<p:sld><p:cSld><p:spTree>${frames.join('')}</p:spTree></p:cSld></p:sld>`,
    'ppt/slides/_rels/1.xml.rels': relations(drawn('../../')),
  });
  assert.deepEqual(await outlineOf('a.pptx', bytes), [[[], `${chart}\n\nBalance: Fees 700\n\n- Sound\n- Steer`]]);
});

test('charts and diagrams in a DOCX follow the paragraph that contains them', async () => {
  const shown = references.map(
    (reference) => `<w:r><w:drawing><a:graphicData>${reference}</a:graphicData></w:drawing></w:r>`,
  );
  const bytes = docx(`${p('See below.', shown.join(''))}${p('After.')}`, drawn('../'), drawings);
  assert.deepEqual(await outlineOf('a.docx', bytes), [
    [[], `See below.\n\n${chart}\n\nBalance: Fees 700\n\n- Sound\n- Steer\n\nAfter.`],
  ]);
});
