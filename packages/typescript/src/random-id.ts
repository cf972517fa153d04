/** Returns 128 random bits in the form of a UUID. Pages of a plain `http:` address have no `crypto.randomUUID`. */
export const randomId = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
