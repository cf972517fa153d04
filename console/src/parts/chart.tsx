import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { languages, shortNumber } from './format.tsx';
import { Loading } from './notices.tsx';

export interface Series {
  readonly name: string;
  readonly color: string;
  /** By day; null leaves a gap. */
  readonly values: readonly (number | null)[];
}

/** Curves over days. Screen readers read the figures of the last day. */
export const DayChart = ({
  label,
  days,
  series,
  format = shortNumber,
}: {
  readonly label: string;
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly format?: (value: number) => string;
}) => {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  const figure = (value: number | null | undefined): string => (value == null ? '–' : format(value));
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const ink = scheme === 'dark' ? '#c9c9c9' : '#495057';
    const grid = { stroke: scheme === 'dark' ? '#3b3b3b' : '#e9ecef', width: 1 };
    const plot = new UPlot(
      {
        width: element.clientWidth,
        height: 200,
        cursor: { y: false },
        axes: [
          {
            stroke: ink,
            grid,
            values: (_, splits) =>
              splits.map((at) =>
                new Date(at * 1000).toLocaleDateString(languages, {
                  day: 'numeric',
                  month: 'short',
                  timeZone: 'UTC',
                }),
              ),
          },
          { stroke: ink, grid, size: 64, values: (_, splits) => splits.map((value) => format(value)) },
        ],
        scales: { y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] } },
        series: [
          {
            label: 'Day',
            value: (plot, at) =>
              new Date((at ?? plot.data[0].at(-1) ?? 0) * 1000).toLocaleDateString(languages, { timeZone: 'UTC' }),
          },
          ...series.map(({ name, color, values }) => ({
            label: name,
            stroke: color,
            width: 2,
            fill: `${color}18`,
            // A day between two gaps has no line.
            points: { show: values.filter((value) => value !== null).length < 3 },
            // Without a cursor, the legend shows the last day.
            value: (_: UPlot, value: number | null) => figure(value ?? values.at(-1)),
          })),
        ],
      },
      [
        days.map((date) => Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / 1000),
        ...series.map(({ values }) => [...values]),
      ],
      element,
    );
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: 200 }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      plot.destroy();
    };
  }, [days, series, format, scheme]);
  if (days.length === 0) return <Loading />;
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={`${label}: ${series.map(({ name, values }) => `${name} ${figure(values.at(-1))} on the last day`).join(', ')}`}
    >
      <div ref={place} aria-hidden="true" />
    </figure>
  );
};
