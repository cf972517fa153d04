import cliProgress from 'cli-progress';

/** One phase of the demo; a share of 1 ends it. */
export interface Phase {
  readonly update: (share: number, note: string) => void;
  readonly finish: (note: string) => void;
}

/** Shows phases: as bars on a terminal, as lines anywhere else. */
export interface Progress {
  readonly begin: (name: string) => Phase;
  readonly stop: () => void;
}

const nameWidth = 8;
const lineIntervalMs = 2_000;
const redrawIntervalMs = 200;

const secondsSince = (began: number): string => `${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s`;

const showBars = (): Progress => {
  const bars = new cliProgress.MultiBar(
    {
      format: '  {name} {bar} {percentage}%  {seconds}  {note}',
      barsize: 30,
      hideCursor: true,
      forceRedraw: true,
      autopadding: true,
      // A bar that is stopped before its end stays where it was.
      stopOnComplete: false,
      clearOnComplete: false,
    },
    cliProgress.Presets.shades_classic,
  );
  const timers = new Set<NodeJS.Timeout>();
  return {
    begin: (name) => {
      const began = performance.now();
      let note = '';
      const bar = bars.create(100, 0, { name: name.padEnd(nameWidth), seconds: secondsSince(began), note });
      const timer = setInterval(() => bar.update({ seconds: secondsSince(began) }), redrawIntervalMs);
      timers.add(timer);
      return {
        update: (share, text) => {
          note = text;
          bar.update(Math.min(99, Math.floor(100 * share)), { note, seconds: secondsSince(began) });
        },
        finish: (text) => {
          clearInterval(timer);
          bar.update(100, { note: text, seconds: secondsSince(began) });
        },
      };
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer);
      bars.update();
      bars.stop();
    },
  };
};

const showLines = (write: (line: string) => void): Progress => {
  const timers = new Set<NodeJS.Timeout>();
  return {
    begin: (name) => {
      const began = performance.now();
      let [share, note] = [0, 'begins'];
      const say = (done: number, text: string): void =>
        write(`  ${name.padEnd(nameWidth)} ${String(Math.floor(100 * done)).padStart(3)}%  ${secondsSince(began)}  ${text}`);
      const timer = setInterval(() => say(share, note), lineIntervalMs);
      timers.add(timer);
      return {
        update: (newShare, text) => {
          [share, note] = [Math.min(0.99, newShare), text];
        },
        finish: (text) => {
          clearInterval(timer);
          say(1, text);
        },
      };
    },
    stop: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
};

/** Opens the display for a group of phases. */
export const showProgress = (write: (line: string) => void): Progress =>
  process.stdout.isTTY ? showBars() : showLines(write);
