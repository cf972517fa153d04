interface Refusal {
  readonly name: string;
  readonly mediaTypes: readonly string[];
  readonly extensions: readonly string[];
  /** Why it is refused and what to do instead, for the user. */
  readonly reason: string;
}

const unpack = 'Archives are not unpacked; upload the files in it one by one';

/** Known formats that are refused. */
export const refusedFormats = {
  xls: {
    name: 'Excel 97–2003',
    mediaTypes: ['application/vnd.ms-excel'],
    extensions: ['xls', 'xlt'],
    reason: 'No safe reader exists for Excel 97–2003 (XLS); save the workbook as XLSX or CSV',
  },
  ppt: {
    name: 'PowerPoint 97–2003',
    mediaTypes: ['application/vnd.ms-powerpoint'],
    extensions: ['ppt', 'pps', 'pot'],
    reason: 'No safe reader exists for PowerPoint 97–2003 (PPT); save the presentation as PPTX or PDF',
  },
  xlsb: {
    name: 'Excel binary workbook',
    mediaTypes: ['application/vnd.ms-excel.sheet.binary.macroEnabled.12'],
    extensions: ['xlsb'],
    reason: 'Binary workbooks (XLSB) are not read; save the workbook as XLSX or CSV',
  },
  iwork: {
    name: 'Apple Pages, Numbers and Keynote',
    mediaTypes: ['application/vnd.apple.pages', 'application/vnd.apple.numbers', 'application/vnd.apple.keynote'],
    extensions: ['pages', 'numbers', 'key'],
    reason: 'Files of Apple Pages, Numbers and Keynote are not read; export the document as PDF, DOCX, XLSX or PPTX',
  },
  drawing: {
    name: 'OpenDocument drawings, formulas and databases',
    mediaTypes: [
      'application/vnd.oasis.opendocument.graphics',
      'application/vnd.oasis.opendocument.formula',
      'application/vnd.oasis.opendocument.base',
    ],
    extensions: ['odg', 'otg', 'odf', 'odb'],
    reason:
      'Only OpenDocument texts, spreadsheets and presentations are read; export a drawing (ODG) or formula as PDF, a database table as CSV',
  },
  flatxml: {
    name: 'Office documents in one XML file',
    mediaTypes: [
      'application/vnd.oasis.opendocument.text-flat-xml',
      'application/vnd.oasis.opendocument.spreadsheet-flat-xml',
      'application/vnd.oasis.opendocument.presentation-flat-xml',
    ],
    extensions: ['fodt', 'fods', 'fodp'],
    reason:
      'Office documents in one XML file (FODT, FODS, FODP, XML of Word and Excel) are not read; save the document as DOCX, XLSX, PPTX, ODT, ODS or ODP',
  },
  archive: {
    name: 'Archives',
    mediaTypes: [
      'application/zip',
      'application/gzip',
      'application/x-tar',
      'application/x-7z-compressed',
      'application/vnd.rar',
    ],
    extensions: ['zip', 'gz', 'tgz', 'tar', '7z', 'rar', 'bz2', 'xz', 'zst', 'lz'],
    reason: unpack,
  },
  video: {
    name: 'Video',
    mediaTypes: ['video/mp4', 'video/quicktime', 'video/webm', 'video/x-matroska', 'video/x-msvideo'],
    extensions: ['mp4', 'mov', 'webm', 'mkv', 'avi'],
    reason: 'Videos are not read; upload their sound (M4A, MP3) or their subtitles (VTT, SRT)',
  },
  postscript: {
    name: 'PostScript',
    mediaTypes: ['application/postscript'],
    extensions: ['ps', 'eps'],
    reason: 'PostScript is a program and is not run; save the document as PDF',
  },
  executable: {
    name: 'Programs and libraries',
    mediaTypes: [
      'application/x-msdownload',
      'application/vnd.microsoft.portable-executable',
      'application/x-elf',
      'application/x-executable',
      'application/x-sharedlib',
      'application/x-mach-binary',
      'application/java-vm',
    ],
    extensions: ['exe', 'dll', 'scr', 'sys', 'so', 'dylib', 'class'],
    reason: 'Programs and libraries are not read; upload their documentation or source code',
  },
  encrypted: {
    name: 'Encrypted files, signatures and keys',
    mediaTypes: [
      'application/pgp-encrypted',
      'application/pgp-signature',
      'application/pgp-keys',
      'application/pkcs7-mime',
      'application/pkcs7-signature',
      'application/x-pkcs7-mime',
      'application/x-pkcs7-signature',
    ],
    extensions: ['pgp', 'gpg', 'p7m', 'p7s', 'p7c', 'sig'],
    reason: 'Encrypted files, signatures and keys are not read; decrypt the file and upload its content',
  },
} as const satisfies Readonly<Record<string, Refusal>>;
