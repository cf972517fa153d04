import type { EngineName } from './engines.ts';
import type { Filter } from './filter.ts';
import type { FilterSettings } from './metadata-tokens.ts';
import type { Row } from './port.ts';
import { compileFilter } from './s3-vectors/compile-filter.ts';
import { rowProblem } from './s3-vectors/encode-row.ts';
import { Unsupported } from './unsupported.ts';

/** Reports what an engine cannot do, before a request reaches it. */
interface EngineProblems {
  /** Returns why the engine cannot store a row; null if it can. */
  readonly ofRow: (row: Omit<Row, 'id' | 'vector'>, settings: FilterSettings) => string | null;
  /** Returns what the engine lacks for a filter of a search; null if it lacks nothing. */
  readonly ofFilter: (filter: Filter) => Unsupported | null;
}

/** Returns the error of `work` if it is `Unsupported`; null if it has none. */
const unsupportedIn = (work: () => unknown): Unsupported | null => {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Unsupported) return error;
    throw error;
  }
};

const problems: Readonly<Record<EngineName, EngineProblems>> = {
  lance: { ofRow: () => null, ofFilter: () => null },
  s3_vectors: {
    ofRow: rowProblem,
    ofFilter: (filter) => unsupportedIn(() => compileFilter(filter)),
  },
};

export const problemsOf = (engine: EngineName): EngineProblems => problems[engine];
