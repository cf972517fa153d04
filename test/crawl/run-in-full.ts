// Two hundred pages, many changes of a site, and death at every request: minutes rather than seconds.
Object.assign(process.env, { CRAWL_GUIDES: '150', CRAWL_ROUNDS: '25', CRAWL_STRIDE: '1', ...process.env });
await import('./crawl.test.ts');
