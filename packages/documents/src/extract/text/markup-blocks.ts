import { oneLine } from '../../../../../shared/kernel/text.ts';
import type { Block } from '../cut-units.ts';
import { tableBlocks, type TableGrid } from '../table.ts';

/** Collects the headings, paragraphs and tables of a text with markup, line by line. */
export class MarkupBlocks {
  readonly #blocks: Block[] = [];
  #lines: string[] = [];

  /** Adds a line to the open paragraph. */
  line(text: string): void {
    this.#lines.push(text.trimEnd());
  }

  /** Ends the open paragraph. */
  end(): void {
    const text = this.#lines.join('\n').replace(/^\n+|\s+$/g, '');
    if (text !== '') this.#blocks.push({ text, level: null });
    this.#lines = [];
  }

  /** Adds a heading. @param level 0 for the title of the document. */
  heading(text: string, level: number): void {
    this.end();
    const title = oneLine(text);
    if (title !== '') this.#blocks.push({ text: title, level: Math.min(6, level) });
  }

  table(grid: TableGrid): void {
    this.end();
    // One by one: a table may have more blocks than a call allows arguments.
    for (const block of tableBlocks(grid)) this.#blocks.push(block);
  }

  blocks(): readonly Block[] {
    this.end();
    return this.#blocks;
  }
}
