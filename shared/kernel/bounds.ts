/*
 * Limits that apply wherever such a value is accepted, created or stored.
 */

/** Maximum dimensions of a vector. */
export const maxDimensions = 4_096;

/** Maximum characters of a URL. */
export const maxUrlCharacters = 2_048;

/** Maximum items of a request; a plan may allow fewer. */
export const maxItems = 1_000;
