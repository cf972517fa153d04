import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { chunkSections, readDocument } from '#documents';
import type { TextLanguage } from '#engine';

/** Documents, questions, and which documents answer which question. */
export interface Collection {
  readonly name: string;
  readonly language: TextLanguage;
  /** Headings above a document, if it is a chunk of a file. */
  readonly headings?: ReadonlyMap<string, readonly string[]>;
  readonly documents: ReadonlyMap<string, string>;
  readonly questions: ReadonlyMap<string, string>;
  readonly relevant: ReadonlyMap<string, ReadonlySet<string>>;
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Reads entries that begin with `.I`, each with the text under the given letters. */
const readMarked = (content: string, letters: string): readonly (readonly [id: string, text: string])[] =>
  content
    .split(/^\.I\s*/m)
    .slice(1)
    .map((entry) => {
      const [id = '', ...fields] = entry.split(/^\.(?=[A-Z]\s*$)/m);
      const wanted = fields.filter((field) => letters.includes(field.charAt(0)));
      return [id.trim(), squeeze(wanted.map((field) => field.slice(1)).join(' '))] as const;
    });

const tagged = (entry: string, tag: string): string =>
  squeeze(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'i').exec(entry)?.[1] ?? '');

const readTagged = (content: string, entry: string, id: string, tags: readonly string[]) =>
  [...content.matchAll(new RegExp(`<${entry}>([\\s\\S]*?)</${entry}>`, 'gi'))].map(
    ([, body = '']) => [tagged(body, id), tags.map((tag) => tagged(body, tag)).join(' ')] as const,
  );

/** Reads lines of question and document, in the four columns of TREC or with the document second. */
const readJudgements = (content: string): ReadonlyMap<string, ReadonlySet<string>> => {
  const rows = content
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => row.length >= 2);
  const trec = rows.every((row) => row.length === 4 && row[1] === '0');
  const relevant = new Map<string, Set<string>>();
  for (const row of rows) {
    const [question = '', second = '', third = '', fourth = ''] = row;
    const [document, grade] = trec ? [third, fourth] : [second, third];
    if (trec && Number(grade) <= 0) continue;
    relevant.set(question, (relevant.get(question) ?? new Set()).add(document));
  }
  return relevant;
};

/** Reads documents, questions and judgements from three files, in the old format with dots (Cranfield, CISI) or of TREC. */
const readDirectory = (directory: string): Collection => {
  const find = (pattern: RegExp): string => {
    const name = readdirSync(directory).find((entry) => pattern.test(entry));
    if (name === undefined) throw new Error(`${directory} has no file like ${pattern.source}`);
    return readFileSync(join(directory, name), 'utf8');
  };
  const [documents, questions] = [find(/\ball\b|docs/i), find(/qry|quer|topics/i)];
  const asked = /^\.I/m.test(questions) ? readMarked(questions, 'W') : readTagged(questions, 'top', 'num', ['title']);
  const parts = /^\.I/m.test(documents)
    ? readMarked(documents, 'TW')
    : readTagged(documents, 'doc', 'docno', ['title', 'text']);
  return {
    name: basename(directory),
    language: 'english',
    documents: new Map(parts.filter(([, text]) => text !== '')),
    // Judgements refer to questions by position; Cranfield's own numbers have gaps.
    questions: new Map(asked.map(([, text], at) => [String(at + 1), text])),
    relevant: readJudgements(find(/rel/i)),
  };
};

interface Squad {
  readonly data: readonly {
    readonly paragraphs: readonly {
      readonly context: string;
      readonly qas: readonly { readonly question: string }[];
    }[];
  }[];
}

/** Languages of the files of XQuAD, which end with their code. Others have no analyzer. */
const languages: Readonly<Record<string, TextLanguage>> = {
  ar: 'arabic',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  ro: 'romanian',
  ru: 'russian',
  tr: 'turkish',
};

/** Reads questions of reading comprehension (SQuAD, XQuAD): the paragraph of a question is its one answer. */
const readSquad = (file: string): Collection => {
  // Cast: the file's own format.
  const { data } = JSON.parse(readFileSync(file, 'utf8')) as Squad;
  const paragraphs = data.flatMap((article) => article.paragraphs);
  const asked = paragraphs.flatMap(({ qas }, at) => qas.map(({ question }) => [question, String(at)] as const));
  return {
    name: basename(file, '.json'),
    language: languages[/\.([a-z]{2})\.json$/.exec(file)?.[1] ?? 'en'] ?? 'none',
    documents: new Map(paragraphs.map(({ context }, at) => [String(at), context])),
    questions: new Map(asked.map(([question], at) => [String(at), question])),
    relevant: new Map(asked.map(([, document], at) => [String(at), new Set([document])])),
  };
};

/** Question about a manual. A chunk of the file answers it if it contains the needle. */
interface ManualQuestion {
  readonly question: string;
  readonly file: string;
  readonly needle: string;
}

const manualQuestions = 'questions.json';

/** Returns a text without white space and markup, in which a needle is looked for. */
const bare = (text: string): string => text.replace(/[\s`*_\\]/g, '');

/** Reads manuals, cut into chunks as the service cuts them, with `questions.json`. Questions without an answer are left out. */
const readManuals = async (directory: string): Promise<Collection> => {
  const [documents, headings] = [new Map<string, string>(), new Map<string, readonly string[]>()];
  // Cast: the file's own format.
  const asked = JSON.parse(readFileSync(join(directory, manualQuestions), 'utf8')) as readonly ManualQuestion[];
  for (const filename of readdirSync(directory).filter((name) => name !== manualQuestions)) {
    const file = { filename, bytes: readFileSync(join(directory, filename)), contentType: '', maySupplyRows: false };
    const { sections } = await readDocument(file, join(import.meta.dirname, '../../node_modules'), null);
    for (const [at, { text, headingPath }] of chunkSections(sections).entries()) {
      documents.set(`${filename} ${at}`, text);
      headings.set(`${filename} ${at}`, headingPath);
    }
  }
  const answersOf = ({ file, needle }: ManualQuestion): ReadonlySet<string> =>
    new Set(
      [...documents].flatMap(([id, text]) =>
        id.startsWith(`${file} `) && bare(text).includes(bare(needle)) ? [id] : [],
      ),
    );
  return {
    name: basename(directory),
    language: 'english',
    documents,
    headings,
    questions: new Map(asked.map(({ question }, at) => [String(at), question])),
    relevant: new Map(asked.map((one, at) => [String(at), answersOf(one)])),
  };
};

/** Reads a directory or a JSON file. Throws if a part is missing. */
export const readCollection = async (path: string): Promise<Collection> => {
  if (!statSync(path).isDirectory()) return readSquad(path);
  return existsSync(join(path, manualQuestions)) ? readManuals(path) : readDirectory(path);
};
