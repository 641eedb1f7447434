/** By then everything should have ended. If not, something hangs, and we end without it. */
const PATIENCE_MS = 15_000;

/**
 * Resolves when SIGTERM or Ctrl-C asks us to stop. To be called before anything is started: a signal that nobody
 * listens for would end the program and leave its database behind. A signal that comes again is not a second wish:
 * npm passes on the Ctrl-C that the terminal has sent to all of us.
 */
export function stopRequested(): Promise<void> {
  return new Promise((resolve) => {
    const ask = () => {
      setTimeout(() => process.exit(130), PATIENCE_MS).unref();
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
    // A window was closed. Without one, being hung up on is what `nohup` is for.
    if (process.stdout.isTTY) process.on('SIGHUP', ask);
  });
}

/** Waits for `stop`, or fails when the installation is lost before that. */
export const untilStopped = (stop: Promise<void>, lost: Promise<Error>): Promise<void> =>
  Promise.race([stop, lost.then((error) => Promise.reject(error))]);
