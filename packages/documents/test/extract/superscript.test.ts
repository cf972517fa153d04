import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markRaised, renderRaised, superscript } from '../../src/extract/text/superscript.ts';

test('a power is written with a caret, and in parentheses if it has several parts', () => {
  const cases = ['6', '-3', '−12', 'n', '+', ' 2 ', '0.5', 'n+1', '2n', '2+', ''];
  assert.deepEqual(cases.map(superscript), [
    '^6',
    '^-3',
    '^−12',
    '^n',
    '^+',
    '^2',
    '^0.5',
    '^(n+1)',
    '^(2n)',
    '^(2+)',
    '',
  ]);
});

test('raised text never becomes part of the figure or word before it', () => {
  const cases: readonly (readonly [string, string, string, string])[] = [
    ['holds 10', '6', ' litres', 'holds 10^6 litres'],
    ['area x', '2', 'y', 'area x^(2)y'],
    ['(a+b)', '2', '', '(a+b)^2'],
    ['40 m', '3', ' of gravel', '40 m^3 of gravel'],
    ['412', '7', '', '412^7'],
    ['the harbour', '7', ' is', 'the harbour [7] is'],
    ['was closed.', '7', 'Then', 'was closed. [7] Then'],
    ['the harbour', '1, 3', ', and', 'the harbour [1, 3], and'],
    ['the 1', 'st', ' of May', 'the 1st of May'],
    ['le 2', 'ème', ' quai', 'le 2ème quai'],
    ['the n', 'th', ' buoy', 'the nth buoy'],
    ['Strata', '™', ' is', 'Strata™ is'],
    ['Strata', 'TM', ' is', 'StrataTM is'],
    ['see ', '1', ' below', 'see 1 below'],
    ['', '14', 'C', '14C'],
    ['10', '6 ', 'litres', '10^6 litres'],
  ];
  for (const [before, raised, after, expected] of cases)
    assert.equal(renderRaised(before + markRaised(raised) + after), expected);
  assert.equal(renderRaised(`2${markRaised('n')}${markRaised('')}${markRaised('+1')} x`), '2^(n+1) x');
  assert.equal(renderRaised('a\uFDD5b\uFDD5c\uFDD6'), 'ab^c');
});
