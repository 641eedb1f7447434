/** After this time, the process exits even if something hangs. */
const PATIENCE_MS = 15_000;

/**
 * Resolves on SIGTERM or Ctrl-C. Call it before anything is started: an unhandled signal would end the program and
 * leave its database running. Repeated signals are ignored, because npm forwards the Ctrl-C that the terminal has
 * already sent to the whole process group.
 */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => {
      setTimeout(() => process.exit(130), PATIENCE_MS).unref();
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
    // The terminal was closed. Without a terminal, no handler is installed, so that `nohup` works.
    if (process.stdout.isTTY) process.on('SIGHUP', ask);
  });
}

/** Waits for `stop`, or fails when the installation is lost before that. */
export const untilStopped = (stop: Promise<void>, lost: Promise<Error>): Promise<void> =>
  Promise.race([stop, lost.then((error) => Promise.reject(error))]);
