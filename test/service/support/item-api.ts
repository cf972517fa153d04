import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

export interface ApiItem {
  readonly id: number;
  readonly title: string;
  readonly body: string;
  readonly updated_at: string;
}

/** An API of this machine that lists the items for those who know the token. Returns the body that connects an index to it. */
export const openItemApi = async (items: readonly ApiItem[]): Promise<object> => {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === 'Bearer harbour-token';
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKnown ? { data: items, next: null } : {}));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  return {
    name: 'Harbour',
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    auth: { type: 'bearer', token: 'harbour-token' },
    list: { path: '/items', items: '/data', next: '/next' },
    item: { id: '/id', title: '/title', text: '/body', updated_at: '/updated_at' },
  };
};
