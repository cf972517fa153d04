import type { Comparison, Measured } from '../measure/compare.ts';

const width = 860;
const labelWidth = 190;
const barHeight = 16;
const rowHeight = 22;
const groupGap = 34;
const colours = { strata: '#2563eb', lance: '#94a3b8', other: '#d97706' } as const;

const escapeXml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

const colourOf = ({ peer }: Measured): string =>
  peer.name === 'strata' || peer.name === 'lance' ? colours[peer.name] : colours.other;

const p50Of = ({ times }: Measured): number => times.get(1)?.p50Ms ?? Number.NaN;

/** Returns the position of a time on a logarithmic scale. */
const scaleOf = (times: readonly number[]): ((ms: number) => number) => {
  const low = Math.floor(Math.log10(Math.min(...times)));
  const high = Math.log10(Math.max(...times));
  const room = width - labelWidth - 70;
  return (ms) => Math.max(2, ((Math.log10(ms) - low) / (high - low || 1)) * room);
};

const barOf = (measured: Measured, top: number, barWidth: number): string => {
  const { title, reached } = measured.peer;
  const label = `<text x="${labelWidth - 8}" y="${top + 12}" text-anchor="end">${escapeXml(`${title} (${reached})`)}</text>`;
  const bar = `<rect x="${labelWidth}" y="${top}" width="${barWidth.toFixed(1)}" height="${barHeight}" rx="2" fill="${colourOf(measured)}"/>`;
  const value = `<text x="${(labelWidth + barWidth + 6).toFixed(1)}" y="${top + 12}">${p50Of(measured).toFixed(1)} ms</text>`;
  return label + bar + value;
};

/** Draws the median time of a search with one client, on a logarithmic scale. */
export const plotSearchTimes = (comparisons: readonly Comparison[]): string => {
  const scale = scaleOf(comparisons.flatMap(({ measured }) => measured.map(p50Of)).filter(Number.isFinite));
  const parts: string[] = [];
  let top = 8;
  for (const { size, measured } of comparisons) {
    const heading = `${size.rows.toLocaleString('en-US')} vectors of ${size.dimensions} dimensions`;
    parts.push(`<text x="${labelWidth}" y="${top + 14}" font-weight="bold">${heading}</text>`);
    top += rowHeight;
    for (const one of measured.toSorted((a, b) => p50Of(a) - p50Of(b))) {
      parts.push(barOf(one, top, scale(p50Of(one))));
      top += rowHeight;
    }
    top += groupGap - rowHeight;
  }
  const size = `width="${width}" height="${top}" viewBox="0 0 ${width} ${top}"`;
  const paper = `<rect width="${width}" height="${top}" fill="#ffffff"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="system-ui, sans-serif" font-size="12">\n${paper}\n${parts.join('\n')}\n</svg>\n`;
};
