import * as z from 'zod';
import type { ValidationProblem } from '../kernel/errors.ts';

/** Normalizes a timestamp: adds seconds, and writes `T` and `Z`, which RFC 3339 and ISO 8601 allow in other forms. */
const normalized = (text: string): string =>
  text.replace(
    /^(.{10})[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/,
    (_, day: string, minute: string, seconds: string | undefined, zone: string) =>
      `${day}T${minute}${seconds ?? ':00'}${zone.toUpperCase()}`,
  );

const timestampFormat = z.iso.datetime({ offset: true });

const isDate = (text: string): boolean => z.iso.date().safeParse(text).success;
const isTimestamp = (text: string): boolean => timestampFormat.safeParse(normalized(text)).success;

/** Schema of a timestamp with time zone, in any form of RFC 3339 or ISO 8601 with hyphens and colons. */
export const Timestamp = z.string().overwrite(normalized).check(timestampFormat);

/** Schema of a date or a `Timestamp`. */
export const DateOrTimestamp = z
  .string()
  .overwrite(normalized)
  .superRefine((text, context) => {
    if (!isDate(text) && !isTimestamp(text))
      context.addIssue({ code: 'invalid_format', format: 'datetime', input: text });
  });

/** Tests of the parts of a timestamp, in order, with the message of each. */
const expected: readonly (readonly [test: (text: string) => boolean, reason: string])[] = [
  [(text) => text.length >= 10, 'input is too short'],
  [(text) => /^\d{4}/.test(text), 'invalid character in year'],
  [(text) => /^.{4}-..-/.test(text), 'invalid date separator, expected `-`'],
  [(text) => /^.{5}(0[1-9]|1[0-2])/.test(text), 'month value is outside expected range of 1-12'],
  [(text) => isDate(text.slice(0, 10)), 'day value is outside expected range'],
  [(text) => /^.{10}[Tt ]/.test(text), 'invalid datetime separator, expected `T`, `t` or space'],
  [(text) => text.length >= 16, 'input is too short'],
  [(text) => /^.{13}:/.test(text), 'invalid time separator, expected `:`'],
  [(text) => /^.{11}([01]\d|2[0-3])/.test(text), 'hour value is outside expected range of 0-23'],
  [(text) => /^.{14}[0-5]\d/.test(text), 'minute value is outside expected range of 0-59'],
  [(text) => /^.{16}([^:]|:[0-5]\d)/.test(text), 'second value is outside expected range of 0-59'],
];

/** Returns the problem of a text that is not a timestamp, in the wording of pydantic. */
export const timestampProblem = (text: string): Pick<ValidationProblem, 'type' | 'msg'> => {
  if (isDate(text) || isTimestamp(`${text}Z`))
    return { type: 'timezone_aware', msg: 'Input should have timezone info' };
  const reason = expected.find(([test]) => !test(text))?.[1] ?? 'unexpected extra characters at the end of the input';
  return { type: 'datetime_from_date_parsing', msg: `Input should be a valid datetime or date, ${reason}` };
};
