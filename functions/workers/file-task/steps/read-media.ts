import * as z from 'zod';
import { batchKey, noCredits, type TaskCredits } from '../../../../shared/files/index.ts';
import type { Picture, Recording, Section } from '../../../../shared/platform/extract/port.ts';
import { type Recognizer, UnreadablePicture } from '../../../../shared/platform/recognize/port.ts';
import { type Transcriber, UnusableRecording } from '../../../../shared/platform/transcribe/port.ts';
import type { Working } from '../uses.ts';
import { type Claim, TaskEnded } from './claim-task.ts';

/** A picture or recording of a task. */
export interface Medium {
  /** Its name within the task, the same at every attempt. */
  readonly name: string;
  readonly part: Picture | Recording;
  /** Credits that reading it takes at most. */
  readonly cost: TaskCredits;
}

const Place = z.record(z.string(), z.union([z.string(), z.number()]));

/** What a model made of a medium; kept, so that a further attempt of the task doesn't ask again. */
const Reading = z.object({
  texts: z.array(z.object({ text: z.string(), place: Place })),
  used: z.object({ ocr: z.number(), audio: z.number(), audioSeconds: z.number() }),
  warning: z.string(),
});
type Reading = z.infer<typeof Reading>;

// Recordings whose container doesn't tell a length that may be believed are held to be speech at a low rate, until the model has timed them.
const lowestBytesPerSecond = 2_000;

/** Seconds of a recording as far as they are known before a model has read it. */
const expectedSeconds = ({ seconds, bytes }: Recording): number =>
  Math.max(1, Math.ceil(seconds ?? bytes.length / lowestBytesPerSecond));

const audioCredits = (seconds: number): TaskCredits => ({
  ocr: 0,
  audio: Math.max(1, Math.ceil(seconds / 60)),
  audioSeconds: Math.ceil(seconds),
});

/** One credit for a picture, one for each started minute of a recording. */
export const costOf = (part: Picture | Recording): TaskCredits =>
  part.kind === 'picture' ? { ...noCredits, ocr: 1 } : audioCredits(expectedSeconds(part));

const unread = (warning: string): Reading => ({ texts: [], used: noCredits, warning });

const recognize = async (recognizer: Recognizer, { part, cost }: Medium): Promise<Reading> => {
  if (part.kind !== 'picture') throw new TypeError('only a picture can be recognized');
  try {
    const { text, confidence } = await recognizer.recognize(part);
    const place = { ocr_confidence: Math.round(confidence * 100) / 100 };
    return { texts: [{ text, place }], used: cost, warning: '' };
  } catch (error) {
    if (!(error instanceof UnreadablePicture)) throw error;
    const page = part.section.pageStart === null ? '' : ` (page ${part.section.pageStart})`;
    return unread(`${error.message}${page}.`);
  }
};

// What the run needs after the model has answered.
const reserveMs = 20_000;

const transcribe = async (
  { deps, run }: Working,
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
    // What a container says of its length is for whoever made it to choose.
    const seconds = part.seconds === null ? (heard ?? expectedSeconds(part)) : Math.max(part.seconds, heard ?? 0);
    const texts = spoken.map(({ text, startSeconds, endSeconds }) => ({
      text,
      place: { start_seconds: startSeconds, end_seconds: endSeconds },
    }));
    return { texts, used: audioCredits(seconds), warning: '' };
  } catch (error) {
    if (!(error instanceof UnusableRecording)) throw error;
    return unread(`${error.message}.`);
  }
};

const keptReading = async ({ deps }: Working, { index, task }: Claim, key: string): Promise<Reading | null> => {
  const stored = task.attemptCount === 1 ? null : await deps.content.get(index.region, key);
  return stored === null ? null : Reading.parse(JSON.parse(new TextDecoder().decode(stored)));
};

/**
 * What a model makes of one medium, asked once through all attempts unless a crash loses its answer, and charged once in
 * any case. Throws `TaskEnded` where the task has ended meanwhile, which charges nothing.
 */
export const readMedium = async (
  working: Working,
  claim: Claim,
  medium: Medium,
  model: Recognizer | Transcriber,
): Promise<{ readonly sections: readonly Section[]; readonly warning: string }> => {
  const { deps } = working;
  const { address, index, job, task } = claim;
  const key = `${batchKey(job, task.ordinal)}.${medium.name}/reading.json`;
  const kept = await keptReading(working, claim, key);
  const reading =
    kept ?? ('recognize' in model ? await recognize(model, medium) : await transcribe(working, claim, model, medium));
  if (kept === null)
    await deps.stored.put(index.region, key, new TextEncoder().encode(JSON.stringify(reading)), 'application/json');
  const charged = await deps.files.charge(address, medium.name, reading.used);
  if (charged === null) throw new TaskEnded();
  const { section } = medium.part;
  const sections = reading.texts.map(({ text, place }) => ({
    ...section,
    text,
    place: { ...section.place, ...place },
  }));
  return { sections, warning: reading.warning };
};
