/** Resolves on SIGTERM or Ctrl-C; rejects when the installation was lost. A second signal ends the program at once. */
export function untilStopped(lost: Promise<Error>): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false;
    const stop = () => {
      if (asked) process.exit(130);
      asked = true;
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
    void lost.then(reject);
  });
}
