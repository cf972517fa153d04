import assert from 'node:assert/strict';
import { promoteIndex } from '../../functions/indexes/promote.ts';
import { createRebuild } from '../../functions/rebuilds/create.ts';
import { deleteRebuild } from '../../functions/rebuilds/delete.ts';
import { getRebuild } from '../../functions/rebuilds/get.ts';
import { rollBackRebuild } from '../../functions/rebuilds/roll-back.ts';
import { deleteVectors } from '../../functions/vectors/delete.ts';
import { updateVectorsByFilter } from '../../functions/vectors/update-by-filter.ts';
import { rebuildIndex } from '../../functions/workers/rebuild-index/worker.ts';
import { sweepFiles } from '../../functions/workers/sweep-files/schedule.ts';
import { partSectionsKey, rowOfChunk } from '../../shared/files/index.ts';
import { logSend, packRows } from '../../shared/indexes/index.ts';
import { makeDeps } from '../../shared/kernel/capability.ts';
import { type Chunking, isSameChunking } from '../../shared/kernel/chunking.ts';
import { changeKey } from '../../shared/kernel/content-keys.ts';
import { newId } from '../../shared/kernel/ids.ts';
import type { JsonObject } from '../../shared/kernel/json.ts';
import { contentWriter } from '../../shared/platform/aws/content.ts';
import { englishModel, multilingualModel } from '../../shared/platform/models/assets.ts';
import type { Embedders } from '../../shared/platform/models/port.ts';
import { randomFrom } from '../support/random.ts';
import type { TestApp } from '../support/test-app.ts';
import { type CutPart, cutPartAgain, limitsOfChunking, packCutPart } from '#documents';

const models = [englishModel, multilingualModel] as const;

/** Vector that a model of these tests gives a text. No written vector has such numbers. */
const vectorOf = (model: string, text: string): Float32Array =>
  Float32Array.of(1_000 + models.indexOf(model as (typeof models)[number]), text.length, text.charCodeAt(0), 1);

export const letterModels: Embedders = (model) => ({
  model,
  embed: (texts) => Promise.resolve({ vectors: texts.map((text) => vectorOf(model, text)), tokens: texts.length }),
});

/** A row as it should be. Each write makes another object, by which rows are compared like versions. */
interface Wanted {
  readonly text: string | null;
  readonly metadata: JsonObject;
}

/** A file as it should be: of any chunks, or of these rows once one was changed by hand. */
interface WantedFile {
  readonly part: CutPart;
  readonly metadata: JsonObject;
  readonly rows: ReadonlyMap<string, Wanted> | null;
}

type Files = ReadonlyMap<string, WantedFile>;

interface Branch {
  readonly id: string;
  readonly rows: Map<string, Wanted>;
  readonly files: Files;
  /** Rows of the parent at the branch point. */
  readonly base: ReadonlyMap<string, Wanted>;
}

/** Repeats a step until a request has ended. */
export const whileWaiting = async (asked: Promise<unknown>, step: () => Promise<unknown>): Promise<void> => {
  const over = new AbortController();
  asked.then(
    () => over.abort(),
    () => over.abort(),
  );
  while (!over.signal.aborted) await step();
};

const ids = 24;

const chunkings: readonly (Chunking | null)[] = [null, { size: 200, overlap: 0 }, { size: 320, overlap: 120 }];

const chunksOf = (jobId: string, { part, metadata }: WantedFile, chunking: Chunking | null) =>
  cutPartAgain(part, limitsOfChunking(chunking)).map((chunk, at) =>
    rowOfChunk({ jobId, ordinal: 1 }, at + 1, chunk, { metadata, filename: 'a.txt' }),
  );

/** Returns the rows of a file in an index that cuts files by a size. */
export const rowsOfFile = (jobId: string, file: WantedFile, chunking: Chunking | null): ReadonlyMap<string, Wanted> =>
  file.rows ?? new Map(chunksOf(jobId, file, chunking).map(({ id, text, metadata }) => [id, { text, metadata }]));

/**
 * Writes the rows of a file and what they are cut from, as a task of it does.
 * @param sections Sentences of each of its sections.
 * @param cutBy Bounds by which the task has cut it. Default: those of the index.
 */
export const writeFile = async (
  app: TestApp,
  index: string,
  sections: readonly number[],
  metadata: JsonObject = {},
  cutBy?: Chunking | null | 'file',
): Promise<readonly [jobId: string, file: WantedFile]> => {
  const deps = makeDeps({ log: logSend, stored: contentWriter({ puts: ['batches', 'uploads'] }) }, app.cloud.runtime);
  const record = await app.record(index);
  const jobId = newId('job', app.cloud.runtime.clock.now());
  const part = {
    continues: false,
    pageStart: null,
    pageEnd: null,
    limits: null,
    sections: sections.map((sentences, at) => {
      const lines = Array.from({ length: sentences }, (_, line) => `Sentence ${line} of section ${at} in ${jobId}.`);
      return { text: lines.join(' '), pageStart: null, pageEnd: null, headingPath: [`Section ${at}`], place: {} };
    }),
  };
  const file: WantedFile = { part, metadata, rows: null };
  const key = partSectionsKey({ organizationId: record.organizationId, indexId: index }, { jobId, ordinal: 1 });
  await deps.stored.put(record.region, key, packCutPart(part), 'application/zstd');
  const chunking = cutBy === undefined ? record.chunking : cutBy;
  const written = chunksOf(jobId, file, chunking === 'file' ? null : chunking).map((row, at) => ({
    ...row,
    vector: Float32Array.of(at, 1, 2, 3),
    model: record.embeddingModel,
    ...(chunking === null ? {} : { chunking }),
  }));
  const rows = changeKey({ organizationId: record.organizationId, indexId: index }, jobId);
  await deps.stored.put(record.region, rows, packRows(written), 'application/octet-stream');
  await deps.log.append(record, { op: 'upsert', rows: { key: rows }, tokens: 0 }, jobId);
  await app.work();
  return [jobId, file];
};

/**
 * Makes random changes of an index and its branches while it is rebuilt, and compares its rows with a plain map after each
 * of them.
 * @returns How often each step was taken.
 */
export const explore = async (app: TestApp, seed: number, steps: number): Promise<ReadonlyMap<string, number>> => {
  const random = randomFrom(seed);
  const upTo = (end: number): number => Math.floor(random() * end);
  const taken = new Map<string, number>();
  app.useNewOrganization();
  const index = await app.newIndex();
  const rows = new Map<string, Wanted>();
  const files = new Map<string, WantedFile>();
  const branches: Branch[] = [];
  const rebuilding = { ...makeDeps(rebuildIndex.uses, app.cloud.runtime), embedders: letterModels };
  let rebuild: string | null = null;
  let writes = 0;

  const upsert = async (target: string, into: Map<string, Wanted>): Promise<void> => {
    const names = new Set(Array.from({ length: 1 + upTo(5) }, () => `row-${upTo(ids)}`));
    const items = [...names].map((id) => {
      writes += 1;
      const wanted = { text: `text ${writes}`, metadata: { n: upTo(4) } };
      into.set(id, wanted);
      return { id, vector: [writes, 1, 2, 3], ...wanted };
    });
    assert.equal((await app.upsert(target, items)).status, 200);
  };
  const addFile = async (): Promise<void> => {
    const sections = Array.from({ length: 1 + upTo(3) }, () => 1 + upTo(24));
    const [jobId, file] = await writeFile(app, index, sections, { n: upTo(4) });
    files.set(jobId, file);
  };
  /** Changes or deletes a row of a file by hand. The file keeps its rows from then on. */
  const edit = async (): Promise<void> => {
    const [jobId, file] = [...files][upTo(files.size)] ?? [];
    if (jobId === undefined || file === undefined) return;
    const found = new Map(rowsOfFile(jobId, file, (await app.record(index)).chunking));
    const id = [...found.keys()][upTo(found.size)];
    if (id === undefined) return;
    if (random() < 0.5) {
      found.delete(id);
      await app.call(deleteVectors, { index_id: index }, { ids: [id] });
    } else {
      writes += 1;
      const wanted = { text: `by hand ${writes}`, metadata: { n: file.metadata['n'] ?? 0 } };
      found.set(id, wanted);
      assert.equal((await app.upsert(index, [{ id, vector: [writes, 1, 2, 3], ...wanted }])).status, 200);
    }
    files.set(jobId, { ...file, rows: found });
  };
  const removeSome = async (target: string, from: Map<string, Wanted>): Promise<void> => {
    const filter = { n: upTo(4) };
    if (random() < 0.5) {
      const some = [`row-${upTo(ids)}`, `row-${upTo(ids)}`];
      for (const id of some) from.delete(id);
      await app.call(deleteVectors, { index_id: target }, { ids: some });
    } else {
      for (const [id, { metadata }] of from) if (metadata['n'] === filter.n) from.delete(id);
      for (const [jobId, file] of files) {
        if (file.rows === null && file.metadata['n'] === filter.n) files.delete(jobId);
        else if (file.rows !== null)
          files.set(jobId, {
            ...file,
            rows: new Map([...file.rows].filter(([, { metadata }]) => metadata['n'] !== filter.n)),
          });
      }
      await app.call(deleteVectors, { index_id: target }, { filter });
    }
  };
  const patch = async (): Promise<void> => {
    const [n, patched] = [upTo(4), upTo(100)];
    const patchOf = (row: Wanted): Wanted =>
      row.metadata['n'] === n ? { ...row, metadata: { ...row.metadata, patched } } : row;
    for (const [id, row] of rows) if (row.metadata['n'] === n) rows.set(id, patchOf(row));
    for (const [jobId, file] of files) {
      const { metadata } = patchOf({ text: null, metadata: file.metadata });
      const edited = file.rows === null ? null : new Map([...file.rows].map(([id, row]) => [id, patchOf(row)]));
      files.set(jobId, { ...file, metadata, rows: edited });
    }
    const body = { filter: { n }, metadata: { patched } };
    assert.equal((await app.call(updateVectorsByFilter, { index_id: index }, body)).status, 200);
  };
  const promote = async (): Promise<void> => {
    const [branch] = branches.splice(upTo(branches.length), 1);
    if (branch === undefined) return;
    if (!isSameChunking((await app.record(branch.id)).chunking, (await app.record(index)).chunking)) {
      assert.equal((await app.call(promoteIndex, { index_id: branch.id }, { embed: true })).status, 409);
      return;
    }
    for (const id of new Set([...branch.base.keys(), ...branch.rows.keys()])) {
      const now = branch.rows.get(id);
      if (now === branch.base.get(id)) continue;
      if (now === undefined) rows.delete(id);
      else rows.set(id, now);
    }
    const { status, body } = await app.call(promoteIndex, { index_id: branch.id }, { embed: true });
    assert.equal(status, 200, JSON.stringify(body));
  };
  const runRebuild = (runs: number): Promise<number> => app.cloud.drain(rebuildIndex, rebuilding, runs);
  const start = async (): Promise<void> => {
    const { embeddingModel, textLanguage, chunking } = await app.record(index);
    const others = chunkings.filter((other) => !isSameChunking(other, chunking));
    const body = {
      ...(random() < 0.5
        ? { embedding_model: models.find((model) => model !== embeddingModel), foreign_vectors: 'skip' }
        : { text_language: textLanguage === 'english' ? 'german' : 'english' }),
      ...(random() < 0.6 ? { chunking: others[upTo(others.length)] } : {}),
    };
    const answer = await app.call(createRebuild, { index_id: index }, body);
    if (answer.status === 202) rebuild = answer.body.rebuild.id;
  };
  const rollBack = async (): Promise<void> => {
    if (rebuild === null) return;
    const asked = app.call(rollBackRebuild, { index_id: index, rebuild_id: rebuild });
    await whileWaiting(asked, () => runRebuild(1));
    await asked;
  };
  const close = async (): Promise<void> => {
    if (rebuild !== null) await app.call(deleteRebuild, { index_id: index, rebuild_id: rebuild });
  };
  const all: readonly (readonly [string, number, () => Promise<unknown>])[] = [
    ['upsert', 6, () => upsert(index, rows)],
    ['file', 2, addFile],
    ['edit', 1, edit],
    ['delete', 2, () => removeSome(index, rows)],
    ['patch', 2, patch],
    [
      'branch',
      1,
      async () => {
        branches.push({
          id: await app.newBranch(index),
          rows: new Map(rows),
          files: new Map(files),
          base: new Map(rows),
        });
      },
    ],
    [
      'write to a branch',
      2,
      async () => {
        const branch = branches[upTo(branches.length)];
        if (branch !== undefined) await upsert(branch.id, branch.rows);
      },
    ],
    ['promote', 1, promote],
    ['start', 2, start],
    ['run', 5, () => runRebuild(1)],
    ['run to the end', 1, () => runRebuild(20)],
    ['roll back', 1, rollBack],
    ['close', 1, close],
    [
      'sweep',
      1,
      async () => {
        app.cloud.advance(60 * (1 + upTo(40)));
        await app.cloud.tick(sweepFiles);
      },
    ],
  ];
  const total = all.reduce((sum, [, weight]) => sum + weight, 0);
  const pick = (): (typeof all)[number] => {
    let left = random() * total;
    const found = all.find(([, weight]) => (left -= weight) < 0);
    if (found === undefined) throw new Error('no step was picked');
    return found;
  };
  const compare = async (target: string, others: ReadonlyMap<string, Wanted>, ofFiles: Files): Promise<void> => {
    const { chunking } = await app.record(target);
    const wanted = [...ofFiles].flatMap(([jobId, file]) => [...rowsOfFile(jobId, file, chunking)]);
    const found = await app.rows(target);
    const content = Object.fromEntries(found.map(({ id, text, metadata }) => [id, { text, metadata }]));
    assert.deepEqual(content, Object.fromEntries([...others, ...wanted]));
  };
  for (let step = 0; step < steps; step += 1) {
    const [name, , take] = pick();
    try {
      await take();
      await app.work();
      await compare(index, rows, files);
      for (const branch of branches) await compare(branch.id, branch.rows, branch.files);
    } catch (error) {
      throw new Error(`seed ${seed}, step ${step}: ${name}`, { cause: error });
    }
    taken.set(name, (taken.get(name) ?? 0) + 1);
  }
  // Rebuilds that are left end by themselves.
  for (let sweeps = 0; sweeps < 4; sweeps += 1) {
    app.cloud.advance(8 * 24 * 3_600);
    await app.cloud.tick(sweepFiles);
    await runRebuild(20);
    await app.work();
  }
  const { rebuildId, dependents } = await app.record(index);
  const pins = [...dependents].filter((dependent) => dependent.startsWith('reb_'));
  assert.deepEqual([rebuildId, pins], [null, []], `seed ${seed}: the end`);
  await compare(index, rows, files);
  if (rebuild !== null) {
    const { status } = (await app.call(getRebuild, { index_id: index, rebuild_id: rebuild })).body;
    taken.set(status, 1);
  }
  return taken;
};
