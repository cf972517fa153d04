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
const lineIntervalMs = 2_500;
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
  let isStopped = false;
  return {
    begin: (name) => {
      const began = performance.now();
      let note = '';
      const bar = bars.create(100, 0, { name: name.padEnd(nameWidth), seconds: secondsSince(began), note });
      let isDone = false;
      const timer = setInterval(() => bar.update({ seconds: secondsSince(began) }), redrawIntervalMs);
      timers.add(timer);
      return {
        update: (share, text) => {
          if (isDone) return;
          note = text;
          bar.update(Math.min(99, Math.floor(100 * share)), { note, seconds: secondsSince(began) });
        },
        finish: (text) => {
          isDone = true;
          clearInterval(timer);
          bar.update(100, { note: text, seconds: secondsSince(began) });
        },
      };
    },
    stop: () => {
      if (isStopped) return;
      isStopped = true;
      for (const timer of timers) clearInterval(timer);
      bars.update();
      bars.stop();
    },
  };
};

interface OpenPhase {
  readonly name: string;
  readonly began: number;
  share: number;
  note: string;
}

/** One line for all open phases at each interval, and one for each that ends. */
const showLines = (write: (line: string) => void): Progress => {
  const open = new Set<OpenPhase>();
  const say = ({ name, began, share, note }: OpenPhase): string =>
    `${name.padEnd(nameWidth)} ${String(Math.floor(100 * share)).padStart(3)}%  ${secondsSince(began)}  ${note}`;
  const timer = setInterval(() => {
    if (open.size > 0) write(`  ${[...open].map(say).join('  |  ')}`);
  }, lineIntervalMs);
  return {
    begin: (name) => {
      const phase = { name, began: performance.now(), share: 0, note: '' };
      open.add(phase);
      return {
        update: (share, note) => Object.assign(phase, { share: Math.min(0.99, share), note }),
        finish: (note) => {
          open.delete(phase);
          write(`  ${say({ ...phase, share: 1, note })}`);
        },
      };
    },
    stop: () => clearInterval(timer),
  };
};

/** Opens the display for a group of phases. */
export const showProgress = (write: (line: string) => void): Progress =>
  process.stdout.isTTY ? showBars() : showLines(write);
