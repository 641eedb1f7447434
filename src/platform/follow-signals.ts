/** A signal that follows others until `end`. */
export interface FollowingSignal {
  readonly signal: AbortSignal;
  end(): void;
}

/**
 * Aborted with the first of `sources`. Used instead of `AbortSignal.any` where a source outlives the work: Node keeps an
 * entry per dependent signal until the source is collected, and with it everything that its listeners hold.
 */
export function followSignals(sources: readonly AbortSignal[]): FollowingSignal {
  const controller = new AbortController();
  const stops = sources.map((source) => {
    const abort = () => controller.abort(source.reason);
    if (source.aborted) abort();
    else source.addEventListener('abort', abort, { once: true });
    return () => source.removeEventListener('abort', abort);
  });
  return {
    signal: controller.signal,
    end: () => {
      for (const stop of stops) stop();
    },
  };
}
