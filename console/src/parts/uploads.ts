import { useSyncExternalStore } from 'react';
import type { FileJobResponse, StrataClient } from '#client';
import { uploadFile } from './upload.ts';

/** File to upload, with its path in a chosen folder as its name. */
export interface ChosenFile {
  readonly name: string;
  readonly file: File;
}

/** Upload of a file. */
export interface Upload {
  readonly id: number;
  readonly indexId: string;
  readonly name: string;
  readonly size: number;
  /** Share that was sent, from 0 to 1. */
  readonly share: number;
  readonly state: 'waiting' | 'sending' | 'done' | 'failed' | 'cancelled';
  readonly error: unknown;
}

export const isOpenUpload = ({ state }: Upload): boolean => state === 'waiting' || state === 'sending';

const parallelUploads = 3;

interface Order {
  readonly client: StrataClient;
  readonly file: File;
  readonly replaced: FileJobResponse | null;
  readonly metadata: FileJobResponse['metadata'];
  readonly onDone: () => void;
  readonly abort: AbortController;
}

let uploads: readonly Upload[] = [];
const orders = new Map<number, Order>();
const listeners = new Set<() => void>();
let nextId = 1;
let sending = 0;

const set = (next: readonly Upload[]): void => {
  uploads = next;
  for (const listener of listeners) listener();
};

const edit = (id: number, part: Partial<Upload>): void =>
  set(uploads.map((upload) => (upload.id === id ? { ...upload, ...part } : upload)));

const send = async ({ id, indexId, name }: Upload, order: Order): Promise<void> => {
  sending += 1;
  edit(id, { state: 'sending', share: 0, error: null });
  try {
    await uploadFile({ ...order, indexId, name, signal: order.abort.signal, onShare: (share) => edit(id, { share }) });
    edit(id, { state: 'done', share: 1 });
    orders.delete(id);
  } catch (error) {
    edit(id, order.abort.signal.aborted ? { state: 'cancelled' } : { state: 'failed', error });
  }
  sending -= 1;
  order.onDone();
  sendNext();
};

const sendNext = (): void => {
  for (const upload of uploads.filter(({ state }) => state === 'waiting').slice(0, parallelUploads - sending)) {
    const order = orders.get(upload.id);
    if (order !== undefined) void send(upload, order);
  }
};

// Uploads end with the page.
addEventListener('beforeunload', (event) => {
  if (uploads.some(isOpenUpload)) event.preventDefault();
});

/** Uploads files of an index, three at a time. They go on while other pages are shown. */
export const startUploads = (
  indexId: string,
  files: readonly ChosenFile[],
  order: Pick<Order, 'client' | 'metadata' | 'onDone'> & { readonly replaced: ReadonlyMap<string, FileJobResponse> },
): void => {
  const added = files.map(({ name, file }): Upload => {
    const id = nextId++;
    const replaced = order.replaced.get(name) ?? null;
    orders.set(id, { ...order, file, replaced, abort: new AbortController() });
    return { id, indexId, name, size: file.size, share: 0, state: 'waiting', error: null };
  });
  set([...uploads, ...added]);
  sendNext();
};

/** Cancels uploads that are not done. */
export const cancelUploads = (cancelled: readonly Upload[]): void => {
  for (const { id, state } of cancelled) {
    if (state === 'sending') orders.get(id)?.abort.abort();
    else if (state === 'waiting') edit(id, { state: 'cancelled' });
  }
};

/** Starts failed or cancelled uploads again. */
export const retryUploads = (repeated: readonly Upload[]): void => {
  for (const { id } of repeated) {
    const order = orders.get(id);
    if (order === undefined) continue;
    orders.set(id, { ...order, abort: new AbortController() });
    edit(id, { state: 'waiting', share: 0, error: null });
  }
  sendNext();
};

/** Removes uploads of an index that have ended from the list. */
export const clearUploads = (indexId: string): void => {
  const kept = uploads.filter((upload) => upload.indexId !== indexId || isOpenUpload(upload));
  for (const { id } of uploads) if (!kept.some((upload) => upload.id === id)) orders.delete(id);
  set(kept);
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Returns the uploads of an index, in the order in which they were chosen. */
export const useUploads = (indexId: string): readonly Upload[] =>
  useSyncExternalStore(subscribe, () => uploads).filter((upload) => upload.indexId === indexId);
