import { Fragment } from 'react';
import type { Mark } from './use-search.ts';

/** Text with marked parts, which are in order and do not overlap. */
export const MarkedText = ({ text, marks }: { readonly text: string; readonly marks: readonly Mark[] }) => {
  const points = Array.from(text);
  const part = (start: number, end?: number): string => points.slice(start, end).join('');
  return (
    <>
      {marks.map(([start, end], at) => (
        <Fragment key={start}>
          {part(marks[at - 1]?.[1] ?? 0, start)}
          <mark>{part(start, end)}</mark>
        </Fragment>
      ))}
      {part(marks.at(-1)?.[1] ?? 0)}
    </>
  );
};
