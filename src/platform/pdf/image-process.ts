import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ScaleRequest, ScaleResponse } from './scale-images.ts';

/**
 * Scales images in a process of its own: the allocator returns hundreds of megabytes of decoded images to the system only
 * when a process ends, and an image that crashes the decoder ends this process alone.
 */
export interface ImageProcess {
  /** Undefined where the bytes are no image, or one that cannot be decoded. */
  scale(bytes: Uint8Array): Promise<Uint8Array | undefined>;
  close(): void;
}

export function createImageProcess(): ImageProcess {
  const pending = new Map<number, (bytes: Uint8Array | undefined) => void>();
  let child: ChildProcess | undefined;
  let lastId = 0;

  function drop(): void {
    child = undefined;
    for (const resolve of pending.values()) resolve(undefined);
    pending.clear();
  }

  function start(): ChildProcess {
    const started = startProcess();
    started.on('message', ({ id, bytes }: ScaleResponse) => {
      pending.get(id)?.(bytes);
      pending.delete(id);
    });
    const onEnd = () => {
      if (child === started) drop();
    };
    return started.once('exit', onEnd).on('error', onEnd);
  }

  return {
    scale: (bytes) =>
      new Promise((resolve) => {
        child ??= start();
        const id = ++lastId;
        pending.set(id, resolve);
        child.send({ id, bytes } satisfies ScaleRequest);
      }),
    close() {
      child?.kill('SIGKILL');
      drop();
    },
  };
}

/** The program runs from its sources in tests: `tsx` reads TypeScript there. */
function startProcess(): ChildProcess {
  const isSource = import.meta.url.endsWith('.ts');
  return fork(fileURLToPath(new URL(`scale-images.${isSource ? 'ts' : 'js'}`, import.meta.url)), {
    execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}
