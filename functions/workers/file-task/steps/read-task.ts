import { inParallel } from '../../../../shared/kernel/in-parallel.ts';
import { timed } from '../../../../shared/pipeline/steps.ts';
import { ObjectChanged } from '../../../../shared/platform/aws/objects.ts';
import {
  type CountedRange,
  type Part,
  type Section,
  UnreadableFile,
} from '../../../../shared/platform/extract/port.ts';
import { unpackUnits } from '../../../../shared/platform/extract/pack-parts.ts';
import type { Recognizer } from '../../../../shared/platform/recognize/port.ts';
import type { Transcriber } from '../../../../shared/platform/transcribe/port.ts';
import { noCredits, sourceFileOf, unitsKey } from '../../../../shared/files/index.ts';
import { holdCredits, totalCost } from './hold-credits.ts';
import { costOf, type Medium, readMedium } from './read-media.ts';
import type { Working } from '../uses.ts';
import { type Claim, phaseOf } from './claim-task.ts';

/** Everything that a task's range of the file says. */
export interface TaskText {
  readonly sections: readonly Section[];
  /** What could not be read, in sentences; empty where all was. */
  readonly warning: string;
}

/** The run has no time for one more picture; another goes on from there. */
export class OutOfTime extends Error {
  constructor() {
    super('the run ends before all pictures are read');
    this.name = 'OutOfTime';
  }
}

// More than the slowest picture takes.
const pictureMs = 70_000;

// What the run needs once the file is read: a picture, or the vectors of a task's text.
const reserveMs = 120_000;

/** The units that a task reads. The only one of its job reads them all, however the file is cut by now. */
const rangeOf = ({ job, task }: Claim): CountedRange =>
  job.tasksTotal === 1 && task.ordinal === 1
    ? { start: 1, end: Infinity }
    : { start: task.unitStart, end: task.unitEnd, cut: task.cut };

/** The parts that planning has stored; null if there are none, and once they have expired. */
const storedParts = async ({ deps }: Working, { job, task }: Claim): Promise<readonly Part[] | null> => {
  if (task.units === null) return null;
  const bytes = await deps.content.get(job.region, unitsKey(job, task.units.digest), task.units);
  return bytes === null ? null : unpackUnits(bytes);
};

const partsOfFile = async (working: Working, claim: Claim): Promise<readonly Part[]> => {
  const { job, task } = claim;
  const { content, extractor } = working.deps;
  const range = { ...task.span, etag: task.etag ?? undefined };
  const bytes = await content.get(job.region, job.objectKey, range).catch((error: unknown) => {
    if (!(error instanceof ObjectChanged)) throw error;
    throw new UnreadableFile('The file was written over while it was read: upload it again', error);
  });
  if (bytes === null) throw new UnreadableFile('The uploaded file is gone');
  const mostMs = working.run.remainingMs() - reserveMs;
  return task.span === null
    ? extractor.extract(sourceFileOf(job, bytes), rangeOf(claim), mostMs)
    : extractor.extractSpan(bytes, task.span.line, mostMs);
};

const extractParts = (working: Working, claim: Claim): Promise<readonly Part[]> =>
  timed(phaseOf(working, claim), 'content.extract', async () => {
    const { task } = claim;
    const parts = (await storedParts(working, claim)) ?? (await partsOfFile(working, claim));
    const pages = task.paged ? task.unitEnd - task.unitStart + 1 : 0;
    return { result: parts, attributes: { pages, ocr_credits: task.credits.ocr } };
  });

type Reader = { readonly medium: Medium; readonly model: Recognizer | Transcriber | null };

/** The pictures and recordings with what reads each; null where this deployment has nothing that could. */
const readersOf = ({ deps }: Working, parts: readonly Part[]): ReadonlyMap<Part, Reader> => {
  const media = parts.flatMap((part) => (part.kind === 'picture' || part.kind === 'recording' ? [part] : []));
  return new Map(
    media.map((part, at) => {
      const model = part.kind === 'picture' ? deps.recognizer : deps.transcriber;
      return [part, { medium: { name: `m${at + 1}`, part, cost: costOf(part) }, model }];
    }),
  );
};

const counted = (number: number, one: string, many: string): string =>
  number === 1 ? `1 ${one}` : `${number} ${many}`;

/** What a deployment without a model for it says of pictures and recordings. */
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

const readAll = (working: Working, claim: Claim, readers: readonly Reader[]) =>
  timed(phaseOf(working, claim), 'content.extract', async () => {
    const atOnce = working.deps.recognizer?.concurrency ?? 1;
    const texts = await inParallel(readers, atOnce, async ({ medium, model }) => {
      if (model === null) return [medium.part, { sections: [], warning: '' }] as const;
      if (working.run.remainingMs() < pictureMs) throw new OutOfTime();
      return [medium.part, await readMedium(working, claim, medium, model)] as const;
    });
    const { ocr, audio, audioSeconds } = (await working.deps.files.taskAt(claim.address))?.credits ?? noCredits;
    const audioAttributes = audio === 0 ? {} : { audio_credits: audio, audio_seconds: audioSeconds };
    return { result: new Map(texts), attributes: { ocr_credits: ocr, ...audioAttributes } };
  });

/** Reads the range of a task: its text as it stands, its pictures and recordings by models, in reading order. */
export const readTask = async (working: Working, claim: Claim): Promise<TaskText> => {
  const parts = await extractParts(working, claim);
  const unread = parts.flatMap((part) => (part.kind === 'unread' ? [part.reason] : []));
  const readers = readersOf(working, parts);
  if (readers.size === 0)
    return { sections: parts.flatMap((part) => (part.kind === 'text' ? [part] : [])), warning: unread.join(' ') };
  const all = [...readers.values()];
  await holdCredits(
    working,
    claim,
    totalCost(all.filter(({ model }) => model !== null).map(({ medium }) => medium.cost)),
  );
  const texts = await readAll(working, claim, all);
  const sections = parts.flatMap((part) => {
    if (part.kind === 'unread') return [];
    return part.kind === 'text' ? [part] : (texts.get(part)?.sections ?? []);
  });
  const warnings = new Set([...unread, ...missingModels(all), ...[...texts.values()].map(({ warning }) => warning)]);
  return { sections, warning: [...warnings].filter((warning) => warning !== '').join(' ') };
};
