import { isObject } from '../kernel/json.ts';

/** Runs a check of a whole object even where fields of it are wrong, so that all problems are told at once. */
export const besideOthers = ({ value }: { readonly value: unknown }): boolean => isObject(value);
