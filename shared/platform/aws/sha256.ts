import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { memoizePerOwner, memoizePerKey } from '../../kernel/memoize.ts';

type Bytes = ArrayBuffer | ArrayBufferView;

const viewOf = (bytes: Bytes): Uint8Array =>
  bytes instanceof ArrayBuffer
    ? new Uint8Array(bytes)
    : new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Caches key objects by secret: creating one takes several times as long as signing, and the signer reuses its secrets
 * all day.
 */
const keyOf = memoizePerOwner((secret: Bytes): KeyObject => createSecretKey(viewOf(secret)));

const keyOfText = memoizePerKey((secret: string): KeyObject => createSecretKey(secret, 'utf8'));

type State = ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

const begin = (secret: Bytes | string | undefined): State => {
  if (secret === undefined) return createHash('sha256');
  return createHmac('sha256', typeof secret === 'string' ? keyOfText(secret) : keyOf(secret));
};

/** SHA-256 for the SDK's signer; with a secret, HMAC. It yields one digest, unless it is reset. */
export class Sha256 {
  readonly #secret: Bytes | string | undefined;
  #state: State;

  constructor(secret?: Bytes | string) {
    this.#secret = secret;
    this.#state = begin(secret);
  }

  update(part: Bytes | string): void {
    this.#state.update(typeof part === 'string' ? part : viewOf(part));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#state.digest());
  }

  reset(): void {
    this.#state = begin(this.#secret);
  }
}
