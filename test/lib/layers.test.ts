import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { layerPackages } from '../../lib/assets.ts';

const projectDirectory = join(import.meta.dirname, '..', '..');

test('the layer of SDK clients has every client that functions import, and no other', () => {
  const imported = globSync('{shared,functions,packages/{engine,documents}/src}/**/*.ts', {
    cwd: projectDirectory,
  }).flatMap((file) => {
    const source = readFileSync(join(projectDirectory, file), 'utf8').replaceAll(/import type [^;]*;/g, '');
    return [...source.matchAll(/(?:from|import\()\s*'(@aws-sdk\/[a-z0-9-]+)'/g)].map(([, name = '']) => name);
  });
  assert.deepEqual([...new Set(imported)].toSorted(), [...layerPackages.sdk].toSorted());
});
