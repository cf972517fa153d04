import { join } from 'node:path';
import { projectDirectory } from '../support/project-directory.ts';
import type { Emulator } from './ministack.ts';
import type { StepRunner } from './steps.ts';

export const region = 'us-east-1';
const account = '000000000000';

/** A user who owns an organization. */
export const user = { email: 'emulator@example.com', password: 'Only-4-emulators' } as const;

/** Models that need no service of AWS. */
const parameters = ['EmbeddingProvider=embedded', 'OcrProvider=embedded', 'AudioProvider=off'];

/** A deployment of Strata in an emulator. */
export class EmulatedDeployment {
  readonly #emulator: Emulator;
  readonly #steps: StepRunner;
  /** Outputs of the stacks as the CDK prints them, such as `Api.ApiUrl`. */
  readonly #outputs = new Map<string, string>();

  constructor(emulator: Emulator, steps: StepRunner) {
    this.#emulator = emulator;
    this.#steps = steps;
  }

  get env(): NodeJS.ProcessEnv {
    return { ...this.#emulator.env, AWS_REGION: region, AWS_DEFAULT_REGION: region, STRATA_PASSWORD: user.password };
  }

  /** Address of the API. Its own name in ministack, below localhost, is no name that every machine resolves. */
  get url(): string {
    const [, id = ''] = /^https:\/\/([^.]+)/.exec(this.#output('Api.ApiUrl')) ?? [];
    return `${this.#emulator.url}/_aws/execute-api/${id}/$default`;
  }

  bootstrap(): Promise<string> {
    return this.#cdk('bootstrap', projectDirectory, ['bootstrap', `aws://${account}/${region}`, '--app', '']);
  }

  /** Deploys the checkout in a directory. The user pool comes first, because a parameter contains the address of its keys. */
  async deploy(name: string, checkout: string): Promise<void> {
    await this.#deployStacks(`${name}, user pool`, checkout, ['Data'], []);
    const pool = this.#output('Data.UserPoolId');
    await this.#deployStacks(
      name,
      checkout,
      [],
      [
        ...parameters,
        `IdentityIssuer=https://cognito-idp.${region}.amazonaws.com/${pool}`,
        `IdentityAudience=${this.#output('Data.UserPoolClientId')}`,
        `IdentityKeys=${this.#emulator.url}/${pool}/.well-known/jwks.json`,
      ],
    );
  }

  createUser(): Promise<string> {
    return this.script('create user', 'create-user.ts', ['--email', user.email]);
  }

  smoke(name: string): Promise<string> {
    return this.script(name, 'smoke.ts', ['--url', this.url, '--user', user.email]);
  }

  destroy(): Promise<string> {
    return this.#cdk('destroy', projectDirectory, ['destroy', '--all', '--force']);
  }

  /** Runs an operator's command of this checkout. */
  script(name: string, file: string, args: readonly string[]): Promise<string> {
    const path = join(projectDirectory, 'scripts', file);
    const command = { program: process.execPath, args: [path, ...args], cwd: projectDirectory, env: this.env };
    return this.#steps.run(name, command);
  }

  #output(name: string): string {
    const value = this.#outputs.get(name);
    if (value === undefined) throw new Error(`the deployment has no output ${name}`);
    return value;
  }

  /** Deploys by the command of the checkout. */
  async #deployStacks(
    name: string,
    checkout: string,
    stacks: readonly string[],
    values: readonly string[],
  ): Promise<void> {
    const script = join(checkout, 'scripts', 'deploy.ts');
    const args = [script, '--approval', 'never', ...values.map((value) => `--parameters=${value}`), ...stacks];
    const log = await this.#steps.run(name, { program: process.execPath, args, cwd: checkout, env: this.env });
    for (const [, output = '', value = ''] of log.matchAll(/^([A-Z]\w*\.\w+) = (\S+)$/gm))
      this.#outputs.set(output, value);
  }

  #cdk(name: string, cwd: string, args: readonly string[]): Promise<string> {
    const program = join(projectDirectory, 'node_modules', '.bin', 'cdk');
    return this.#steps.run(name, { program, args, cwd, env: this.env });
  }
}
