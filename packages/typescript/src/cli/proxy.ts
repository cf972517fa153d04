import http from 'node:http';

/** Hosts of this machine, which a proxy cannot reach. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];

/** Value of a variable of the environment that has its name in lower or upper case. */
const valueOf = (name: string): string | undefined => process.env[name] || process.env[name.toUpperCase()] || undefined;

/** Names of the variables of proxies that are set. */
const proxyVariables = (): readonly string[] =>
  ['http_proxy', 'https_proxy'].filter((name) => valueOf(name) !== undefined);

/**
 * Sends the requests of `fetch` through the proxies of HTTP_PROXY and HTTPS_PROXY, without the hosts of NO_PROXY and this
 * machine. Returns a warning if this version of Node.js cannot; null otherwise.
 */
export const useProxies = (): string | null => {
  const [first] = proxyVariables();
  if (first === undefined || process.env['NODE_USE_ENV_PROXY'] === '1') return null;
  if (typeof http.setGlobalProxyFromEnv !== 'function')
    return `Node.js ${process.versions.node} does not use ${first.toUpperCase()}. Use Node.js 24.14 or newer, or set NODE_USE_ENV_PROXY=1 from Node.js 22.21 on.`;
  http.setGlobalProxyFromEnv({
    http_proxy: valueOf('http_proxy'),
    https_proxy: valueOf('https_proxy'),
    no_proxy: [valueOf('no_proxy'), ...ownHosts].filter((host) => host !== undefined).join(','),
  });
  return null;
};
