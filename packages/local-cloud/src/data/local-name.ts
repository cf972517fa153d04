/**
 * Whether a `Host` header names this machine. A web page can make its own host name resolve to this machine, and must not
 * reach local services by it (DNS rebinding).
 */
export const isLocalName = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(host ?? '');
