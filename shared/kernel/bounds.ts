/*
 * Bounds that hold wherever such a thing is taken in, made or kept, so that nothing gets half-way.
 */

/** Most numbers of a vector. */
export const mostDimensions = 4_096;

/** Most characters of an address on the web. */
export const mostUrlCharacters = 2_048;

/** Most items of any request; a plan may allow fewer. */
export const mostItems = 1_000;
