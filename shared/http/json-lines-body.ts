import { isUtf8 } from 'node:buffer';
import { AppError, ValidationFailure, type ValidationProblem } from '../kernel/errors.ts';
import { jsonBody, maxBodyBytes, parseJson, requireFewElements, requirePlain, type SentBody } from './body.ts';
import { maxProblems } from './validation-problems.ts';

/** Media type of a body with one JSON value per line. */
export const jsonLinesType = 'application/x-ndjson';

const isJsonLines = ({ 'content-type': type = '' }: SentBody['headers']): boolean =>
  /^application\/(?:x-ndjson|jsonl|x-jsonlines)[ \t]*(?:;|$)/i.test(type);

/** Returns problems of items with the numbers of their lines, from 1. */
export const withLineNumbers = (problems: readonly ValidationProblem[]): readonly ValidationProblem[] =>
  problems.map((problem) => {
    const [, at] = problem.loc;
    return typeof at === 'number' ? { ...problem, msg: `Line ${at + 1}: ${problem.msg}` } : problem;
  });

const linesOf = (body: string): readonly string[] => body.replace(/(?:\r?\n)+$/u, '').split('\n');

/**
 * Returns the parser of bodies with one JSON value per line, which also takes the JSON list of these values. The positions
 * of problems are those of lines, from 0.
 */
export const jsonLinesBody = (maxBytes: number | undefined, maxLines: number) => {
  const limit = maxBytes ?? maxBodyBytes;
  const asJson = jsonBody(limit);
  return (sent: SentBody): unknown => {
    if (!isJsonLines(sent.headers)) return asJson(sent);
    requirePlain(sent.headers);
    const bytes = Buffer.from(sent.body ?? '', sent.isBase64Encoded ? 'base64' : 'utf8');
    if (bytes.length > limit) throw new AppError('payload_too_large', `The body may have at most ${limit} bytes`);
    const lines = linesOf(bytes.toString('utf8'));
    if (lines.length > maxLines) throw new AppError('payload_too_large', `The body may have at most ${maxLines} lines`);
    // Lines that are no JSON are reported with their numbers below.
    requireFewElements(`[${lines.join(',')}]`);
    const problems: ValidationProblem[] = [];
    if (!isUtf8(bytes)) problems.push({ loc: ['body'], msg: 'The body is not valid UTF-8', type: 'json_invalid' });
    const values = lines.map((line, at) => {
      try {
        return parseJson(line);
      } catch (error) {
        if (!(error instanceof ValidationFailure)) throw error;
        if (problems.length < maxProblems)
          problems.push(
            ...error.problems.map(({ msg, type }) => ({ loc: ['body', at], msg: `Line ${at + 1}: ${msg}`, type })),
          );
        return null;
      }
    });
    if (problems.length > 0) throw new ValidationFailure(problems.slice(0, maxProblems));
    return values;
  };
};

/** Whether problems of a body are those of lines. */
export const hasLines = ({ headers }: Pick<SentBody, 'headers'>): boolean => isJsonLines(headers);
