import { capability } from '../../kernel/capability.ts';
import { publicPost, type PublicPost } from './public-fetch.ts';

const attemptTimeoutMs = 15_000;

/** Posts to receivers on the public internet, in 15 seconds or not at all. Apart, because few functions need its weight. */
export const receiverPost = capability<PublicPost>(['network.public'], (runtime) =>
  publicPost({ allowLocal: runtime.config.allowLocalWebhooks, timeoutMs: attemptTimeoutMs }),
);
