import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeText, cutSections, type Section } from '#documents';
import { chunkId } from '../../../shared/files/index.ts';
import { packPassage, unpackPassage } from '../../../shared/kernel/passage.ts';
import type { ContextOptions } from '../../../shared/reader/contracts.ts';
import { randomFrom } from '../../support/random.ts';
import type { Row } from '#engine';
import { openBench, foldingBounds } from '../../../packages/engine/test/support/index-bench.ts';
import { searchAt } from '../../../packages/engine/test/support/search-in-stages.ts';

const words = ['pilot', 'rope', 'fog', 'mole', 'buoy', 'crane', 'deck', '😀tide', 'Zürich', '东京港'];

/** A part of a file: its sections as they were cut, and its text. */
interface Part {
  readonly sections: readonly Section[];
  readonly text: string;
}

/** A chunk with its section. */
interface Chunk {
  readonly row: Row;
  readonly section: Section;
  readonly part: Part;
  readonly start: number;
  readonly end: number;
}

type Draw = (max: number) => number;

const paragraph = (draw: Draw): string =>
  Array.from(
    { length: 1 + draw(6) },
    () => `${Array.from({ length: 2 + draw(8) }, () => words[draw(words.length)]).join(' ')}.`,
  ).join(' ');

const randomSection = (draw: Draw, page: number | null): Section => {
  const headingPath = draw(3) === 0 ? [] : [`Part ${draw(2)}`, `Heading ${draw(3)}`].slice(0, 1 + draw(2));
  const base = { pageStart: page, pageEnd: page, headingPath, place: {} };
  if (draw(4) > 0)
    return {
      ...base,
      text: Array.from({ length: 1 + draw(6) }, () => paragraph(draw)).join(draw(2) === 0 ? '\n\n' : '\n'),
    };
  const [title, head] = [`${paragraph(draw)}\n\n`, 'Name | Depth'];
  const rows = Array.from({ length: 4 + draw(20) }, (_, at) => `${words[draw(words.length)]} ${at} | ${draw(99)}`);
  const text = `${title}${head}\n${rows.join('\n')}`;
  return {
    ...base,
    text,
    tables: [{ start: title.length, rows: title.length + head.length + 1, end: text.length, head }],
  };
};

/** Makes the rows of a file as the service does. */
const randomFile = (draw: Draw, jobId: string): readonly Chunk[] => {
  const isPaged = draw(2) === 0;
  const limits = { maxChars: 120 + draw(100), overlapChars: draw(2) * (10 + draw(40)) };
  return Array.from({ length: 1 + draw(3) }, (_, ordinal): readonly Chunk[] => {
    const sections = Array.from({ length: draw(5) }, (_section, at) =>
      randomSection(draw, isPaged ? ordinal * 5 + at + 1 : null),
    );
    const cut = cutSections(sections, limits);
    const composed = composeText(
      cut.map(({ section }) => section),
      {
        continues: ordinal > 0,
        pageStart: isPaged ? ordinal * 5 + 1 : null,
        pageEnd: isPaged ? ordinal * 5 + 5 : null,
      },
    );
    const part = { sections, text: composed.text };
    let number = 0;
    return cut.flatMap(({ section, chunks }, index) =>
      chunks.map((chunk): Chunk => {
        number += 1;
        const { start, end, pageStart, pageEnd } = chunk;
        const metadata = {
          heading_path: [...chunk.headingPath],
          chunk: number,
          start,
          end,
          colour: ['red', 'green', 'blue'][draw(3)] ?? '',
        };
        const passage = packPassage({
          start: composed.positionOf(index, start),
          end: composed.positionOf(index, end),
          regions: [],
        });
        const vector = Float32Array.from([1 + draw(9), 1 + draw(9)]);
        const id = chunkId(jobId, ordinal + 1, number);
        const row = {
          id,
          vector,
          text: chunk.text,
          metadata,
          jobId,
          filename: `${jobId}.pdf`,
          pageStart,
          pageEnd,
          passage,
        };
        return { row, section, part, start, end };
      }),
    );
  }).flat();
};

const withoutSpace = (text: string): string => text.replaceAll(/\s/g, '');

/** Compares a text around hits with the source of its rows: nothing is missing, cut or written twice. */
const compareText = (members: readonly Chunk[], visible: readonly string[], text: string): void => {
  const runs: Chunk[][] = [];
  for (const chunk of members) {
    const last = runs.at(-1)?.at(-1);
    const isNext =
      last !== undefined &&
      last.section === chunk.section &&
      visible.indexOf(chunk.row.id) === visible.indexOf(last.row.id) + 1 &&
      chunk.row.metadata['chunk'] === Number(last.row.metadata['chunk']) + 1;
    if (isNext) runs.at(-1)?.push(chunk);
    else runs.push([chunk]);
  }
  let left = withoutSpace(text);
  for (const run of runs) {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) continue;
    const { section, start } = first;
    const source = withoutSpace(section.text.slice(start, last.end));
    const head = withoutSpace(section.tables?.[0]?.head ?? '');
    // A chunk that begins within the rows of a table begins with its head.
    const withHead = `${head}${withoutSpace(section.text.slice(Math.max(start, section.tables?.[0]?.rows ?? 0), last.end))}`;
    const found = [source, withHead]
      .toSorted((one, other) => other.length - one.length)
      .find((one) => left.startsWith(one));
    assert.ok(found !== undefined, `${left.slice(0, 300)}\n\nis not\n\n${source.slice(0, 300)}`);
    left = left.slice(found.length);
  }
  assert.equal(left, '');
};

const units = ['chunk', 'heading', 'page', 'file'] as const;

/** Compares contexts of random searches over random files, some of them replaced or with removed rows, with a model. */
export const compareContexts = async (seed: number, searches: number): Promise<number> => {
  const random = randomFrom(seed);
  const draw: Draw = (max) => Math.floor(random() * max);
  const directory = mkdtempSync(join(tmpdir(), 'strata-contexts-'));
  try {
    const bench = await openBench(directory, { dimensions: 2, ...(draw(2) === 0 ? { bounds: foldingBounds } : {}) });
    const chunks = new Map<string, Chunk>();
    const add = (all: readonly Chunk[]): readonly Row[] => {
      for (const chunk of all) chunks.set(chunk.row.id, chunk);
      return all.map(({ row }) => row);
    };
    const drop = (isGone: (chunk: Chunk) => boolean): void => {
      for (const [id, chunk] of chunks) if (isGone(chunk)) chunks.delete(id);
    };
    const jobs = Array.from({ length: 4 }, (_, at) => `job_${seed}_${at}`);
    for (const job of jobs) await bench.commit({ kind: 'upsert', rows: add(randomFile(draw, job)) });
    if (draw(2) === 0) await bench.maintain();
    // A branch keeps the files that its parent replaces afterwards.
    const isBranch = draw(2) === 0;
    const ancestors = [{ table: 'main', version: bench.state().version }];
    const branch = isBranch
      ? await openBench(directory, { dimensions: 2, table: 'branch', ancestors, engines: bench })
      : bench;
    const [replaced = ''] = jobs;
    const next = randomFile(draw, `${replaced}n`);
    if (!isBranch) drop(({ row }) => row.jobId === replaced);
    const rows = isBranch ? next.map(({ row }) => row) : add(next);
    await bench.commit({ kind: 'replaceJob', oldJobId: replaced, rows, maxBytes: 1e9 });
    const removed = [...chunks.keys()].filter(() => draw(8) === 0);
    drop(({ row }) => removed.includes(row.id));
    await branch.commit({ kind: 'delete', ids: removed });
    if (draw(3) === 0) await branch.maintain();
    const place = { reader: branch.reader, ref: branch.ref() };
    let compared = 0;
    for (let at = 0; at < searches; at += 1) {
      const unit = units[draw(4)] ?? 'chunk';
      const context: ContextOptions = {
        unit,
        before: draw(4),
        after: draw(4),
        max_chars: draw(2) === 0 ? 100_000 : 100 + draw(1_000),
      };
      const filter = draw(2) === 0 ? null : { colour: { $in: ['red', 'green'] } };
      const text = words[draw(words.length)] ?? '';
      const operation = { mode: 'sparse', text, filter, top_k: 1 + draw(6) } as const;
      const plain = await searchAt(place, { ...operation, include_metadata: true, include_text: true });
      const found = await searchAt(place, {
        ...operation,
        include_metadata: true,
        include_text: true,
        context,
        highlight: { fragments: 3, max_chars: 60 },
      });
      assert.deepEqual(
        found.hits.map(({ context: _context, highlights: _highlights, ...hit }) => hit),
        plain.hits,
      );
      const visible = [...chunks.values()]
        .filter(({ row }) => filter === null || row.metadata['colour'] !== 'blue')
        .map(({ row }) => row.id)
        .toSorted();
      const seen = new Set<string>();
      for (const { jobId, ids, hitIds, text: joined } of found.contexts ?? []) {
        const ofJob = visible.filter((id) => id.startsWith(`${jobId}:`));
        const members = ids.map((id) => chunks.get(id) ?? assert.fail(`${id} is stale`));
        for (const id of ids) assert.ok(ofJob.includes(id) && !seen.has(id), id);
        for (const id of ids) seen.add(id);
        const [from, to] = [ofJob.indexOf(ids[0] ?? ''), ofJob.indexOf(ids.at(-1) ?? '')];
        // Nothing in the middle is missing.
        assert.deepEqual(ids, ofJob.slice(from, to + 1));
        assert.ok(hitIds.every((id) => ids.includes(id)));
        if (unit === 'chunk' && context.max_chars === 100_000 && hitIds.length === 1)
          assert.ok(ids.length <= context.before + context.after + 1);
        if (unit === 'file' && context.max_chars === 100_000) assert.deepEqual(ids, ofJob);
        compareText(members, [...chunks.keys()].toSorted(), joined);
        compared += 1;
      }
      for (const hit of found.hits) {
        const shared = found.contexts?.[hit.context ?? -1];
        assert.ok(shared?.hitIds.includes(hit.row.id));
        const points = Array.from(hit.row.text ?? '');
        for (const highlight of hit.highlights ?? [])
          assert.equal(points.slice(highlight.start, highlight.end).join(''), highlight.text);
        const { part } = chunks.get(hit.row.id) ?? assert.fail();
        const passage = unpackPassage(hit.row.passage) ?? assert.fail();
        const cited = Array.from(part.text).slice(passage.start, passage.end).join('').replaceAll('\f', '');
        assert.ok(
          (hit.row.text ?? '').endsWith(cited.slice(-20)) &&
            withoutSpace(hit.row.text ?? '').length >= withoutSpace(cited).length - 200,
        );
      }
    }
    return compared;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
