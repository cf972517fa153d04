import type { Block } from '../cut-units.ts';
import type { ReadContext } from '../format.ts';
import type { OfficePackage } from './open-package.ts';
import { UnreadableFile, type Part } from '../port.ts';

/** Content of the files that a document embeds whole, by relationship id. */
export interface Imports {
  readonly blocks: ReadonlyMap<string, readonly Block[]>;
  readonly notes: readonly string[];
}

/** Converts parts of a file back to blocks. The heading path of a section shows which headings it begins with. */
const blocksOf = (parts: readonly Part[]): readonly Block[] => {
  const blocks: Block[] = [];
  let path: readonly string[] = [];
  for (const part of parts) {
    if (part.kind !== 'text') continue;
    const { headingPath } = part;
    let { text } = part;
    const known = headingPath.findIndex((title, depth) => title !== path[depth]);
    for (const [depth, title] of headingPath.entries()) {
      if (known === -1 || depth < known || !text.startsWith(title)) continue;
      blocks.push({ text: title, level: depth + 1 });
      text = text.slice(title.length).trimStart();
    }
    if (text !== '') blocks.push({ text, level: null });
    path = headingPath;
  }
  return blocks;
};

/** Reads the files that a part embeds: pages, mail, documents. Unreadable content is noted. */
export const readImports = async (
  office: OfficePackage,
  part: string,
  { openInner }: Pick<ReadContext, 'openInner'>,
): Promise<Imports> => {
  const blocks = new Map<string, readonly Block[]>();
  const notes: string[] = [];
  for (const [id, { type, target }] of await office.relations(part)) {
    const bytes = type === 'aFChunk' ? await office.archive.bytes(target) : null;
    if (bytes === null) continue;
    const filename = target.split('/').at(-1) ?? '';
    try {
      const file = await openInner({ bytes, filename, contentType: '' });
      blocks.set(id, blocksOf(await file.read({ start: 1, end: file.units })));
      notes.push(...file.notes.map((note) => `${filename.slice(0, 200)}: ${note}`));
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      notes.push(`A part of the document was skipped: ${filename.slice(0, 200)} (${error.message}).`);
    }
  }
  return { blocks, notes };
};
