import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { layerPackages } from '../../lib/assets.ts';
import { linkLayer } from '../../scripts/bundle/link-layer.ts';
import { readerFiles } from '#documents';
import { embeddedModelFiles } from '../../shared/platform/models/assets.ts';
import { createEmbeddedEmbedder } from '../../shared/platform/models/embedded.ts';
import { makePdf } from '../support/make-pdf.ts';

const root = join(import.meta.dirname, '../..');
const question = 'Which page tells of the lighthouse?';

const entry = `
  import { readFileSync } from 'node:fs';
  import { join } from 'node:path';
  import { createExtractor } from './packages/documents/src/extract/extractor.ts';
  import { createEmbeddedEmbedder } from './shared/platform/models/embedded.ts';

  const run = async () => {
    const [, , assetsDirectory, pdf, html, question] = process.argv;
    const { vectors, tokens } = await createEmbeddedEmbedder({ assetsDirectory }).embed([question], 1536);
    const extractor = createExtractor({ assetsDirectory, processPath: join(assetsDirectory, 'read-files.js') });
    const read = (filename) =>
      extractor.extract({ bytes: readFileSync(filename), filename, contentType: '' }, { start: 1, end: 9 });
    console.log(JSON.stringify({ vector: [...vectors[0]], tokens, pages: await read(pdf), page: await read(html) }));
  };
  void run();
`;

test('a CommonJS bundle with only the listed files and the layer of the model runtime embeds and reads like the source', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'strata-bundle-'));
  t.after(() => rm(directory, { recursive: true }));
  await build({
    stdin: { contents: entry, loader: 'ts', resolveDir: root },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    outfile: join(directory, 'index.js'),
    external: ['onnxruntime-node'],
    supported: { 'dynamic-import': false },
    logLevel: 'error',
  });
  await build({
    stdin: {
      contents: `import { serveReader } from './packages/documents/src/extract/reader-process.ts'; serveReader(process.argv.slice(2));`,
      loader: 'ts',
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    outfile: join(directory, 'read-files.js'),
    define: { 'import.meta.url': 'undefined' },
    logLevel: 'error',
  });
  const files = [
    ...Object.values(embeddedModelFiles)
      .flat()
      .map((file) => [file, file] as const),
    ...Object.values(readerFiles).map((file) => [join('node_modules', file), file] as const),
  ];
  for (const [from, to] of files) {
    await mkdir(dirname(join(directory, to)), { recursive: true });
    await cp(join(root, from), join(directory, to));
  }
  const outputDirectory = join(directory, 'layer');
  await linkLayer({ packages: layerPackages.onnx, projectDirectory: root, outputDirectory, fetchesNative: false });
  const pdf = join(directory, 'a.pdf');
  const html = join(directory, 'a.html');
  await writeFile(pdf, await makePdf(['One page.', 'The lighthouse.']));
  await writeFile(html, '<title>Fog</title><p>It came in.');

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['index.js', directory, pdf, html, question].map((part, index) => (index === 0 ? join(directory, part) : part)),
    { cwd: tmpdir(), env: { NODE_PATH: join(outputDirectory, 'nodejs', 'node_modules') } },
  );
  const result = JSON.parse(stdout) as {
    readonly pages: readonly { readonly textPlaces: readonly { readonly region: { readonly page: number } }[] }[];
  };
  const onPages = result.pages.map(({ textPlaces, ...page }) => ({
    ...page,
    on: textPlaces.map(({ region }) => region.page),
  }));

  const direct = await createEmbeddedEmbedder({ assetsDirectory: root }).embed([question], 1_536);
  assert.deepEqual(
    { ...result, pages: onPages },
    {
      vector: [...(direct.vectors[0] ?? [])],
      tokens: direct.tokens,
      pages: [
        { kind: 'text', text: 'One page.', pageStart: 1, pageEnd: 1, headingPath: [], place: {}, on: [1] },
        { kind: 'text', text: 'The lighthouse.', pageStart: 2, pageEnd: 2, headingPath: [], place: {}, on: [2] },
      ],
      page: [
        { kind: 'text', text: 'Fog\n\nIt came in.', pageStart: null, pageEnd: null, headingPath: ['Fog'], place: {} },
      ],
    },
  );
});
