// Types of the parts that are used. They also hold in a checkout whose installed packages are older than the lock file.

declare module '@textlint/kernel' {
  interface RuleContext {
    readonly Syntax: { readonly Paragraph: string };
    readonly RuleError: new (message: string, padding: { readonly index: number }) => object;
    readonly getSource: (node: object) => string;
    readonly report: (node: object, error: object) => void;
  }

  export type TextlintRuleModule = (context: RuleContext) => Readonly<Record<string, (node: object) => void>>;

  export class TextlintKernelDescriptor {
    constructor(parts: {
      readonly rules: readonly {
        readonly ruleId: string;
        readonly rule: TextlintRuleModule;
        readonly options?: object;
      }[];
      readonly plugins: readonly { readonly pluginId: string; readonly plugin: object }[];
      readonly filterRules: readonly never[];
    });
    toKernelOptions(): object;
  }

  export class TextlintKernel {
    lintText(
      text: string,
      options: object,
    ): Promise<{ readonly messages: readonly { readonly line: number; readonly message: string }[] }>;
  }
}

declare module '@textlint/textlint-plugin-markdown' {
  const module: { readonly default: object };
  export default module;
}

declare module 'textlint-rule-terminology' {
  import type { TextlintRuleModule } from '@textlint/kernel';

  const rule: TextlintRuleModule;
  export default rule;
}

declare module 'cspell-lib' {
  export function spellCheckDocument(
    document: { readonly uri: string; readonly text: string; readonly languageId: string },
    options: { readonly generateSuggestions: boolean; readonly noConfigSearch: boolean },
    settings: object,
  ): Promise<{
    readonly issues: readonly {
      readonly text: string;
      readonly line: { readonly position?: { readonly line: number } };
    }[];
  }>;
}
