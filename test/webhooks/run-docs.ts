// Tests the documented code of every language, including compiled ones.
process.env['DOCS_COMPILE'] = 'all';
await import('./docs.test.ts');
