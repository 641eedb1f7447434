/** The stream that shows progress: standard error. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export interface ProgressCount {
  readonly done: number;
  readonly total: number;
  /** The file or page that was read last. */
  readonly current?: string;
}

export interface ProgressBar {
  update(count: ProgressCount): void;
  /** Removes the bar, so that other lines can follow. */
  clear(): void;
}

const BAR_MS = 100;
const LINE_MS = 10_000;
const CLEAR_LINE = '\r\x1b[2K';
const DEFAULT_COLUMNS = 80;

/** A bar that is rewritten in place on a terminal; elsewhere, a line from time to time, if it takes long. */
export function createProgressBar(
  stream: ProgressStream,
  { isBar, label, now = () => performance.now() }: { isBar: boolean; label: string; now?: () => number },
): ProgressBar {
  const interval = isBar ? BAR_MS : LINE_MS;
  // A bar appears at once, a line only after the first interval.
  let last = isBar ? -Infinity : now();
  let isShown = false;
  return {
    update(count) {
      if (now() - last < interval) return;
      last = now();
      const line = lineOf(label, count);
      if (!isBar) return void stream.write(`${line}\n`);
      isShown = true;
      // A terminal that does not know its size has 0 columns.
      stream.write(CLEAR_LINE + shorten(line, (stream.columns || DEFAULT_COLUMNS) - 1));
    },
    clear() {
      if (isShown) stream.write(CLEAR_LINE);
      isShown = false;
    },
  };
}

/** `Importing  312/500  62 %  guide/install.md` */
function lineOf(label: string, { done, total, current }: ProgressCount): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
  const name = current === undefined ? '' : `  ${visible(current)}`;
  return `${label}  ${done}/${total}  ${percent} %${name}`;
}

/** Names could contain control sequences for the terminal. */
export const visible = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');

const shorten = (text: string, columns: number): string => {
  const letters = [...text];
  return letters.length <= columns ? text : `${letters.slice(0, Math.max(0, columns - 1)).join('')}…`;
};
