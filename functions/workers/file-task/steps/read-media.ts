import * as z from 'zod';
import { batchKey, noCredits, type TaskCredits } from '../../../../shared/files/index.ts';
import {
  type Picture,
  type Recording,
  type Section,
  DelayedPicture,
  type OcrModel,
  UnreadablePicture,
  type Transcriber,
  UnusableRecording,
  type Utterance,
} from '#documents';
import type { TaskContext } from '../uses.ts';
import { type Claim, TaskEnded } from './claim-task.ts';

/** Error: the run has no time for another picture. Another run continues. */
export class OutOfTime extends Error {
  constructor() {
    super('the run ends before all pictures are read');
    this.name = 'OutOfTime';
  }
}

/** Picture or recording of a task. */
export interface Medium {
  /** Name within the task, the same in every attempt. */
  readonly name: string;
  readonly part: Picture | Recording;
  /** Maximum credits for reading it. */
  readonly cost: TaskCredits;
}

const Place = z.record(z.string(), z.union([z.string(), z.number()]));

/** Box of a line of a picture, in shares of it. */
const Line = z.object({
  at: z.number(),
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
});

/** Output of a model for a medium. It is stored, so that another attempt of the task does not call the model again. */
const Reading = z.object({
  texts: z.array(z.object({ text: z.string(), place: Place, lines: z.array(Line).optional() })),
  used: z.object({ ocr: z.number(), audio: z.number(), audioSeconds: z.number() }),
  warning: z.string(),
  /** Whether the machine had no time for a picture, which is tried once more. */
  isDelayed: z.boolean(),
});
type Reading = z.infer<typeof Reading>;

// A recording without a plausible length is assumed to be speech at a low bit rate, until the model has read it.
const minBytesPerSecond = 2_000;

/** Estimated seconds of a recording before a model has read it. */
const expectedSeconds = ({ seconds, bytes }: Recording): number =>
  Math.max(1, Math.ceil(seconds ?? bytes.length / minBytesPerSecond));

const audioCredits = (seconds: number): TaskCredits => ({
  ocr: 0,
  audio: Math.max(1, Math.ceil(seconds / 60)),
  audioSeconds: Math.ceil(seconds),
});

/** Cost of a part: one credit for a picture, one for each started minute of a recording. */
export const costOf = (part: Picture | Recording): TaskCredits =>
  part.kind === 'picture' ? { ...noCredits, ocr: 1 } : audioCredits(expectedSeconds(part));

const unread = (warning: string, isDelayed = false): Reading => ({ texts: [], used: noCredits, warning, isDelayed });

const placeName = ({ section: { pageStart, place } }: Picture): string =>
  [place.attachment, pageStart === null ? null : `page ${pageStart}`].filter(Boolean).join(', ').replace(/^p/, 'P') ||
  'A picture';

const readPicture = async (recognizer: OcrModel, { part, cost }: Medium): Promise<Reading> => {
  if (part.kind !== 'picture') throw new TypeError('only a picture can be read by OCR');
  try {
    const {
      text,
      confidence,
      isPartial = false,
      isForeign = false,
      script,
      places = [],
    } = await recognizer.recognize(part);
    const place = { ocr_confidence: Math.round(confidence * 100) / 100 };
    const partial = isPartial ? 'part of the picture could not be read' : '';
    const named = script === undefined ? 'a script' : `the ${script} script`;
    const reason = isForeign ? `the picture has text in ${named} that could not be read` : partial;
    const warning = reason === '' ? '' : `${placeName(part)}: ${reason}.`;
    return { texts: [{ text, place, lines: [...places] }], used: cost, warning, isDelayed: false };
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
    const page = part.section.pageStart === null ? '' : ` (page ${part.section.pageStart})`;
    return unread(`${error.message}${page}.`, error instanceof DelayedPicture);
  }
};

/** Shorter sounds without words, such as a cough, are not reported. */
const minWordlessSeconds = 3;
const maxNamedStretches = 5;

const clockTime = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

const wordlessWarning = (stretches: readonly Utterance[]): string => {
  const long = stretches.filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= minWordlessSeconds);
  if (long.length === 0) return '';
  const names = long
    .slice(0, maxNamedStretches)
    .map(({ startSeconds, endSeconds }) => `${clockTime(startSeconds)}–${clockTime(endSeconds)}`);
  const more = long.length > names.length ? ` and ${long.length - names.length} more` : '';
  return `No words were recognized in the sound at ${names.join(', ')}${more}.`;
};

// Time that the run needs after the model has responded.
const reserveMs = 20_000;

const readRecording = async (
  { deps, run }: TaskContext,
  { job, task, index }: Claim,
  transcriber: Transcriber,
  { name, part }: Medium,
): Promise<Reading> => {
  if (part.kind !== 'recording') throw new TypeError('only a recording can be transcribed');
  const key = `${batchKey(job, task.ordinal)}.${name}/recording`;
  if (task.attemptCount === 1 || (await deps.content.head(index.region, key)) === null)
    await deps.stored.put(index.region, key, part.bytes, part.mediaType);
  const recording = { region: index.region, key, mediaType: part.mediaType, id: `${task.id}-${name}` };
  try {
    const spoken = await transcriber.transcribe(recording, run.remainingMs() - reserveMs);
    const heard = spoken.at(-1)?.endSeconds;
    // The length in the container can be forged, so the longer of the two counts.
    const seconds = part.seconds === null ? (heard ?? expectedSeconds(part)) : Math.max(part.seconds, heard ?? 0);
    const wordless = spoken.filter(({ text }) => text === '');
    const texts = spoken
      .filter((utterance) => !wordless.includes(utterance))
      .map(({ text, startSeconds, endSeconds }) => ({
        text,
        place: { start_seconds: startSeconds, end_seconds: endSeconds },
      }));
    return { texts, used: audioCredits(seconds), warning: wordlessWarning(wordless), isDelayed: false };
  } catch (error) {
    if (!(error instanceof UnusableRecording)) throw error;
    return unread(`${error.message}.`);
  }
};

const savedReading = async ({ deps }: TaskContext, { index, task }: Claim, key: string): Promise<Reading | null> => {
  const stored = task.attemptCount === 1 ? null : await deps.content.get(index.region, key);
  return stored === null ? null : Reading.parse(JSON.parse(new TextDecoder().decode(stored)));
};

/**
 * Reads a medium with a model, once over all attempts unless a crash loses the output, and charges it exactly once.
 * @throws TaskEnded if the task has ended. Then it charges nothing.
 * @throws OutOfTime if the machine had no time for a picture. The next run tries it once more.
 */
export const readMedium = async (
  context: TaskContext,
  claim: Claim,
  medium: Medium,
  model: OcrModel | Transcriber,
): Promise<{ readonly sections: readonly Section[]; readonly warning: string }> => {
  const { deps } = context;
  const { address, index, job, task } = claim;
  const key = `${batchKey(job, task.ordinal)}.${medium.name}/reading.json`;
  const kept = await savedReading(context, claim, key);
  const save = (reading: Reading): Promise<unknown> =>
    deps.stored.put(index.region, key, new TextEncoder().encode(JSON.stringify(reading)), 'application/json');
  const read = (): Promise<Reading> =>
    'recognize' in model ? readPicture(model, medium) : readRecording(context, claim, model, medium);
  const reading = kept === null || kept.isDelayed ? await read() : kept;
  if (reading.isDelayed && kept === null) {
    await save(reading);
    throw new OutOfTime();
  }
  if (reading !== kept) await save({ ...reading, isDelayed: false });
  const charged = await deps.files.charge(address, medium.name, reading.used);
  if (charged === null) throw new TaskEnded();
  const { part } = medium;
  const { section } = part;
  const page = part.kind === 'picture' && part.isWholePage === true ? section.pageStart : null;
  const sections = reading.texts.map(({ text, place, lines = [] }) => ({
    ...section,
    text,
    place: { ...section.place, ...place },
    ...(page !== null && {
      textPlaces: lines.map(({ at, ...box }) => ({ at, region: { page, ...box } })),
    }),
  }));
  return { sections, warning: reading.warning };
};
