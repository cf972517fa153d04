import { serveReader } from '../../src/extract/reader-process.ts';

serveReader(process.argv.slice(2));
