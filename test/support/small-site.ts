import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const page = (title: string, text: string, links: readonly string[]): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links
    .map((link) => `<a href="${link}">${link}</a>`)
    .join(' ')}</main>`;

const pages = new Map([
  ['/', page('Harbour office', 'The harbour office answers questions about moorings and tides.', ['/fees', '/tides'])],
  ['/fees', page('Fees', 'A mooring for a night costs twelve euros, and a week costs seventy.', ['/'])],
  ['/tides', page('Tides', 'High water is an hour later every day, and the gate opens two hours before it.', ['/'])],
]);

/** A site of three pages on this machine, which crawls of a service may read where it allows `address`. */
export const openSmallSite = async () => {
  const server = createServer(({ url = '' }, response) => {
    const found = pages.get(url);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(found);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // A run of tests ends although it is open.
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    url: `http://harbour.test:${port}/`,
    close: () => void server.close(),
  };
};
