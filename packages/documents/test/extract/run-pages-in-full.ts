// Reads 2,000 generated documents page by page. The tests read a sample.
process.env['PAGES_SEEDS'] ??= '106';
await import('./pdf-pages-kept.test.ts');
