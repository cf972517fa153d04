import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../../../test/support/temporary-directory.ts';

const command = join(import.meta.dirname, '../../src/command/read.ts');

const read = (...args: readonly string[]) => promisify(execFile)(process.execPath, [command, ...args]);

test('the command prints a file as Markdown with its headings, and as JSON', async () => {
  const path = join(temporaryDirectory(), 'tides.html');
  writeFileSync(path, '<h1>Tides</h1><p>Of Husum.</p><h2>Spring</h2><p>In March.</p><h2>Neap</h2><p>In June.</p>');
  const { stdout, stderr } = await read(path);
  assert.equal(stdout, '# Tides\n\nOf Husum.\n\n## Spring\n\nIn March.\n\n## Neap\n\nIn June.\n');
  assert.equal(stderr, '');
  const { format, chunks } = JSON.parse((await read('--json', '--chunks', path)).stdout) as {
    readonly format: string;
    readonly chunks: readonly { readonly headingPath: readonly string[] }[];
  };
  assert.deepEqual([format, chunks.at(-1)?.headingPath], ['html', ['Tides', 'Neap']]);
});

test('the command names a file that it cannot read', async () => {
  const path = join(temporaryDirectory(), 'broken.pdf');
  writeFileSync(path, '%PDF-1.7 broken');
  await assert.rejects(read(path), ({ code, stderr }: { readonly code: number; readonly stderr: string }) => {
    assert.match(stderr, /^The PDF /);
    return code === 1;
  });
});
