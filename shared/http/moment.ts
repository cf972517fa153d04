import * as z from 'zod';
import type { ValidationProblem } from '../kernel/errors.ts';

/** A moment with its seconds, `T` and `Z`, which RFC 3339 and ISO 8601 let people leave out or write in other ways. */
const inFull = (text: string): string =>
  text.replace(
    /^(.{10})[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/,
    (_, day: string, minute: string, seconds: string | undefined, zone: string) =>
      `${day}T${minute}${seconds ?? ':00'}${zone.toUpperCase()}`,
  );

const momentFormat = z.iso.datetime({ offset: true });

const isDay = (text: string): boolean => z.iso.date().safeParse(text).success;
const isMoment = (text: string): boolean => momentFormat.safeParse(inFull(text)).success;

/** A moment with its time zone, in any form of RFC 3339 or ISO 8601 that has hyphens and colons. */
export const Moment = z.string().overwrite(inFull).check(momentFormat);

/** A day, or a moment as `Moment` has it. */
export const DayOrMoment = z
  .string()
  .overwrite(inFull)
  .superRefine((text, context) => {
    if (!isDay(text) && !isMoment(text)) context.addIssue({ code: 'invalid_format', format: 'datetime', input: text });
  });

/** How a moment goes on, and what is said where it does not. */
const expected: readonly (readonly [test: (text: string) => boolean, reason: string])[] = [
  [(text) => text.length >= 10, 'input is too short'],
  [(text) => /^\d{4}/.test(text), 'invalid character in year'],
  [(text) => /^.{4}-..-/.test(text), 'invalid date separator, expected `-`'],
  [(text) => /^.{5}(0[1-9]|1[0-2])/.test(text), 'month value is outside expected range of 1-12'],
  [(text) => isDay(text.slice(0, 10)), 'day value is outside expected range'],
  [(text) => /^.{10}[Tt ]/.test(text), 'invalid datetime separator, expected `T`, `t` or space'],
  [(text) => text.length >= 16, 'input is too short'],
  [(text) => /^.{13}:/.test(text), 'invalid time separator, expected `:`'],
  [(text) => /^.{11}([01]\d|2[0-3])/.test(text), 'hour value is outside expected range of 0-23'],
  [(text) => /^.{14}[0-5]\d/.test(text), 'minute value is outside expected range of 0-59'],
  [(text) => /^.{16}([^:]|:[0-5]\d)/.test(text), 'second value is outside expected range of 0-59'],
];

/** How text that is no moment is told of. */
export const noMoment = (text: string): Pick<ValidationProblem, 'type' | 'msg'> => {
  if (isDay(text) || isMoment(`${text}Z`)) return { type: 'timezone_aware', msg: 'Input should have timezone info' };
  const reason = expected.find(([test]) => !test(text))?.[1] ?? 'unexpected extra characters at the end of the input';
  return { type: 'datetime_from_date_parsing', msg: `Input should be a valid datetime or date, ${reason}` };
};
