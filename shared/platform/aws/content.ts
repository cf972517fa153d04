import { capability } from '../../kernel/capability.ts';
import {
  type ContentPresigner,
  type ContentReader,
  type ContentWriter,
  openUploadAcceptance,
  type UploadAcceptance,
  openContentPresigner,
  openContentReader,
  openContentWriter,
} from './objects.ts';

/** Reads objects of the content bucket under the named prefixes alone. */
export const contentReader = (...prefixes: readonly ('uploads' | 'batches' | 'embeddings')[]) =>
  capability<ContentReader>(
    prefixes.map((prefix) => `${prefix}.read` as const),
    openContentReader,
  );

/** Stores and deletes objects of the content bucket, each under the named prefixes alone. */
export const contentWriter = (prefixes: {
  readonly puts?: readonly ('uploads' | 'batches' | 'embeddings')[];
  readonly deletes?: readonly ('uploads' | 'batches')[];
}) =>
  capability<ContentWriter>(
    [
      ...(prefixes.puts ?? []).map((prefix) => `${prefix}.put` as const),
      ...(prefixes.deletes ?? []).map((prefix) => `${prefix}.delete` as const),
    ],
    openContentWriter,
  );

export const contentPresign = capability<ContentPresigner>(['uploads.put', 'uploads.tag'], openContentPresigner);
export const uploadAccept = capability<UploadAcceptance>(['uploads.accept'], openUploadAcceptance);
