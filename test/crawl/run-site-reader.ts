import { serveSiteReader } from '../../shared/platform/crawl/serve-site-reader.ts';

serveSiteReader(process.argv.slice(2));
