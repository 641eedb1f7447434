import type { ChildProcess } from 'node:child_process';
import { startChild } from '../child-process.ts';
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
    const started = startChild(new URL('scale-images', import.meta.url));
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
