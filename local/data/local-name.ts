/**
 * Whether a `Host` header names this machine. Any page can have its own name point here, and must not get at what is
 * local by it.
 */
export const isLocalName = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host ?? '');
