import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { attributesByPhase, boundTrace, type Phase, type TraceStep } from '../../shared/pipeline/steps.ts';

const step = (attempt: number, phase: Phase, attributes: TraceStep['attributes'] = {}): TraceStep => ({
  attempt,
  phase,
  started_at: new Date(Date.UTC(2026, 0, 1) + attempt * 60_000).toISOString(),
  duration_ms: attempt,
  attributes,
});

const durations = (trace: readonly TraceStep[], phase: Phase): number =>
  trace.reduce((sum, { phase: of, duration_ms }) => (of === phase ? sum + duration_ms : sum), 0);

it('bounds the trace of a task that begins hundreds of times, and keeps what its phases took', () => {
  const all: TraceStep[] = [];
  let trace: TraceStep[] = [];
  for (let attempt = 1; attempt <= 300; attempt += 1) {
    const steps = [
      step(attempt, 'content.extract', { pages: 5 }),
      step(attempt, 'embedding.generate', { failed: true }),
    ];
    all.push(...steps);
    trace = [...boundTrace(trace), ...steps];
  }
  assert.ok(trace.length <= 102, String(trace.length));
  for (const phase of ['content.extract', 'embedding.generate'] as const) {
    assert.equal(durations(trace, phase), durations(all, phase));
  }
  assert.deepEqual(trace[0], { ...all[0], duration_ms: trace[0]?.duration_ms });
  assert.deepEqual(trace.slice(-50), all.slice(-50));
});

it('leaves a trace of ordinary length as it is', () => {
  const trace = [step(1, 'content.extract', { pages: 2 }), step(2, 'content.extract', { failed: true })];
  assert.deepEqual(boundTrace(trace), trace);
});

it('has the phases and figures that the handbook describes', () => {
  const chapter = readFileSync(new URL('../../docs/handbook/06-files.md', import.meta.url), 'utf8');
  const rows = [...chapter.matchAll(/^\| `(\w+\.\w+)` +\|[^|]*\|(.*)\|$/gm)];
  const told = rows.map(([, phase, names = '']) => [phase, [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name)]);
  assert.deepEqual(told, Object.entries(attributesByPhase));
});
