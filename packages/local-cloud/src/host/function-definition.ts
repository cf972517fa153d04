/** A function as its template describes it. */
export interface FunctionDefinition {
  readonly region: string;
  readonly name: string;
  readonly arn: string;
  /** Directory with the code: what Lambda would unpack under `/var/task`. */
  readonly codeDirectory: string;
  /** `file.export`. */
  readonly handler: string;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Directories with the content of each layer: what Lambda would unpack under `/opt`. */
  readonly layerDirectories: readonly string[];
}

/** Returns the id of the definition in code: the physical name without the prefix of the deployment. */
export const functionId = ({ name, environment }: FunctionDefinition): string => {
  const prefix = `${environment['STRATA_DEPLOYMENT'] ?? ''}-`;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
};
