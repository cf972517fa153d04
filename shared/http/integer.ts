import * as z from 'zod';

/** Marks issues of integer schemas, which zod itself reports like those of any number. */
export const integerIssue = 'int_type';
/** Marks text in a query or path that is no integer. */
export const integerTextIssue = 'int_parsing';

/** A JSON integer within the safe range. */
export const integer = () => z.int({ error: integerIssue });

/** An integer from `minimum` to `maximum` as it stands in a query. */
export const integerText = (minimum: number, maximum: number) =>
  z
    .string()
    .regex(/^[+-]?\d{1,300}$/, { error: integerTextIssue })
    .transform(Number)
    .pipe(integer().min(minimum).max(maximum))
    .meta({ jsonSchema: { type: 'integer', minimum, maximum } });
