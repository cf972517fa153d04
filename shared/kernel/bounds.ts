/*
 * Bounds that hold wherever such a thing is taken in, made or kept, so that nothing gets half-way.
 */

/** Most numbers of a vector. */
export const maxDimensions = 4_096;

/** Most characters of an address on the web. */
export const maxUrlCharacters = 2_048;

/** Most items of any request; a plan may allow fewer. */
export const maxItems = 1_000;
