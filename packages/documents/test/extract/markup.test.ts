import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chunkSections } from '../../src/extract/chunk/chunk.ts';
import { fileOf, outlineOf, readWhole } from './read.ts';

const outline = async (filename: string, text: string): Promise<readonly (readonly [string, string])[]> =>
  (await outlineOf(filename, Buffer.from(text))).map(([path, words]) => [path.join(' / '), words]);

test('AsciiDoc has headings, tables, lists, code and links without markup', async () => {
  const text = `= Lock manual
Ada Example
:gate: sluice gate

// A remark of the author.
== Opening

Turn the *wheel* of the {gate} link:https://example.com[slowly], see <<stop,below>>.

.Parts
[cols="1,1",options="header"]
|===
|Part |Size

|Wheel
|40 cm

2+|Spare parts are below.
|===

[source,sh]
----
open --gate 2   # *two*
----

* first
** inner
. one
. two

[#stop]
=== Stop

Lever:: Pull it.
`;
  assert.deepEqual(await outline('a.adoc', text), [
    ['Lock manual', 'Lock manual\n\nAda Example'],
    [
      'Lock manual / Opening',
      'Opening\n\nTurn the wheel of the sluice gate slowly, see below.\n\nParts\nPart | Size\nWheel | 40 cm\nSpare parts are below. | Spare parts are below.\n\nopen --gate 2   # *two*\n\n- first\n  - inner\n1. one\n2. two',
    ],
    ['Lock manual / Opening / Stop', 'Stop\n\nLever: Pull it.'],
  ]);
});

test('reStructuredText has headings by their underlines, tables, code and notes', async () => {
  const text = `==========
The locks
==========

Opening
-------

Turn the **wheel** of :ref:\`the gate <gate>\` slowly [1]_.

====== =====
Part   Size
====== =====
Wheel  40 cm
Lever  2 m
====== =====

.. note:: Never in winter.

.. code-block:: sh

   open --gate 2

.. a remark of the author
   on two lines

.. _gate:

Stop
----

+-------+------+
| Lock  | Year |
+=======+======+
| North | 1954 |
+-------+------+
`;
  assert.deepEqual(await outline('a.rst', text), [
    [
      'The locks / Opening',
      'The locks\n\nOpening\n\nTurn the wheel of the gate slowly [1].\n\nPart | Size\nWheel | 40 cm\nLever | 2 m\n\nNever in winter.\n\n   open --gate 2',
    ],
    ['The locks / Stop', 'Stop\n\nLock | Year\nNorth | 1954'],
  ]);
});

test('Org has headings without tags, tables, code and links, and no drawers', async () => {
  const text = `#+TITLE: Lock manual
#+STARTUP: overview
* Opening                                 :gate:work:
:PROPERTIES:
:ID: 12
:END:
Turn the *wheel* of [[https://example.com][the gate]].
# A remark of the author.
** Stop
| Part  | Size  |
|-------+-------|
| Wheel | 40 cm |
#+BEGIN_SRC sh
open --gate 2
#+END_SRC
`;
  assert.deepEqual(await outline('a.org', text), [
    ['Lock manual / Opening', 'Lock manual\n\nOpening\n\nTurn the wheel of the gate.'],
    ['Lock manual / Opening / Stop', 'Stop\n\nPart | Size\nWheel | 40 cm\n\nopen --gate 2'],
  ]);
});

test('LaTeX has sections, tables with merged cells, lists, accents and code, and no commands', async () => {
  const text = String.raw`\documentclass[12pt]{article}
\usepackage{graphicx}
\newcommand{\lock}[1]{the lock #1}
\title{Locks of the \emph{north}}
\author{Ad\'a Ex\"ample}
\begin{document}
\maketitle
\section{Methods}\label{sec:methods}
We opened each gate \textbf{twice}~\cite{smith} and paid 5\,\% more\footnote{In 1954.}. % a remark

The width was $\alpha \leq 40$ cm.
\begin{itemize}
\item the \href{https://example.com}{wheel}
\item the lever
\end{itemize}
\begin{table}
\caption{Locks by year}
\begin{tabular}{lr}
\toprule
Lock & Year \\ \midrule
North & 1954 \\
\multicolumn{2}{l}{closed in winter} \\
\bottomrule
\end{tabular}
\end{table}
\subsection{Counting}
\begin{verbatim}
open --gate 2 % two
\end{verbatim}
\end{document}
`;
  assert.deepEqual(await outline('a.tex', text), [
    ['Locks of the north', 'Locks of the north\n\nAdá Exämple'],
    [
      'Locks of the north / Methods',
      'Methods\n\nWe opened each gate twice and paid 5 % more (In 1954.).\n\nThe width was α ≤ 40 cm.\n\n- the wheel\n- the lever\n\nLocks by year\n\nLock | Year\nNorth | 1954\nclosed in winter | closed in winter',
    ],
    ['Locks of the north / Methods / Counting', 'Counting\n\nopen --gate 2 % two'],
  ]);
});

test('underlined lines of a plain text are its headings, by the order of their signs', async () => {
  const text =
    'THE LOCKS\n=========\n\nThe first was built\nin 1790.\n\nGates\n-----\nOf oak.\n\n1790 - 1954\n\nYears\n=====\n\nMany.';
  assert.deepEqual(await outline('a.txt', text), [
    ['THE LOCKS', 'THE LOCKS\n\nThe first was built\nin 1790.'],
    ['THE LOCKS / Gates', 'Gates\n\nOf oak.\n\n1790 - 1954'],
    ['Years', 'Years\n\nMany.'],
  ]);
});

const word = (text: string): string => Buffer.from(text.padEnd(2, '\0'), 'latin1').toString('hex');

test('captions of TTML, SAMI, SCC and SBV are read with their times', async () => {
  const said = ['The keeper lit the lamp.', 'Nobody saw it.'];
  const codes = (text: string): string => (text.match(/..?/g) ?? []).map(word).join(' ');
  const files: Readonly<Record<string, string>> = {
    'a.ttml': `<?xml version="1.0"?><tt xmlns="http://www.w3.org/ns/ttml"><head><styling/></head><body><div begin="60s"><p begin="00:00:01.000" end="00:00:03.500">The keeper<br/>lit the <span tts:color="red">lamp.</span></p><p begin="4s" dur="1500ms">Nobody saw it.</p></div></body></tt>`,
    'a.smi':
      '<SAMI><HEAD><STYLE><!-- P {margin:1pt;} --></STYLE></HEAD><BODY><SYNC Start=61000><P Class=EN>The keeper<br>lit the lamp.<SYNC Start=63500><P Class=EN>&nbsp;<SYNC Start=64000><P Class=EN>Nobody saw it.<SYNC Start=65500><P>&nbsp;</BODY></SAMI>',
    'a.scc': `Scenarist_SCC V1.0\n\n00:01:00:20\t9420 9420 9470 9470 ${codes('The keeper')} 9470 9470 ${codes('lit the lamp.')} 942f 942f\n\n00:01:03:15\t942c 942c\n\n00:01:03:25\t9420 9420 9470 9470 ${codes('Nobody saw it.')} 942f 942f\n\n00:01:05:15\t942c 942c\n`,
    'a.sbv': '0:01:01.000,0:01:03.500\nThe keeper\nlit the lamp.\n\n0:01:04.000,0:01:05.500\nNobody saw it.\n',
  };
  for (const [filename, text] of Object.entries(files)) {
    const { inspection, sections } = await readWhole(fileOf(filename, text));
    assert.equal(inspection.format, 'subtitles', filename);
    assert.deepEqual(sections[0]?.text.split('\n\n'), said, filename);
    const times = sections[0]?.marks?.map(({ first, last }) =>
      [first['start_seconds'], last['end_seconds']].map((seconds) => Math.floor(Number(seconds))),
    );
    assert.deepEqual(
      times,
      [
        [61, 63],
        [64, 65],
      ],
      filename,
    );
  }
});

test('captions after a long pause are a chunk with a time of their own', async () => {
  const cue = (at: string, until: string, text: string): string => `${at} --> ${until}\n${text}\n\n`;
  const text = `WEBVTT\n\n${cue('00:01.000', '00:03.000', 'The ferry leaves.')}${cue('00:20.000', '00:22.000', 'A gull follows.')}${cue('02:10.000', '02:12.000', 'The island is near.')}`;
  const { sections } = await readWhole(fileOf('a.vtt', text));
  assert.deepEqual(
    chunkSections(sections).map((chunk) => [chunk.text, chunk.place['start_seconds']]),
    [
      ['The ferry leaves.\n\nA gull follows.', 1],
      ['The island is near.', 130],
    ],
  );
});
