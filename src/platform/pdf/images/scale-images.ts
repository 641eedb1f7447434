import { endWithServer } from '../child-process.ts';
import { imageForPrint } from './image-for-print.ts';

/** Runs in a process of its own (`image-process.ts`). */

export interface ScaleRequest {
  readonly id: number;
  readonly bytes: Uint8Array;
}

export interface ScaleResponse {
  readonly id: number;
  readonly bytes: Uint8Array | undefined;
}

process.on('message', ({ id, bytes }: ScaleRequest) => {
  void imageForPrint(bytes).then((scaled) => process.send?.({ id, bytes: scaled } satisfies ScaleResponse));
});
endWithServer();
