import { capability } from '../../kernel/capability.ts';
import { publicPost, type PublicPost } from './public-fetch.ts';

const attemptTimeoutMs = 15_000;

/** Svix waits 15 seconds for the relay. */
const relayTimeoutMs = 12_000;

/** Posts to webhook receivers, with a timeout of 15 seconds. A module of its own keeps undici out of other bundles. */
export const receiverPost = capability<PublicPost>(['network.public'], (runtime) =>
  publicPost({ allowLocal: runtime.config.allowLocalWebhooks, timeoutMs: attemptTimeoutMs }),
);

/** Posts to webhook receivers while Svix waits for the response. */
export const relayPost = capability<PublicPost>(['network.public'], (runtime) =>
  publicPost({ allowLocal: runtime.config.allowLocalWebhooks, timeoutMs: relayTimeoutMs }),
);
