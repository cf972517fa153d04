import * as z from 'zod';
import { parseJson } from '../../../shared/http/body.ts';
import { problemsOf } from '../../../shared/http/validation-problems.ts';
import { ValidationFailure, type ValidationProblem } from '../../../shared/kernel/errors.ts';

/** Arguments by name, as an agent sends them. */
type SentArguments = Readonly<Record<string, unknown>>;

/** Clients send these for an argument that their user left empty. */
const isUnset = (value: unknown): boolean => value === null || value === '';

const isOptional = (schema: z.core.$ZodType): boolean =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;

const requiredOf = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? requiredOf(schema.unwrap()) : schema;

/** Reads a number or an object that a client sent as text. Text of another form stays, and the schema refuses it. */
const readText = (text: string, schema: z.core.$ZodType): unknown => {
  const isNumber = schema instanceof z.ZodNumber && /^-?\d+$/.test(text);
  if (!isNumber && !(schema instanceof z.ZodRecord)) return text;
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof ValidationFailure) return text;
    throw error;
  }
};

const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_]/g, '').replace(/s$/, '');

/** Returns problems of arguments that are probably misspelt. If `filters` was ignored, a search would find too much. */
const misspellings = (names: readonly string[], sent: SentArguments): readonly ValidationProblem[] =>
  Object.keys(sent)
    .filter((name) => !names.includes(name) && !isUnset(sent[name]))
    .flatMap((name) => {
      const meant = names.find((known) => folded(known) === folded(name));
      return meant === undefined
        ? []
        : [{ loc: ['body', name], msg: `There is no such argument: pass ${meant}`, type: 'extra_forbidden' }];
    });

/**
 * Reads the arguments of a tool as agents send them. Null and empty text count as absent, and text as the number or object
 * in it. Arguments that a framework adds for its own use are ignored. Throws `ValidationFailure` with every problem.
 */
export const readArguments = (input: z.ZodObject, sent: SentArguments): unknown => {
  const entries = Object.entries<z.core.$ZodType>(input.shape).flatMap(
    ([name, schema]): readonly (readonly [string, unknown])[] => {
      const value = Object.hasOwn(sent, name) ? sent[name] : undefined;
      if (value === undefined || (isUnset(value) && isOptional(schema))) return [];
      return [[name, typeof value === 'string' ? readText(value, requiredOf(schema)) : value]];
    },
  );
  const given = Object.fromEntries(entries);
  const read = input.safeParse(given);
  const problems = [
    ...(read.success ? [] : problemsOf('body', read.error.issues, given)),
    ...misspellings(Object.keys(input.shape), sent),
  ];
  if (problems.length > 0) throw new ValidationFailure(problems);
  return read.data;
};
