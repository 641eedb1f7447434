/** After this time the process exits, whether its work has ended or not. */
const SHUTDOWN_TIMEOUT_MS = 15_000;

/**
 * Resolves on SIGTERM, SIGINT or SIGHUP (the terminal was closed; under `nohup`, too, whose setting Node resets). Call it before anything is started: an unhandled signal would end the process and leave
 * its database running. Repeated signals are ignored, because npm forwards a Ctrl-C that the terminal sends to every
 * process.
 */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const request = () => {
      setTimeout(() => process.exit(130), SHUTDOWN_TIMEOUT_MS).unref();
      resolve();
    };
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, request);
  });
}

/** Waits for `stop`. Rejects if the database is lost before. */
export const untilStopped = (stop: Promise<void>, lost: Promise<Error>): Promise<void> =>
  Promise.race([stop, lost.then((error) => Promise.reject(error))]);
