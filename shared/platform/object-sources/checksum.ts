import { createCRC32, createCRC64, createMD5, createSHA1, createSHA256 } from 'hash-wasm';
import type { ChecksumAlgorithm } from './port.ts';

/** Checksum of bytes that arrive in parts, possibly in several processes. */
export interface RunningChecksum {
  update(bytes: Uint8Array): void;
  /** Returns the state from which another process can continue, as base64. */
  save(): string;
  /** Lower-case hex. */
  digest(): string;
}

/** Castagnoli's polynomial, bits reversed, as S3 and Google Cloud Storage use it. */
const castagnoli = 0x82f63b78;
/** The NVM Express polynomial, bits reversed, as S3 uses it. */
const nvme = '9a6c9329ac4bc9b5';

const makers = {
  md5: () => createMD5(),
  crc32: () => createCRC32(),
  crc32c: () => createCRC32(castagnoli),
  crc64nvme: () => createCRC64(nvme),
  sha1: () => createSHA1(),
  sha256: () => createSHA256(),
} as const satisfies Record<ChecksumAlgorithm, unknown>;

/** Creates a checksum, or restores one from `saved`. */
export const openChecksum = async (algorithm: ChecksumAlgorithm, saved: string | null): Promise<RunningChecksum> => {
  const hasher = await makers[algorithm]();
  if (saved === null) hasher.init();
  else hasher.load(Buffer.from(saved, 'base64'));
  return {
    update: (bytes) => {
      hasher.update(bytes);
    },
    save: () => Buffer.from(hasher.save()).toString('base64'),
    digest: () => hasher.digest(),
  };
};
