import { capability } from '../../kernel/capability.ts';
import type { contentPrefixes } from '../../kernel/content-keys.ts';
import {
  type ContentPresigner,
  type ContentReader,
  type ContentWriter,
  type DownloadPresigner,
  type UploadCopier,
  openDownloadPresigner,
  openUploadCopier,
  openUploadAcceptance,
  type UploadAcceptance,
  openContentPresigner,
  openContentReader,
  openContentWriter,
} from './objects.ts';

type ContentKind = keyof typeof contentPrefixes;

/** Reads objects of the content bucket under the named prefixes only. */
export const contentReader = (...prefixes: readonly ContentKind[]) =>
  capability<ContentReader>(
    prefixes.map((prefix) => `${prefix}.read` as const),
    openContentReader,
  );

interface WriterPrefixes {
  readonly puts?: readonly ContentKind[];
  readonly deletes?: readonly ContentKind[];
}

/** Operations that the grants of a writer allow. */
type GrantedWriter<Prefixes extends WriterPrefixes> = ('puts' extends keyof Prefixes
  ? Pick<ContentWriter, 'put'>
  : unknown) &
  ('deletes' extends keyof Prefixes ? Pick<ContentWriter, 'deleteAll'> : unknown);

/** Stores and deletes objects of the content bucket under the named prefixes only. */
export const contentWriter = <const Prefixes extends WriterPrefixes>(prefixes: Prefixes) =>
  capability<GrantedWriter<Prefixes>>(
    [
      ...(prefixes.puts ?? []).map((prefix) => `${prefix}.put` as const),
      ...(prefixes.deletes ?? []).map((prefix) => `${prefix}.delete` as const),
    ],
    openContentWriter,
  );

export const contentPresign = capability<ContentPresigner>(['uploads.put', 'uploads.tag'], openContentPresigner);
export const downloadPresign = capability<DownloadPresigner>(['uploads.read'], openDownloadPresigner);
export const exportPresign = capability<DownloadPresigner>(['exported.read'], openDownloadPresigner);
export const evaluatedPresign = capability<DownloadPresigner>(['evaluated.read'], openDownloadPresigner);
export const uploadCopy = capability<UploadCopier>(['uploads.read', 'uploads.put', 'uploads.tag'], openUploadCopier);
export const originalDownload = capability<DownloadPresigner>(['originals.read'], openDownloadPresigner);
export const exportCopy = capability<UploadCopier>(['exported.copy', 'uploads.put', 'uploads.tag'], openUploadCopier);
export const originalCopy = capability<UploadCopier>(
  ['originals.read', 'uploads.put', 'uploads.tag'],
  openUploadCopier,
);
export const uploadAccept = capability<UploadAcceptance>(['uploads.accept'], openUploadAcceptance);
