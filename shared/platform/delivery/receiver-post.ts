import { capability } from '../../kernel/capability.ts';
import { publicPost, type PublicPost } from './public-fetch.ts';

const attemptTimeoutMs = 15_000;

/** Svix waits 15 seconds for the relay. */
const relayTimeoutMs = 12_000;

/** Posts to receivers on the public internet, in 15 seconds or not at all. Apart, because few functions need its weight. */
export const receiverPost = capability<PublicPost>(['network.public'], (runtime) =>
  publicPost({ allowLocal: runtime.config.allowLocalWebhooks, timeoutMs: attemptTimeoutMs }),
);

/** Posts to receivers while Svix waits for the answer. */
export const relayPost = capability<PublicPost>(['network.public'], (runtime) =>
  publicPost({ allowLocal: runtime.config.allowLocalWebhooks, timeoutMs: relayTimeoutMs }),
);
