import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, readWhole } from './read.ts';

const story = `<p>${'The keeper counted the ships, one by one, until the fog came in. '.repeat(8)}</p>`;

/** Text of a page, without the title of its file. */
const textOf = async (html: string): Promise<string> => {
  const { sections } = await readWhole(fileOf('a.html', `<!doctype html>${html}`));
  return sections.map(({ text }) => text).join('\n\n');
};

/** Text read of a body that is too short for an article, and of the same body in an article. */
const bothOf = async (body: string): Promise<readonly [string, string]> => {
  const long = await textOf(`<article>${story}${body}${story}</article>`);
  return [await textOf(body), long.split(/The keeper [^\n]*/)[1]?.trim() ?? ''];
};

test('the text of a button in a heading, a term or a summary is read, and that of other buttons is not', async () => {
  const body = `<h2 class="accordion-header"><button><span>Can I return a lamp?</span></button></h2><p>Within thirty days.</p>
    <dl><dt>1 <button>Who pays?</button></dt><dd>The sender.</dd></dl>
    <details><summary><button>Where to?</button></summary><p>To Husum.</p></details>
    <h3>Hours <button>Copy link</button></h3><p>Nine to five. <button>Share</button></p>`;
  const expected =
    'Can I return a lamp?\n\nWithin thirty days.\n\n1 Who pays?\nThe sender.\n\nWhere to?\n\nTo Husum.\n\nHours\n\nNine to five.';
  for (const text of await bothOf(body)) assert.equal(text, expected);
});

test('collapsed panels of an article are read, and other hidden elements are not', async () => {
  const panels = `<button role="tab" aria-controls="linux">Linux</button><div role="tabpanel" id="linux" hidden><p>Use apt.</p></div>
    <div hidden="until-found"><p>Found by a search.</p></div>
    <h3><button aria-controls="a1 a2">Who pays?</button></h3><div id="a1" aria-hidden="true" style="display: none"><p>The sender.</p></div>`;
  const expected = 'Use apt.\n\nFound by a search.\n\nWho pays?\n\nThe sender.';
  for (const text of await bothOf(panels)) assert.equal(text, expected);
  const hidden = `<button aria-controls="d m">Open</button><div id="d" role="dialog" hidden><p>Sign in.</p></div>
    <div id="m" role="menu" hidden><p>Pick one.</p></div><div hidden><p>A draft.</p></div>`;
  for (const text of await bothOf(`${hidden}<p>All of it.</p>`)) assert.equal(text, 'All of it.');
});

test('a declarative shadow root is read at its place, and other templates are not', async () => {
  const body = `<x-card><template shadowrootmode="open"><style>p { color: red }</style><h2>Hours</h2><p>Nine to <x-b><template
    shadowrootmode="closed">five</template></x-b>.</p><slot></slot></template><p>Not on Sundays.</p></x-card>
    <template><p>Hello, {{ name }}</p></template>`;
  for (const text of await bothOf(body)) assert.equal(text, 'Hours\n\nNine to five.\n\nNot on Sundays.');
  const within = `<nav>Menu</nav><x-main><template shadowrootmode="open"><main><p>Short.</p></main></template></x-main>`;
  assert.equal(await textOf(within), 'Short.');
});

test('items of an ordered list have their numbers, and a paragraph that looks like a list marker is kept', async () => {
  const body = `<ol start="3"><li>Fill</li><li><p>Light</p><ul><li>wick</li></ul></li><li value="9">Watch</li></ol>
    <ol reversed><li>Last</li></ol><ol reversed start="2"><li>Two</li><li>One</li></ol><p>1.</p><p>-</p>
    <ol><li><h3>Install</h3><p>From disk.</p></li></ol>`;
  const expected =
    '3. Fill\n4. Light\n- wick\n9. Watch\n\n- Last\n\n2. Two\n1. One\n\n1.\n\n-\n\nInstall\n\nFrom disk.';
  for (const text of await bothOf(body)) assert.equal(text, expected);
});

test('code beside line numbers keeps its lines and loses the numbers', async () => {
  const row = (code: string): string =>
    `<tr><td class="gutter"><pre>9\n10\n11\n</pre></td><td class="code">${code}</td></tr>`;
  const code = '<pre><code><b>def</b> f(x):\n    if x:\n        return 1\n</code></pre>';
  const read = 'def f(x):\n    if x:\n        return 1';
  for (const text of await bothOf(`<table>${row(code)}</table>`)) assert.equal(text, read);
  for (const text of await bothOf(`<pre><code><table><tbody>${row(code)}</tbody></table></code></pre>`))
    assert.equal(text, read);
  const table = '<table><tr><th>Command</th><th>Code</th></tr><tr><td><pre>ls -l\n</pre></td><td>0</td></tr></table>';
  for (const text of await bothOf(table)) assert.equal(text, 'Command | Code\nls -l | 0');
  const numbers = '<pre>1\n2\n3</pre>';
  for (const text of await bothOf(numbers)) assert.equal(text, '1\n2\n3');
});
