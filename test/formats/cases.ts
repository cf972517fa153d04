import { documentCases } from './document-cases.ts';
import type { FormatCase } from './format-case.ts';

const viewer = 'react-file-viewer@1.2.1';
const scans = 'pdf-extract@1.0.11';
const mbox = 'node-mbox@2.0.0';

const data: readonly FormatCase[] = [
  {
    from: 'pptx2json@0.0.10',
    path: 'fixtures/test.pptx',
    format: 'pptx',
    sentence: 'someone@example.com',
    page: 3,
    place: { slide: 3 },
    note: /^4 pictures in the document were not read/,
  },
  {
    from: viewer,
    path: 'example_files/SimpleSpreadsheet.xlsx',
    format: 'xlsx',
    sentence: 'Title 1: Name 9',
    place: { sheet: 'Sheet1' },
  },
  {
    from: 'xlsx-populate@1.21.0',
    path: 'examples/ranges/template.xlsx',
    format: 'xlsx',
    sentence: 'Impressions: 398503',
    place: { sheet: 'ClickThroughRateSheet', row_start: 2 },
  },
  {
    from: 'xlsx-populate@1.21.0',
    path: 'examples/basic/out.xlsx',
    format: 'xlsx',
    sentence: 'This is neat!',
    place: { sheet: 'Sheet1' },
  },
  {
    from: 'carbone@1.2.1',
    path: 'examples/flat_table.ods',
    format: 'ods',
    sentence: 'Movie: {d[i].movieName}',
    place: { sheet: 'Sheet1' },
  },
  {
    from: viewer,
    path: 'example_files/Total_Crime.csv',
    format: 'csv',
    sentence: 'City: San Antonio',
    place: { row_end: 11 },
  },
  { from: 'papaparse@4.1.2', path: 'tests/long-sample.csv', format: 'csv', sentence: 'Cherokee' },
  {
    from: 'srt-to-vtt@1.1.3',
    path: 'test/data/latin1.srt',
    format: 'subtitles',
    sentence: 'Ya sé que quieres que esto se acabe.',
  },
  {
    from: 'mailparser@0.6.2',
    path: 'test/mixed.eml',
    format: 'eml',
    sentence: 'This e-mail message has been scanned for Viruses',
  },
  { from: 'mailparser@0.6.2', path: 'test/nested.eml', format: 'eml', sentence: 'Good evening.' },
  {
    from: mbox,
    path: 'test/test-1-message.mbox',
    format: 'mbox',
    sentence: 'The mail content of mail 1',
    place: { message: 1 },
  },
  {
    from: mbox,
    path: 'test/test-4-message.mbox',
    format: 'mbox',
    sentence: 'The mail content of mail 4',
    place: { message: 4 },
  },
  {
    from: 'msgreader@1.0.1',
    path: 'data/test.msg',
    format: 'msg',
    sentence: 'From: christoph@freiraum.xyz',
    pictures: 1,
  },
  { from: 'installed', path: 'undici/README.md', format: 'markdown', sentence: 'Undici means eleven in Italian.' },
  {
    from: 'installed',
    path: '@lancedb/lancedb/RUST_THIRD_PARTY_LICENSES.html',
    format: 'html',
    sentence: 'BSD Zero Clause License',
  },
  {
    from: 'installed',
    path: '@imagemagick/magick-wasm/NOTICE',
    format: 'text',
    sentence: 'bzip2/libbzip2 version 1.0.8 of 13 July 2019',
  },
  { from: 'installed', path: 'ulid/package.json', format: 'json', sentence: 'name: ulid' },
  {
    from: 'installed',
    path: 'aws-cdk/lib/init-templates/app/java/pom.xml',
    format: 'xml',
    sentence: 'artifactId: exec-maven-plugin',
  },
  {
    from: 'installed',
    path: 'fflate/lib/node.cjs',
    format: 'code',
    sentence: 'DEFLATE is a complex format',
    place: { line_start: 1 },
  },
  {
    from: 'installed',
    path: 'fflate/lib/index.d.ts',
    format: 'code',
    sentence: 'Codes for errors generated within this library',
    place: { line_start: 1, line_end: 41 },
  },
];

const media: readonly FormatCase[] = [
  {
    from: scans,
    path: 'test/test_data/single_page_raw.tif',
    format: 'tiff',
    pictures: 1,
    sentence: 'These entries comprised the first 110 pages',
  },
  {
    from: 'webp-hero@0.0.2',
    path: 'libwebp/dist/google/test_webp_js.webp',
    format: 'webp',
    pictures: 1,
    status: 'completed_with_warnings',
    note: /No text was found/,
  },
  {
    from: viewer,
    path: 'example_files/02-USVI-Solar.jpg',
    format: 'jpeg',
    pictures: 1,
    status: 'completed_with_warnings',
    note: /No text was found/,
  },
  {
    from: 'officegen@0.6.5',
    path: 'examples/images_for_examples/image2.jpg',
    format: 'jpeg',
    pictures: 1,
    status: 'completed_with_warnings',
    note: /No text was found/,
  },
  {
    from: 'installed',
    path: 'swagger-ui-dist/favicon-32x32.png',
    format: 'png',
    pictures: 1,
    status: 'completed_with_warnings',
    note: /No text was found/,
  },
  {
    from: 'officegen@0.6.5',
    path: 'examples/sounds_for_examples/001.wav',
    format: 'wav',
    status: 'completed_with_warnings',
    note: /1 recording was not transcribed/,
  },
  {
    from: 'audio-lena@3.0.1',
    path: 'lena.flac',
    format: 'flac',
    status: 'completed_with_warnings',
    note: /1 recording was not transcribed/,
  },
  {
    from: 'audio-lena@3.0.1',
    path: 'lena.m4a',
    format: 'm4a',
    status: 'completed_with_warnings',
    note: /1 recording was not transcribed/,
  },
  {
    from: 'officegen@0.6.5',
    path: 'examples/sounds_for_examples/001.mp3',
    format: 'mp3',
    status: 'completed_with_warnings',
    note: /1 recording was not transcribed/,
  },
  {
    from: 'ion-sound@3.0.7',
    path: 'sounds/bell_ring.ogg',
    format: 'ogg',
    status: 'completed_with_warnings',
    note: /1 recording was not transcribed/,
  },
];

const made: readonly FormatCase[] = [
  {
    from: 'generated',
    path: 'lights.odp',
    format: 'odp',
    sentence: 'The second slide shows the lamp of Skagen.',
    page: 2,
    place: { slide: 2 },
  },
  { from: 'generated', path: 'ships.tsv', format: 'csv', sentence: 'port: Husum', place: { row_end: 4 } },
  {
    from: 'generated',
    path: 'events.jsonl',
    format: 'jsonl',
    sentence: 'Fog came in before midnight.',
    place: { row_end: 2 },
  },
  {
    from: 'generated',
    path: 'talk.vtt',
    format: 'subtitles',
    sentence: 'Then the fog took them all.',
    place: { end_seconds: 3_606.25 },
  },
  { from: 'generated', path: 'page.mhtml', format: 'eml', sentence: 'High water at Dover comes twice a day.' },
  { from: 'generated', path: 'utf16.txt', format: 'text', sentence: 'in UTF-16 geschrieben und trotzdem lesbar.' },
];

/** Real files of every format but those that no package brings. */
export const formatCases: readonly FormatCase[] = [...documentCases, ...data, ...media, ...made];
