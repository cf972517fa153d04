// Script of every page of the guides: the search.
import { type Hit, readIndex } from '../search.ts';

const input = document.querySelector<HTMLInputElement>('#query');
const list = document.querySelector<HTMLOListElement>('#hits');
const status = document.querySelector<HTMLElement>('#status');
const maxHits = 10;
const excerptLength = 160;

let opened: Promise<(query: string) => readonly Hit[]> | undefined;

/** Reads the index when it is first needed. */
const open = async (): Promise<(query: string) => readonly Hit[]> =>
  readIndex(await (await fetch(document.documentElement.dataset['index'] ?? '')).text());

const itemOf = ({ id, page, heading, text, terms }: Hit): HTMLLIElement => {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = id;
  link.textContent = heading === page ? page : `${page} › ${heading}`;
  const lower = text.toLowerCase();
  const first = Math.min(...terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0));
  const from = Number.isFinite(first) ? Math.max(0, first - excerptLength / 2) : 0;
  const excerpt = item.appendChild(document.createElement('p'));
  excerpt.textContent = `${from > 0 ? '…' : ''}${text.slice(from, from + excerptLength)}…`;
  return item;
};

const show = async (): Promise<void> => {
  if (input === null || list === null || status === null) return;
  const query = input.value.trim();
  const search = await (opened ??= open());
  // A later input shows its own results.
  if (query !== input.value.trim()) return;
  const hits = query === '' ? [] : search(query).slice(0, maxHits);
  list.replaceChildren(...hits.map((hit) => itemOf(hit)));
  list.hidden = hits.length === 0;
  status.textContent = query === '' ? '' : `${hits.length === 0 ? 'No' : hits.length} results`;
};

input?.addEventListener('input', () => void show());
input?.form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void show().then(() => list?.querySelector('a')?.click());
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement !== input) {
    event.preventDefault();
    input?.focus();
  } else if (event.key === 'Escape' && list !== null) list.hidden = true;
});
