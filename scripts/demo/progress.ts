import { type Bar, MultiBar, Presets } from 'cli-progress';

/** One line of progress for each phase: bars on a terminal, plain lines elsewhere. */
export interface Progress {
  /** Sets a phase to `value` of `total`; shows it from the first call on. */
  readonly set: (phase: string, value: number, total: number) => void;
  /** A line between the phases. */
  readonly say: (text: string) => void;
  readonly stop: () => void;
}

const nameWidth = 10;

const onTerminal = (): Progress => {
  const bars = new MultiBar(
    { format: '  {phase} [{bar}] {value}/{total}', hideCursor: true, clearOnComplete: false, autopadding: true },
    Presets.shades_classic,
  );
  const byPhase = new Map<string, Bar>();
  return {
    set: (phase, value, total) => {
      const bar = byPhase.get(phase) ?? bars.create(total, 0, { phase: phase.padEnd(nameWidth) });
      byPhase.set(phase, bar);
      bar.setTotal(total);
      bar.update(value);
      bars.update();
    },
    say: (text) => bars.log(`${text}\n`),
    stop: () => bars.stop(),
  };
};

const asLines = (): Progress => {
  const shown = new Map<string, string>();
  return {
    set: (phase, value, total) => {
      const text = `  ${phase.padEnd(nameWidth)} ${value}/${total}`;
      if (shown.get(phase) !== text) console.log(text);
      shown.set(phase, text);
    },
    say: (text) => console.log(text),
    stop: () => {},
  };
};

/** Progress that suits where the output goes. */
export const createProgress = (): Progress => (process.stdout.isTTY ? onTerminal() : asLines());
