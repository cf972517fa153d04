import { existsSync, globSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { build } from 'esbuild';
import { Marked, type Token, type Tokens } from 'marked';
import { digestOf, writeIfChanged } from './bundle/place-file.ts';
import { type Section, writeIndex } from './site/search.ts';
import { pagesOf, parts, pictures, siteSources } from './site/sources.ts';
import { projectDirectory } from './support/project-directory.ts';

/** Directory of the built site: its pages, script, style, search index and pictures. */
export const siteDirectory = join(projectDirectory, 'dist', 'guides');

/** Path of the site at a service. */
const base = '/guides';

interface Page {
  readonly path: string;
  readonly file: string;
  readonly part: (typeof parts)[number];
  readonly tokens: Token[];
  readonly title: string;
}

/** File of a page: its path without `docs/guides/` or `docs/`, with hyphens. */
const fileOf = (path: string): string => {
  if (path === 'docs/guides/README.md') return 'index.html';
  const name = path.replace(/^docs\/(?:guides\/)?/, '').replace(/\.md$/, '');
  return `${name.replaceAll('/', '-').toLowerCase()}.html`;
};

const addressOf = (file: string): string => (file === 'index.html' ? base : `${base}/${file}`);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Text of tokens, without marks. */
const textOf = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].map((row) => row.map((cell) => textOf(cell.tokens)).join(' ')).join(' ');
      }
      if (token.type === 'list') return (token as Tokens.List).items.map((item) => textOf(item.tokens)).join(' ');
      if (token.type === 'html') return '';
      if ('tokens' in token && token.tokens !== undefined) return textOf(token.tokens);
      return 'text' in token ? String(token['text']) : '';
    })
    .join(' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ([.,:;)])/g, '$1')
    .trim();

/** Returns the anchors of headings as GitHub makes them. */
const anchors = (): ((heading: string) => string) => {
  const seen = new Map<string, number>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    const times = seen.get(plain) ?? 0;
    seen.set(plain, times + 1);
    return times === 0 ? plain : `${plain}-${times}`;
  };
};

const readPages = async (): Promise<readonly Page[]> => {
  const pages = await Promise.all(
    parts.flatMap((part) =>
      pagesOf(part).map(async (path): Promise<Page> => {
        const tokens = new Marked().lexer(await readFile(join(projectDirectory, path), 'utf8'));
        const heading = tokens.find((token) => token.type === 'heading');
        const title = heading === undefined ? path : textOf([heading]);
        return { path, file: fileOf(path), part, tokens, title };
      }),
    ),
  );
  const files = Object.entries(Object.groupBy(pages, ({ file }) => file));
  const twice = files.find(([, all = []]) => all.length > 1);
  if (twice !== undefined) throw new Error(`${twice[1]?.map(({ path }) => path).join(' and ')} have one name`);
  return pages;
};

/** Address of what a page links to; null if the site does not have it, such as a source file. */
const targetOf = (page: Page, href: string, files: ReadonlyMap<string, string>): string | null => {
  if (/^(?:https?:|mailto:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const file = files.get(posix.normalize(posix.join(posix.dirname(page.path), path)));
  return file === undefined ? null : `${addressOf(file)}${anchor === undefined ? '' : `#${anchor}`}`;
};

const render = (page: Page, files: ReadonlyMap<string, string>): string => {
  const anchorOf = anchors();
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        return `<h${depth} id="${anchorOf(textOf(tokens))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const target = targetOf(page, href, files);
        const text = this.parser.parseInline(tokens);
        return target === null ? text : `<a href="${escaped(target)}">${text}</a>`;
      },
      image({ href, text }) {
        return `<img src="${escaped(targetOf(page, href, files) ?? href)}" alt="${escaped(text)}">`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parser(page.tokens);
  return html.replaceAll('<table>', '<div class="table" tabindex="0"><table>').replaceAll('</table>', '</table></div>');
};

/** Sections of a page, for the search. */
const sectionsOf = (page: Page): readonly Section[] => {
  const anchorOf = anchors();
  const sections: { heading: string; anchor: string; tokens: Token[] }[] = [];
  for (const token of page.tokens) {
    if (token.type === 'heading') {
      const heading = textOf((token as Tokens.Heading).tokens);
      sections.push({ heading, anchor: anchorOf(heading), tokens: [] });
    } else sections.at(-1)?.tokens.push(token);
  }
  return sections.map(({ heading, anchor, tokens }, at) => ({
    id: at === 0 ? addressOf(page.file) : `${addressOf(page.file)}#${anchor}`,
    page: page.title,
    heading,
    text: textOf(tokens),
    weight: page.part.weight,
  }));
};

const navigation = (current: Page, pages: readonly Page[]): string =>
  parts
    .flatMap((part) => {
      if (part.title === null) return [];
      const items = pages
        .filter((page) => page.part === part)
        .map((page) => {
          const isCurrent = page === current ? ' aria-current="page"' : '';
          return `<li><a href="${addressOf(page.file)}"${isCurrent}>${escaped(page.title)}</a></li>`;
        });
      const open = part === current.part || part.title === 'Guides' ? ' open' : '';
      return `<details${open}><summary>${part.title}</summary><ul>${items.join('')}</ul></details>`;
    })
    .join('\n');

interface Assets {
  readonly script: string;
  readonly style: string;
  readonly index: string;
}

const pageHtml = (
  page: Page,
  pages: readonly Page[],
  content: string,
  { script, style, index }: Assets,
): string => `<!doctype html>
<html lang="en" data-index="${base}/${index}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(page.title)} · Strata</title>
<link rel="stylesheet" href="${base}/${style}">
<script src="${base}/${script}" defer></script>
</head>
<body>
<header>
<a href="${base}">Strata</a>
<form role="search"><input id="query" type="search" placeholder="Search (/)" aria-label="Search" autocomplete="off">
<ol id="hits" aria-label="Results" hidden></ol><span id="status" role="status"></span></form>
<a href="/docs">API reference</a>
</header>
<div class="columns">
<nav aria-label="Pages">${navigation(page, pages)}</nav>
<main>
${content}</main>
</div>
</body>
</html>
`;

/** Name of a file with a hash of its content, as browsers may keep it. */
const hashed = (name: string, extension: string, content: string): string =>
  `${name}-${digestOf(content).slice(0, 8)}.${extension}`;

/** Builds the site of the documentation, without the files that are as they should be. Resolves to the number of pages. */
export const buildSite = async (): Promise<number> => {
  const source = join(import.meta.dirname, 'site', 'browser');
  const [pages, style, bundled] = await Promise.all([
    readPages(),
    readFile(join(source, 'page.css'), 'utf8'),
    build({ entryPoints: [join(source, 'page.ts')], bundle: true, minify: true, write: false, target: 'es2022' }),
  ]);
  const script = bundled.outputFiles[0]?.text ?? '';
  const index = writeIndex(pages.flatMap((page) => sectionsOf(page)));
  const assets: Assets = {
    script: hashed('site', 'js', script),
    style: hashed('site', 'css', style),
    index: hashed('search', 'json', index),
  };
  const files = new Map([
    ...pages.map(({ path, file }) => [path, file] as const),
    ...pictures().map((path) => [path, basename(path)] as const),
  ]);
  const built = new Map<string, string | Buffer>([
    [assets.script, script],
    [assets.style, style],
    [assets.index, index],
    ...pages.map((page) => [page.file, pageHtml(page, pages, render(page, files), assets)] as const),
  ]);
  for (const path of pictures()) built.set(basename(path), await readFile(join(projectDirectory, path)));
  await Promise.all(
    [...built].map(([name, content]) => writeIfChanged(join(siteDirectory, name), Buffer.from(content))),
  );
  const strays = (await readdir(siteDirectory)).filter((name) => !built.has(name));
  await Promise.all(strays.map((name) => rm(join(siteDirectory, name), { force: true })));
  return pages.length;
};

const stampFile = join(projectDirectory, 'dist', 'guides-stamp');

/** Builds the site, unless its sources are those of the last build. */
export const refreshSite = async (): Promise<void> => {
  const code = globSync('scripts/{build-site.ts,site/**/*.{css,ts}}', { cwd: projectDirectory }).toSorted();
  const paths = [...siteSources(), ...code, 'package-lock.json'];
  const digests = paths.map(async (path) => [path, digestOf(await readFile(join(projectDirectory, path)))]);
  const digest = digestOf(JSON.stringify(await Promise.all(digests)));
  const isBuilt = existsSync(join(siteDirectory, 'index.html'));
  if (isBuilt && (await readFile(stampFile, 'utf8').catch(() => '')) === digest) return;
  await buildSite();
  await writeFile(stampFile, digest);
};

if (import.meta.main) {
  const startedAt = performance.now();
  const pages = await buildSite();
  console.log(`dist/guides: ${pages} pages in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
}
