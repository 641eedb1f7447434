import {
  constants,
  performance,
  PerformanceObserver,
  type NodeGCPerformanceDetail,
  type PerformanceEntry,
} from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MB = 1024 * 1024;

/** What a small heap may hold. Collecting less more often takes more processor time than the memory is worth. */
const MAX_GARBAGE = 120 * MB;

/**
 * Lets a small heap grow to three times the size of the objects that survived the last major collection, and a large one
 * to twice that size. By default V8 lets it grow fourfold on machines with much memory, which a server next to its
 * database does not have (decision 40).
 */
export function limitHeapGrowth(): void {
  const limit = () => {
    const percent = Math.round((100 * MAX_GARBAGE) / heapSize());
    setFlags(`--heap-growing-percent=${Math.min(Math.max(percent, 100), 200)}`);
  };
  limit();
  new PerformanceObserver((collections) => {
    if (collections.getEntries().some(isMajor)) limit();
  }).observe({ type: 'gc' });
}

const isMajor = (collection: PerformanceEntry & { readonly detail?: NodeGCPerformanceDetail }): boolean =>
  collection.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

const CHECK_MS = 1000;
/** Of the time between two checks. */
const IDLE_UTILIZATION = 0.1;
/**
 * A collection drops optimised code, too: between two bursts of requests, a busy heap is left as it is. So this is more than
 * V8 lets a small heap grow above its least size.
 */
const MIN_GROWTH = 160 * MB;
/** When nothing has happened for a while, less is enough. */
const MIN_GROWTH_AT_REST = 10 * MB;
const AT_REST_AFTER_CHECKS = 10;
/** What a request still used at the first collection is garbage at the second, which also compacts more pages. */
const SECOND_AFTER_MS = 10_000;

/**
 * Starts a garbage collection when the event loop is idle after the heap has grown, and a second one at rest. V8 does so by
 * itself only if the heap is larger than when it last did (decision 49).
 */
export function collectWhenIdle(): void {
  let least = heapSize();
  let second = Infinity;
  let idleChecks = 0;
  let last = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const size = heapSize();
    least = Math.min(least, size);
    idleChecks = utilization > IDLE_UTILIZATION ? 0 : idleChecks + 1;
    const isAtRest = idleChecks > AT_REST_AFTER_CHECKS;
    const hasGrown = size > least + (isAtRest ? MIN_GROWTH_AT_REST : MIN_GROWTH);
    const isSecondDue = isAtRest && performance.now() >= second;
    if (idleChecks === 0 || (!hasGrown && !isSecondDue)) return;
    startCollection();
    second = hasGrown ? performance.now() + SECOND_AFTER_MS : Infinity;
    // Unknown until the next check.
    least = Infinity;
  }, CHECK_MS).unref();
}

function heapSize(): number {
  const { used_heap_size: used, external_memory: external } = getHeapStatistics();
  return used + external;
}

/**
 * Marking is concurrent and incremental, so that the event loop is not blocked for as long as by `gc()`. After a minor
 * collection V8 decides whether to begin, and the flags make it do so, in the mode that compacts pages and returns them.
 * They are not needed after that.
 */
function startCollection(): void {
  setFlags('--optimize-for-size', '--stress-incremental-marking');
  collectYoung();
  setFlags('--no-optimize-for-size', '--no-stress-incremental-marking');
}

let collect: ((options: { type: 'minor' }) => void) | undefined;

/** Collects young objects, within some milliseconds, and the bytes that they hold outside of the heap. */
export function collectYoung(): void {
  if (!collect) {
    setFlags('--expose-gc');
    collect = runInNewContext('gc') as NonNullable<typeof collect>;
    setFlags('--no-expose-gc');
  }
  collect({ type: 'minor' });
}

function setFlags(...flags: readonly string[]): void {
  for (const flag of flags) setFlagsFromString(flag);
}
