// The documented code of every language, also of those that have to be compiled.
process.env['DOCS_COMPILE'] = 'all';
await import('./docs.test.ts');
