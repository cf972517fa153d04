import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { timed } from '../../../../shared/pipeline/steps.ts';
import { ObjectChanged } from '../../../../shared/platform/aws/objects.ts';
import {
  type CountedRange,
  type Part,
  type Section,
  UnreadableFile,
  unpackUnits,
  type OcrModel,
  type Transcriber,
} from '#documents';
import { noCredits, sourceFileOf, unitsKey } from '../../../../shared/files/index.ts';
import { reserveCredits, totalCost } from './reserve-quota.ts';
import { costOf, type Medium, OutOfTime, readMedium } from './read-media.ts';
import type { TaskContext } from '../uses.ts';
import { type Claim, phaseOf } from './claim-task.ts';

/** Text of a task's range of the file. */
export interface TaskText {
  readonly sections: readonly Section[];
  /** Unread content, in sentences; empty if all was read. */
  readonly warning: string;
}

// More than the slowest picture takes on a busy machine.
const pictureMs = 130_000;

// Time that the run needs after the file is read: for a picture, or for the vectors of a task's text.
const reserveMs = 150_000;

/** Range of units that a task reads. The only task of a job reads all units, with any boundaries. */
const rangeOf = ({ job, task }: Claim): CountedRange =>
  job.tasksTotal === 1 && task.ordinal === 1
    ? { start: 1, end: Infinity }
    : { start: task.unitStart, end: task.unitEnd, cut: task.cut };

/** Returns the parts that planning has stored; null if there are none, or they have expired. */
const storedParts = async ({ deps }: TaskContext, { job, task }: Claim): Promise<readonly Part[] | null> => {
  if (task.units === null) return null;
  const bytes = await deps.content.get(job.region, unitsKey(job, task.units.digest), task.units);
  return bytes === null ? null : unpackUnits(bytes);
};

const partsOfFile = async (context: TaskContext, claim: Claim): Promise<readonly Part[]> => {
  const { job, task } = claim;
  const { content, extractor } = context.deps;
  const range = { ...task.span, etag: task.etag ?? undefined };
  const bytes = await content.get(job.region, job.objectKey, range).catch((error: unknown) => {
    if (!(error instanceof ObjectChanged)) throw error;
    throw new UnreadableFile('The file was overwritten while it was read: upload it again', error);
  });
  if (bytes === null) throw new UnreadableFile('The uploaded file no longer exists');
  const maxMs = context.run.remainingMs() - reserveMs;
  return task.span === null
    ? extractor.extract(sourceFileOf(job, bytes), rangeOf(claim), maxMs)
    : extractor.extractSpan(bytes, { first: task.span.line, ignoresVectors: job.embeds }, maxMs);
};

const extractParts = (context: TaskContext, claim: Claim): Promise<readonly Part[]> =>
  timed(phaseOf(context, claim), 'content.extract', async () => {
    const { task } = claim;
    const parts = (await storedParts(context, claim)) ?? (await partsOfFile(context, claim));
    const pages = task.paged ? task.unitEnd - task.unitStart + 1 : 0;
    return { result: parts, attributes: { pages, ocr_credits: task.credits.ocr } };
  });

type Reader = { readonly medium: Medium; readonly model: OcrModel | Transcriber | null };

/** Pictures and recordings with the model for each; null if this deployment has none. */
const readersOf = ({ deps }: TaskContext, parts: readonly Part[]): ReadonlyMap<Part, Reader> => {
  const media = parts.flatMap((part) => (part.kind === 'picture' || part.kind === 'recording' ? [part] : []));
  return new Map(
    media.map((part, at) => {
      const model = part.kind === 'picture' ? deps.ocr : deps.transcriber;
      return [part, { medium: { name: `m${at + 1}`, part, cost: costOf(part) }, model }];
    }),
  );
};

const counted = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number} ${many}`;

/** Warnings about pictures and recordings for which this deployment has no model. */
const missingModels = (readers: readonly Reader[]): readonly string[] => {
  const without = readers.filter(({ model }) => model === null).map(({ medium }) => medium.part);
  const recordings = without.filter(({ kind }) => kind === 'recording').length;
  const pictures = without.length - recordings;
  return [
    ...(pictures === 0
      ? []
      : [`${counted(pictures, 'picture was', 'pictures were')} not read: this deployment has no text recognition.`]),
    ...(recordings === 0
      ? []
      : [
          `${counted(recordings, 'recording was', 'recordings were')} not transcribed: this deployment has no transcription. Subtitles (.vtt, .srt) of a recording can be uploaded in its place.`,
        ]),
  ];
};

const readAll = (context: TaskContext, claim: Claim, readers: readonly Reader[]) =>
  timed(phaseOf(context, claim), 'content.extract', async () => {
    const atOnce = context.deps.ocr?.concurrency ?? 1;
    const texts = await inParallel(readers, atOnce, async ({ medium, model }) => {
      if (model === null) return [medium.part, { sections: [], warning: '' }] as const;
      if (context.run.remainingMs() < pictureMs) throw new OutOfTime();
      return [medium.part, await readMedium(context, claim, medium, model)] as const;
    });
    const { ocr, audio, audioSeconds } = (await context.deps.files.taskAt(claim.address))?.credits ?? noCredits;
    const audioAttributes = audio === 0 ? {} : { audio_credits: audio, audio_seconds: audioSeconds };
    return { result: new Map(texts), attributes: { ocr_credits: ocr, ...audioAttributes } };
  });

/** Reads the range of a task: its text directly, its pictures and recordings by models, in reading order. */
export const readTask = async (context: TaskContext, claim: Claim): Promise<TaskText> => {
  const parts = await extractParts(context, claim);
  const unread = parts.flatMap((part) => (part.kind === 'unread' ? [part.reason] : []));
  const readers = readersOf(context, parts);
  if (readers.size === 0)
    return { sections: parts.flatMap((part) => (part.kind === 'text' ? [part] : [])), warning: unread.join(' ') };
  const all = [...readers.values()];
  await reserveCredits(
    context,
    claim,
    totalCost(all.filter(({ model }) => model !== null).map(({ medium }) => medium.cost)),
  );
  const texts = await readAll(context, claim, all);
  const sections = parts.flatMap((part) => {
    if (part.kind === 'unread') return [];
    return part.kind === 'text' ? [part] : (texts.get(part)?.sections ?? []);
  });
  const warnings = new Set([...unread, ...missingModels(all), ...[...texts.values()].map(({ warning }) => warning)]);
  return { sections, warning: [...warnings].filter((warning) => warning !== '').join(' ') };
};
