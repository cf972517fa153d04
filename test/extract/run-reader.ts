import { serveReader } from '../../shared/platform/extract/reader-process.ts';

serveReader(process.argv.slice(2));
